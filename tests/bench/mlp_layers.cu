// Lessons 21 and 22 on a GPU: the layers of a network of 784, 256 and 10, as their solutions have them and in the other forms
// that the lessons speak of. Times by events, medians of nine after a warm-up.
//   nvcc -std=c++20 -O3 -arch=sm_90 -I. tests/bench/mlp_layers.cu -o mlp_layers && ./mlp_layers
#include "solutions/21_mlp_forward.cu"

#include "lessons/22_mlp_backward/interface.h"

namespace back {
#include "solutions/22_mlp_backward.cu"
}

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

constexpr int batch = 8192, in = 784, hidden = 256, classes = 10;

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::printf("%s\n", cudaGetErrorString(error));
    std::exit(1);
}

// Numbers from -0.5 to 0.5 that look random, the same each time.
float* numbers(size_t count, float scale = 1) {
    std::vector<float> h(count);
    unsigned state = unsigned(count);
    for (float& x : h) {
        state = state * 1664525u + 1013904223u;
        x = scale * (float(state >> 8) / float(1 << 24) - 0.5f);
    }
    float* d;
    check(cudaMalloc(&d, count * sizeof(float)));
    check(cudaMemcpy(d, h.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    return d;
}

void print_time(const char* name, const std::function<void()>& work) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    for (int i = 0; i < 3; ++i) work();
    std::vector<float> times(9);
    for (float& ms : times) {
        check(cudaEventRecord(begin));
        work();
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        check(cudaEventElapsedTime(&ms, begin, end));
    }
    check(cudaGetLastError());
    std::nth_element(times.begin(), times.begin() + 4, times.end());
    std::printf("%-58s %8.1f us\n", name, times[4] * 1e3f);
}

// ---- lesson 21 ----------------------------------------------------------------------------------------------------

__global__ void linear_down_the_rows(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                                     int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= hidden) return;
    float sum = d_b[col];
    for (int k = 0; k < in; ++k) sum += d_x[row * in + k] * d_w[k * hidden + col];
    d_y[row * hidden + col] = sum;
}

__global__ void linear_by_tiles(const float* d_x, const float* d_w, const float* d_b, float* d_y, int rows) {
    __shared__ float x[32][32], w[32][32];
    int across = threadIdx.x, along = threadIdx.y;
    int col = blockIdx.x * 32 + across, row = blockIdx.y * 32 + along;
    float sum = col < hidden ? d_b[col] : 0;
    for (int first = 0; first < in; first += 32) {
        x[along][across] = row < rows && first + across < in ? d_x[row * in + first + across] : 0;
        w[along][across] = first + along < in && col < hidden ? d_w[(first + along) * hidden + col] : 0;
        __syncthreads();
        for (int k = 0; k < 32; ++k) sum += x[along][k] * w[k][across];
        __syncthreads();
    }
    if (row < rows && col < hidden) d_y[row * hidden + col] = sum;
}

// The softmax of three logits, as they stand.
__global__ void softmax_as_they_stand(const float* d_logits, float* d_out) {
    float sum = 0;
    for (int c = 0; c < 3; ++c) sum += expf(d_logits[c]);
    for (int c = 0; c < 3; ++c) d_out[c] = expf(d_logits[c]) / sum;
}

void show_large_logits() {
    const float logits[3] = {90, 89, 88};
    const int label = 0;
    float *d_logits, *d_out, *d_loss, *d_mean, h[3];
    int* d_label;
    check(cudaMalloc(&d_logits, sizeof(logits)));
    check(cudaMalloc(&d_out, sizeof(logits)));
    check(cudaMalloc(&d_loss, sizeof(float)));
    check(cudaMalloc(&d_mean, sizeof(float)));
    check(cudaMalloc(&d_label, sizeof(int)));
    check(cudaMemcpy(d_logits, logits, sizeof(logits), cudaMemcpyHostToDevice));
    check(cudaMemcpy(d_label, &label, sizeof(label), cudaMemcpyHostToDevice));
    softmax_as_they_stand<<<1, 1>>>(d_logits, d_out);
    check(cudaMemcpy(h, d_out, sizeof(h), cudaMemcpyDeviceToHost));
    std::printf("softmax of 90, 89, 88 as they stand: %.2f %.2f %.2f\n", h[0], h[1], h[2]);
    softmax_cross_entropy(d_logits, d_label, 1, 3, d_out, d_loss, d_mean);
    check(cudaMemcpy(h, d_out, sizeof(h), cudaMemcpyDeviceToHost));
    std::printf("with the maximum taken off: %.2f %.2f %.2f\n", h[0], h[1], h[2]);
    for (void* memory : {(void*)d_logits, (void*)d_out, (void*)d_loss, (void*)d_mean, (void*)d_label})
        check(cudaFree(memory));
}

// ---- lesson 22 ----------------------------------------------------------------------------------------------------

// 64 rows for each thread.
__global__ void bias_by_atomics(const float* d_dy, float* d_db, int rows, int out) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= out) return;
    for (int row = blockIdx.y; row < rows; row += gridDim.y) atomicAdd(&d_db[col], d_dy[row * out + col]);
}

__global__ void weights_by_atomics(const float* d_x, const float* d_dy, float* d_dw, int rows, int inputs,
                                   int out) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int k = blockIdx.y * blockDim.y + threadIdx.y;
    if (k >= inputs || col >= out) return;
    for (int row = 0; row < rows; ++row)
        atomicAdd(&d_dw[k * out + col], d_x[row * inputs + k] * d_dy[row * out + col]);
}

__global__ void weights_by_full_warps(const float* d_x, const float* d_dy, float* d_dw, int rows, int inputs,
                                      int out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= inputs * out) return;
    int k = i / out, col = i % out;
    float sum = 0;
    for (int row = 0; row < rows; ++row) sum += d_x[row * inputs + k] * d_dy[row * out + col];
    d_dw[i] = sum;
}

