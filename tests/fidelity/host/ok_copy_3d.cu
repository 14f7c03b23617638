// correct
// A box of a volume goes through pitched memory and back.
#include "host.h"
constexpr int width = 12, height = 5, depth = 4;
__global__ void add_ten(cudaPitchedPtr volume) {
    const size_t at = (blockIdx.y * volume.ysize + blockIdx.x) * volume.pitch + threadIdx.x * sizeof(int);
    *reinterpret_cast<int*>(static_cast<char*>(volume.ptr) + at) += 10;
}
int main() {
    int in[depth][height][width], out[depth][height][width];
    for (int i = 0; i < depth * height * width; ++i)
        in[i / (height * width)][i / width % height][i % width] = i;
    std::memset(out, 0, sizeof out);
    cudaPitchedPtr d_volume;
    CHECK(cudaMalloc3D(&d_volume, make_cudaExtent(width * sizeof(int), height, depth)));
    CHECK(cudaMemset3D(d_volume, 0, make_cudaExtent(width * sizeof(int), height, depth)));
    cudaMemcpy3DParms there = {};
    there.srcPtr = make_cudaPitchedPtr(in, sizeof in[0][0], width, height);
    there.dstPtr = d_volume;
    there.extent = make_cudaExtent(width * sizeof(int), height, depth);
    there.kind = cudaMemcpyHostToDevice;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMemcpy3DAsync(&there, stream));
    std::memset(in, 0, sizeof in);  // pageable: taken at the call
    add_ten<<<dim3(height, depth), width, 0, stream>>>(d_volume);
    cudaMemcpy3DParms back = {};
    back.srcPtr = d_volume;
    back.srcPos = make_cudaPos(2 * sizeof(int), 1, 1);
    back.dstPtr = make_cudaPitchedPtr(out, sizeof out[0][0], width, height);
    back.dstPos = make_cudaPos(0, 0, 2);
    back.extent = make_cudaExtent(5 * sizeof(int), 3, 2);
    back.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3DAsync(&back, stream));
    CHECK(cudaStreamSynchronize(stream));
    bool right = true;
    for (int z = 0; z < depth; ++z)
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const bool copied = z >= 2 && y < 3 && x < 5;
                const int expected = copied ? ((z - 1) * height + y + 1) * width + x + 2 + 10 : 0;
                right = right && out[z][y][x] == expected;
            }
    CHECK(cudaFree(d_volume.ptr));
    CHECK(cudaStreamDestroy(stream));
    return say(right);
}
