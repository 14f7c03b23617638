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
    // >>> TODO: (1) the probability, less 1 where this class is its row's label; all of it divided by batch.
    int row = i / classes, c = i % classes;
    float wanted = c == d_labels[row] ? 1.0f : 0.0f;
    d_dlogits[i] = (d_probabilities[i] - wanted) / batch;
    // <<<
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
    // >>> TODO: (2) dw[k][col] = the sum over the rows of the batch of x[row][k] * dy[row][col].
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int k = blockIdx.y * blockDim.y + threadIdx.y;
    if (k >= in || col >= out) return;
    float sum = 0;
    for (int row = 0; row < batch; ++row) sum += d_x[row * in + k] * d_dy[row * out + col];
    d_dw[k * out + col] = sum;
    // <<<
}

// One thread for each bias.
__global__ void bias_kernel(const float* d_dy, float* d_db, int batch, int out) {
    // >>> TODO: (2) db[col] = the sum over the rows of the batch of dy[row][col].
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= out) return;
    float sum = 0;
    for (int row = 0; row < batch; ++row) sum += d_dy[row * out + col];
    d_db[col] = sum;
    // <<<
}
// [/weights]

// [weights_launch]
extern "C" int linear_backward_weights(const float* d_x, const float* d_dy, float* d_dw, float* d_db, int batch, int in,
                                       int out) {
    dim3 block(side, down);
    // >>> TODO: (2) a grid that covers all of dw.
    dim3 grid((out + block.x - 1) / block.x, (in + block.y - 1) / block.y);
    // ===
    //| dim3 grid(1, 1);
    // <<<
    weights_kernel<<<grid, block>>>(d_x, d_dy, d_dw, batch, in, out);
    bias_kernel<<<(out + threads - 1) / threads, threads>>>(d_dy, d_db, batch, out);
    return cudaGetLastError();
}
// [/weights_launch]

// [input]
// One thread for each element of dx: k is its column there, and its row in w. A block carries w through shared memory,
// a tile at a time: it is loaded along its rows and read down its columns.
__global__ void input_kernel(const float* d_dy, const float* d_w, float* d_dx, int batch, int in, int out) {
    // >>> TODO: (3) dx[row][k] = the sum over col of dy[row][col] * w[k][col]. Right first; then by tiles.
    __shared__ float tile[side][side + 1];  // a number more in each row: no two lanes in one bank
    int first_k = blockIdx.x * side;
    int k = first_k + threadIdx.x;
    int row = blockIdx.y * down + threadIdx.y;
    float sum = 0;
    for (int first = 0; first < out; first += side) {
        int col = first + threadIdx.x;
        for (int i = threadIdx.y; i < side; i += down) {
            tile[i][threadIdx.x] = first_k + i < in && col < out ? d_w[(first_k + i) * out + col] : 0.0f;
        }
        __syncthreads();
        int columns = min(side, out - first);
        if (row < batch) {
            for (int c = 0; c < columns; ++c) sum += d_dy[row * out + first + c] * tile[threadIdx.x][c];
        }
        __syncthreads();
    }
    if (row < batch && k < in) d_dx[row * in + k] = sum;
    // <<<
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
    // >>> TODO: (4) what the ReLU cut off gets no gradient, by a grid-stride loop.
    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        if (d_y[i] <= 0) d_dy[i] = 0;
    }
    // <<<
}

extern "C" int relu_backward(const float* d_y, float* d_dy, int n) {
    relu_backward_kernel<<<8, threads>>>(d_y, d_dy, n);
    return cudaGetLastError();
}
// [/relu]

// [backward]
extern "C" int backward(const Network* network, const float* d_x, const int* d_labels, int batch, const Layers* layers,
                        const Gradients* gradients) {
    // >>> TODO: (5) from the loss to the weights: five calls, and a look at what each returns.
    const Network& net = *network;
    const Gradients& to = *gradients;
    int status = softmax_cross_entropy_backward(layers->d_probabilities, d_labels, batch, net.out, to.d_dlogits);
    if (status != cudaSuccess) return status;
    status = linear_backward_weights(layers->d_hidden, to.d_dlogits, to.d_dw2, to.d_db2, batch, net.hidden, net.out);
    if (status != cudaSuccess) return status;
    status = linear_backward_input(to.d_dlogits, net.d_w2, to.d_dhidden, batch, net.hidden, net.out);
    if (status != cudaSuccess) return status;
    status = relu_backward(layers->d_hidden, to.d_dhidden, batch * net.hidden);
    if (status != cudaSuccess) return status;
    return linear_backward_weights(d_x, to.d_dhidden, to.d_dw1, to.d_db1, batch, net.in, net.hidden);
    // ===
    //| return cudaErrorNotSupported;
    // <<<
}
// [/backward]