__global__ void input_straight(const float* d_dy, const float* d_w, float* d_dx, int rows, int inputs,
                               int out) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || k >= inputs) return;
    float sum = 0;
    for (int c = 0; c < out; ++c) sum += d_dy[row * out + c] * d_w[k * out + c];
    d_dx[row * inputs + k] = sum;
}

// How many of 19 repetitions leave other bits in db than the first run did.
int other_bits(const std::function<void()>& run, const float* d_db) {
    std::vector<float> first(hidden), again(hidden);
    int differ = 0;
    for (int i = 0; i < 20; ++i) {
        run();
        std::vector<float>& to = i == 0 ? first : again;
        check(cudaMemcpy(to.data(), d_db, hidden * sizeof(float), cudaMemcpyDeviceToHost));
        differ += i > 0 && again != first;
    }
    return differ;
}

}  // namespace

int main() {
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    std::printf("%s\n", device.name);

    show_large_logits();

    float *d_x = numbers(size_t(batch) * in), *d_w1 = numbers(in * hidden, 0.1f), *d_b1 = numbers(hidden);
    float *d_w2 = numbers(hidden * classes, 0.1f), *d_b2 = numbers(classes);
    float *d_hidden = numbers(batch * hidden), *d_logits = numbers(batch * classes);
    float *d_probabilities = numbers(batch * classes), *d_losses = numbers(batch), *d_mean = numbers(1);
    int* d_labels;
    check(cudaMalloc(&d_labels, batch * sizeof(int)));
    check(cudaMemset(d_labels, 0, batch * sizeof(int)));
    const Network net{in, hidden, classes, d_w1, d_b1, d_w2, d_b2};
    const Layers layers{d_hidden, d_logits, d_probabilities, d_losses, d_mean};

    std::printf("\nLesson 21, a batch of %d:\n", batch);
    print_time("linear 784 x 256, neighbours along a row",
               [&] { linear(d_x, d_w1, d_b1, d_hidden, batch, in, hidden); });
    print_time("linear 784 x 256, neighbours down a column", [&] {
        linear_down_the_rows<<<dim3(batch / 32, hidden / 4), dim3(32, 4)>>>(d_x, d_w1, d_b1, d_hidden, batch);
    });
    print_time("linear 784 x 256, tiles of 32 by 32", [&] {
        linear_by_tiles<<<dim3(hidden / 32, batch / 32), dim3(32, 32)>>>(d_x, d_w1, d_b1, d_hidden, batch);
    });
    for (int rows : {1, 128, batch}) {
        char name[64];
        std::snprintf(name, sizeof name, "forward of %d", rows);
        float h_mean;
        print_time(name, [&] { forward(&net, d_x, d_labels, rows, &layers, &h_mean); });
    }

    float *d_dw1 = numbers(in * hidden), *d_db1 = numbers(hidden), *d_dw2 = numbers(hidden * classes);
    float *d_db2 = numbers(classes), *d_dlogits = numbers(batch * classes, 1e-4f),
          *d_dhidden = numbers(batch * hidden, 1e-4f);
    float* d_dx = numbers(size_t(batch) * in);
    const Gradients to{d_dw1, d_db1, d_dw2, d_db2, d_dlogits, d_dhidden};
    const dim3 block(32, 8);
    const auto covering = [&](int columns, int rows) { return dim3((columns + 31) / 32, (rows + 7) / 8); };

    std::printf("\nLesson 22, a batch of %d:\n", batch);
    print_time("backward", [&] { back::backward(&net, d_x, d_labels, batch, &layers, &to); });
    print_time("dw of 784 x 256", [&] {
        back::weights_kernel<<<covering(hidden, in), block>>>(d_x, d_dhidden, d_dw1, batch, in, hidden);
    });
    print_time("dw of 784 x 256, an atomicAdd for each term", [&] {
        weights_by_atomics<<<covering(hidden, in), block>>>(d_x, d_dhidden, d_dw1, batch, in, hidden);
    });
    print_time("dw of 256 x 10", [&] {
        back::weights_kernel<<<covering(classes, hidden), block>>>(d_hidden, d_dlogits, d_dw2, batch, hidden,
                                                                   classes);
    });
    print_time("dw of 256 x 10, full warps", [&] {
        weights_by_full_warps<<<(hidden * classes + 127) / 128, 128>>>(d_hidden, d_dlogits, d_dw2, batch,
                                                                       hidden, classes);
    });
    print_time("dx of 784 x 256, straight", [&] {
        input_straight<<<covering(in, batch), block>>>(d_dhidden, d_w1, d_dx, batch, in, hidden);
    });
    print_time("dx of 784 x 256, tiles",
               [&] { back::linear_backward_input(d_dhidden, d_w1, d_dx, batch, in, hidden); });
    print_time("mask of the ReLU", [&] { back::relu_backward(d_hidden, d_dhidden, batch * hidden); });

    float* d_dy = numbers(batch * hidden);
    const auto alone = [&] { back::bias_kernel<<<hidden / 128, 128>>>(d_dy, d_db1, batch, hidden); };
    const auto together = [&] {
        cudaMemsetAsync(d_db1, 0, hidden * sizeof(float));
        bias_by_atomics<<<dim3(hidden / 128, batch / 64), 128>>>(d_dy, d_db1, batch, hidden);
    };
    print_time("db of 256, a thread for each column", alone);
    print_time("db of 256, 64 rows a thread, atomicAdd (and its memset)", together);
    std::printf("other bits in 19 repetitions: a thread for each column %d, atomicAdd %d\n",
                other_bits(alone, d_db1), other_bits(together, d_db1));
    return 0;
}
