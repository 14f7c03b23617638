// correct
// A pitched picture of bytes is read between its elements, as floats from 0 to 1.
#include "host.h"
constexpr int width = 16, height = 8;
__global__ void zoom(cudaTextureObject_t image, float* out) {
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(blockIdx.x);
    const int columns = static_cast<int>(blockDim.x), rows = static_cast<int>(gridDim.x);
    out[y * columns + x] = tex2D<float>(image, (x + 0.5f) / columns, (y + 0.5f) / rows);
}
int main() {
    unsigned char in[height][width];
    for (int i = 0; i < width * height; ++i)
        in[i / width][i % width] = static_cast<unsigned char>(2 * (i % width));
    unsigned char* d_in;
    size_t pitch;
    CHECK(cudaMallocPitch(&d_in, &pitch, width, height));
    CHECK(cudaMemcpy2D(d_in, pitch, in, width, width, height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = d_in;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc d = sampling(cudaFilterModeLinear);
    d.readMode = cudaReadModeNormalizedFloat;
    d.normalizedCoords = 1;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &d, nullptr));
    static float out[2 * height][2 * width];
    float* d_out;
    CHECK(cudaMalloc(&d_out, sizeof out));
    zoom<<<2 * height, 2 * width>>>(texture, d_out);
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < 4 * width * height; ++i) {
        const int x = i % (2 * width);
        float expected = 2 * (x / 2.0f - 0.25f);
        if (x == 0) expected = 0;
        if (x == 2 * width - 1) expected = 2 * (width - 1);
        const float difference = out[i / (2 * width)][x] * 255 - expected;
        right = right && difference < 0.01f && difference > -0.01f;
    }
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return say(right);
}
