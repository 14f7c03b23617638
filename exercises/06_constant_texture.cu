// Lesson 06: memories that are only read.
//
// Smooth a row of numbers with weights in constant memory, and enlarge a picture with a texture. The four places marked
// TODO are yours. Save after each; the verdict says what to mend next.
#include <cuda_runtime.h>

#include "lessons/06_constant_texture/interface.h"

constexpr int threads = 128;

// ---- constant memory

// [weights]
__constant__ float c_weights[2 * max_radius + 1];
// [/weights]

// [smooth]
__global__ void smooth_kernel(const float* d_in, float* d_out, int n, int radius) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    // TODO: (2) d_out[i]. Weight k belongs to number i + k - radius, and the array's ends go on with its last number.
}
// [/smooth]

extern "C" int smooth(const float* d_in, float* d_out, int n, const float* h_weights, int radius) {
    if (radius > max_radius) return cudaErrorInvalidValue;
    // TODO: (1) bring the 2 * radius + 1 weights to c_weights. Return the error, if there is one.
    smooth_kernel<<<(n + threads - 1) / threads, threads>>>(d_in, d_out, n, radius);
    return cudaGetLastError();
}

// ---- texture and surface

// [sampling]
// How the picture is to be read.
static cudaTextureDesc sampling(int edge) {
    cudaTextureDesc how = {};
    // TODO: (3) filter linearly; coordinates from 0 to 1; beyond the picture what `edge` says, in x and in y.
    return how;
}
// [/sampling]

// [zoom]
__global__ void zoom_kernel(cudaTextureObject_t picture, cudaSurfaceObject_t out, int out_cols, int out_rows,
                            View view) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out_cols || y >= out_rows) return;
    // TODO: (4) where does the middle of pixel (x, y) lie in the picture? Fetch there, and write it to (x, y) of `out`.
}
// [/zoom]

// [host]
extern "C" int zoom(const float* h_picture, int cols, int rows, View view, int edge, float* h_out,
                    int out_cols, int out_rows) {
    size_t row = cols * sizeof(float), out_row = out_cols * sizeof(float);
    cudaChannelFormatDesc one_float = cudaCreateChannelDesc<float>();
    cudaArray_t picture_array = nullptr, out_array = nullptr;
    cudaMallocArray(&picture_array, &one_float, cols, rows);
    cudaMallocArray(&out_array, &one_float, out_cols, out_rows, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(picture_array, 0, 0, h_picture, row, row, rows, cudaMemcpyHostToDevice);

    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = picture_array;
    cudaTextureDesc how = sampling(edge);
    cudaTextureObject_t picture = 0;
    cudaCreateTextureObject(&picture, &what, &how, nullptr);

    what.res.array.array = out_array;
    cudaSurfaceObject_t out = 0;
    cudaCreateSurfaceObject(&out, &what);

    // One look for all the calls above: CUDA keeps an error until somebody asks for it.
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess) {
        dim3 block(16, 16);
        dim3 grid((out_cols + block.x - 1) / block.x, (out_rows + block.y - 1) / block.y);
        zoom_kernel<<<grid, block>>>(picture, out, out_cols, out_rows, view);
        status = cudaGetLastError();
    }
    if (status == cudaSuccess)
        status =
            cudaMemcpy2DFromArray(h_out, out_row, out_array, 0, 0, out_row, out_rows, cudaMemcpyDeviceToHost);

    if (out != 0) cudaDestroySurfaceObject(out);
    if (picture != 0) cudaDestroyTextureObject(picture);
    cudaFreeArray(out_array);
    cudaFreeArray(picture_array);
    return status;
}
// [/host]
