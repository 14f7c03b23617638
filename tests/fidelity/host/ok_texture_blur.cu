// correct
// A picture is blurred by a texture: its edges are clamped.
#include "host.h"
constexpr int width = 40, height = 24;
__global__ void blur(cudaTextureObject_t image, float* out) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) sum += tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f);
    out[y * width + x] = sum;
}
int main() {
    static float in[height][width], out[height][width];
    for (int i = 0; i < width * height; ++i) in[i / width][i % width] = static_cast<float>(i * 7 % 31);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t image;
    CHECK(cudaMallocArray(&image, &format, width, height));
    CHECK(cudaMemcpy2DToArray(image, 0, 0, in, sizeof in[0], sizeof in[0], height, cudaMemcpyHostToDevice));
    const cudaTextureObject_t texture = texture_of(image);
    float* d_out;
    CHECK(cudaMalloc(&d_out, sizeof out));
    blur<<<dim3(3, 2), dim3(16, 16)>>>(texture, d_out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    bool right = true;
    const auto inside = [](int i, int count) { return i < 0 ? 0 : i >= count ? count - 1 : i; };
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float sum = 0;
            for (int k = 0; k < 9; ++k)
                sum += in[inside(y + k / 3 - 1, height)][inside(x + k % 3 - 1, width)];
            right = right && sum == out[y][x];
        }
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(image));
    CHECK(cudaFree(d_out));
    return say(right);
}
