// correct
// Each block reads the layer of its own number.
#include "host.h"
constexpr int width = 32, height = 4, layers = 3;
__global__ void read_layers(cudaTextureObject_t texture, int* out) {
    const int x = static_cast<int>(threadIdx.x), layer = static_cast<int>(blockIdx.x);
    for (int y = 0; y < height; ++y)
        out[(layer * height + y) * width + x] = tex2DLayered<int>(texture, x + 0.5f, y + 0.5f, layer);
}
int main() {
    int in[layers][height][width], out[layers][height][width];
    for (int i = 0; i < layers * height * width; ++i)
        in[i / (height * width)][i / width % height][i % width] = i * i;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, layers), cudaArrayLayered));
    for (int layer = 0; layer < layers; ++layer) {
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr(in[layer], sizeof in[0][0], width, height);
        p.dstArray = array;
        p.dstPos = make_cudaPos(0, 0, static_cast<size_t>(layer));
        p.extent = make_cudaExtent(width, height, 1);
        p.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&p));
    }
    const cudaTextureObject_t texture = texture_of(array);
    int* d_out;
    CHECK(cudaMalloc(&d_out, sizeof out));
    read_layers<<<layers, width>>>(texture, d_out);
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d_out));
    return say(std::memcmp(in, out, sizeof in) == 0);
}
