// correct
// One launch writes an array through a surface, the next reads it through a texture.
#include "host.h"
constexpr int width = 32, height = 8;
__global__ void paint(cudaSurfaceObject_t surface) {
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(blockIdx.x);
    surf2Dwrite(make_float2(x, y), surface, x * static_cast<int>(sizeof(float2)), y);
}
__global__ void look(cudaTextureObject_t texture, float2* out) {
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(blockIdx.x);
    out[y * width + x] = tex2D<float2>(texture, x + 0.5f, y + 0.5f);
}
int main() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
    const cudaSurfaceObject_t surface = surface_of(array);
    const cudaTextureObject_t texture = texture_of(array);
    float2* d_out;
    CHECK(cudaMalloc(&d_out, width * height * sizeof(float2)));
    paint<<<height, width>>>(surface);
    look<<<height, width>>>(texture, d_out);
    float2 out[width * height];
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < width * height; ++i)
        right =
            right && out[i].x == static_cast<float>(i % width) && out[i].y == static_cast<float>(i / width);
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d_out));
    return say(right);
}
