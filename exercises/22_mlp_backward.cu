// Lesson 22: who is to blame, and by how much.
//
// The way back through the network of lesson 21: from the loss to each weight. The places marked TODO are yours. Save
// after each; the verdict says what to mend next.
#include <cuda_runtime.h>

#include "lessons/22_mlp_backward/interface.h"

constexpr int threads = 128;
constexpr int side = 32;  // of a tile of w, and of the blocks across
constexpr int down = 8;   // rows of a block

// [dlogits]
// One thread for each logit.
__global__ void dlogits_kernel(const float* d_probabilities, const int* d_labels, int batch, int classes,
                               float* d_dlogits) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * classes) return;
    // TODO: (1) the probability, less 1 where this class is its row's label; all of it divided by batch.
}

extern "C" int softmax_cross_entropy_backward(const float* d_probabilities, const int* d_labels, int batch, int classes,
                                              float* d_dlogits) {
    int blocks = (batch * classes + threads - 1) / threads;
    dlogits_kernel<<<blocks, threads>>>(d_probabilities, d_labels, batch, classes, d_dlogits);
    return cudaGetLastError();
}
// [/dlogits]

// [weights]
// One thread for each weight: k is its row in w, col its column.
__global__ void weights_kernel(const float* d_x, const float* d_dy, float* d_dw, int batch, int in, int out) {
    // TODO: (2) dw[k][col] = the sum over the rows of the batch of x[row][k] * dy[row][col].
}

// One thread for each bias.
__global__ void bias_kernel(const float* d_dy, float* d_db, int batch, int out) {
    // TODO: (2) db[col] = the sum over the rows of the batch of dy[row][col].
}
// [/weights]

// [weights_launch]
extern "C" int linear_backward_weights(const float* d_x, const float* d_dy, float* d_dw, float* d_db, int batch, int in,
                                       int out) {
    dim3 block(side, down);
    // TODO: (2) a grid that covers all of dw.
    dim3 grid(1, 1);
    weights_kernel<<<grid, block>>>(d_x, d_dy, d_dw, batch, in, out);
    bias_kernel<<<(out + threads - 1) / threads, threads>>>(d_dy, d_db, batch, out);
    return cudaGetLastError();
}
// [/weights_launch]

// [input]
// One thread for each element of dx: k is its column there, and its row in w. A block carries w through shared memory,
// a tile at a time: it is loaded along its rows and read down its columns.
__global__ void input_kernel(const float* d_dy, const float* d_w, float* d_dx, int batch, int in, int out) {
    // TODO: (3) dx[row][k] = the sum over col of dy[row][col] * w[k][col]. Right first; then by tiles.
}

extern "C" int linear_backward_input(const float* d_dy, const float* d_w, float* d_dx, int batch, int in, int out) {
    dim3 block(side, down);
    dim3 grid((in + side - 1) / side, (batch + down - 1) / down);
    input_kernel<<<grid, block>>>(d_dy, d_w, d_dx, batch, in, out);
    return cudaGetLastError();
}
// [/input]

// [relu]
// n may be more than there are threads.
__global__ void relu_backward_kernel(const float* d_y, float* d_dy, int n) {
    // TODO: (4) what the ReLU cut off gets no gradient, by a grid-stride loop.
}

extern "C" int relu_backward(const float* d_y, float* d_dy, int n) {
    relu_backward_kernel<<<8, threads>>>(d_y, d_dy, n);
    return cudaGetLastError();
}
// [/relu]

// [backward]
extern "C" int backward(const Network* network, const float* d_x, const int* d_labels, int batch, const Layers* layers,
                        const Gradients* gradients) {
    // TODO: (5) from the loss to the weights: five calls, and a look at what each returns.
    return cudaErrorNotSupported;
}
// [/backward]
