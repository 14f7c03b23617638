// A network learns digits, stage 4 of 4: CUDA.
// The loops of stage 3 become threads, and an epoch becomes one graph.
//
//     nvcc -O3 -arch=native 4_mlp.cu -o mlp && ./mlp DIR [BATCH [EPOCHS [HIDDEN [SEED [losses]]]]]
//     cudalab run --fast 4_mlp.cu -- DIR ...        (without a GPU)
//
// DIR has the four IDX files of MNIST, unpacked (`cudalab data digits DIR` writes some).
// `losses` prints every step's loss.
// Matrices are row-major: d_w1[k * hidden + j] is the weight from pixel k to hidden unit j. HIDDEN must be a
// multiple of 4.
#include <cuda_runtime.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

constexpr int in = 784, out = 10;
constexpr int padded_out = 12;  // rows of logits and of w2 end with two zeros: then they are whole float4s
constexpr float rate = 0.1f;

// Stops with the line and CUDA's own words.
#define CHECK(call)                                                                              \
    do {                                                                                         \
        cudaError_t status = (call);                                                             \
        if (status != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            std::exit(1);                                                                        \
        }                                                                                        \
    } while (0)

template <class T>
T* device_array(size_t n) {
    T* d = nullptr;
    CHECK(cudaMalloc(&d, n * sizeof(T)));
    return d;
}

template <class T>
T* to_device(const std::vector<T>& values) {
    T* d = device_array<T>(values.size());
    CHECK(cudaMemcpy(d, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return d;
}

// --- part: data ---
struct Pictures {
    int count = 0;
    float* d_x = nullptr;    // count x 784, 0 to 1: all of them stay on the device
    uint8_t* d_y = nullptr;  // count, 0 to 9
};

std::vector<uint8_t> read_file(const std::string& path,
                               long header) {  // header: the bytes in front of the first element
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
        std::fprintf(stderr, "%s can't be opened. `cudalab data digits DIR` writes the four files.\n",
                     path.c_str());
        std::exit(1);
    }
    std::fseek(file, 0, SEEK_END);
    std::vector<uint8_t> bytes(std::ftell(file) - header);
    std::fseek(file, header, SEEK_SET);
    if (std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) std::exit(1);
    std::fclose(file);
    return bytes;
}

Pictures read_pictures(const std::string& images, const std::string& labels) {
    std::vector<uint8_t> bytes = read_file(images, 16), y = read_file(labels, 8);
    std::vector<float> x(bytes.size());
    for (size_t i = 0; i < x.size(); ++i) x[i] = bytes[i] / 255.0f;
    return {static_cast<int>(y.size()), to_device(x), to_device(y)};
}

// --- part: weights ---
uint32_t state;

// A whole number from 0 to n - 1, the same in all four stages.
uint32_t random_below(uint32_t n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<uint32_t>(static_cast<uint64_t>(state >> 8) * n >> 24);
}

// rows x columns, even between -limit and limit, so that a layer keeps its input's scale. Behind them a row
// of zeros: the bias is the weight of an input that is always 1. Row k begins at k * pitch.
float* random_weights(int rows, int columns, int pitch) {
    std::vector<float> w(static_cast<size_t>(rows + 1) * pitch);
    double limit = std::sqrt(6.0 / rows);
    for (int k = 0; k < rows; ++k)
        for (int j = 0; j < columns; ++j)
            w[k * pitch + j] = static_cast<float>((random_below(1 << 24) / 8388608.0 - 1) * limit);
    return to_device(w);
}

struct Network {
    int hidden;
    float *d_w1, *d_w2;               // 785 x hidden, (hidden + 1) x 12
    float *d_h, *d_g_h, *d_g_logits;  // of a batch: hidden units, and the gradients by them and by the logits
    float* d_loss;                    // of each picture, at its place in the epoch's order
    int* d_right;                     // the same: 1 where the network said what is true
};

// --- part: forward ---
__device__ void add_product(float4& sum, float a, float4 b) {
    sum.x += a * b.x;
    sum.y += a * b.y;
    sum.z += a * b.z;
    sum.w += a * b.w;
}

constexpr int parts = 14, part = in / parts;  // of a picture: a warp takes one of 56 pixels

// h = relu(x w + b), in one kernel. A block makes 16 x 16 of h. Each of its warps does so for its part of the
// pixels, a thread four neighbours of row ty and of row ty + 8; then the parts are added up. Row r of x is picture
// d_order[r]: the batch is gathered here, never copied. Null: picture r.
__global__ void forward_kernel(const float* d_x, const int* d_order, const float* d_w, float* d_h, int rows,
                               int columns) {
    __shared__ float4 s_sum[parts][16][4];
    int tx = threadIdx.x % 4, ty = threadIdx.x / 4, warp = threadIdx.y;
    int column =
        min(blockIdx.x * 16 + 4 * tx, columns - 4);  // beyond the end: again the last, and never stored
    const float* x[2];
    float4 sum[2] = {};
    for (int i = 0; i < 2; ++i) {
        int row = min(blockIdx.y * 16 + ty + 8 * i, rows - 1);
        x[i] = d_x + static_cast<size_t>(d_order == nullptr ? row : d_order[row]) * in;
    }
#pragma unroll 7
    for (int k = warp * part; k < (warp + 1) * part; k += 4) {
        const float* w = d_w + k * columns + column;
        float4 a = *reinterpret_cast<const float4*>(x[0] + k), b = *reinterpret_cast<const float4*>(x[1] + k);
        float at[2][4] = {{a.x, a.y, a.z, a.w}, {b.x, b.y, b.z, b.w}};
        for (int i = 0; i < 4; ++i) {
            float4 four = *reinterpret_cast<const float4*>(w + i * columns);
            add_product(sum[0], at[0][i], four);
            add_product(sum[1], at[1][i], four);
        }
    }
    s_sum[warp][ty][tx] = sum[0];
    s_sum[warp][ty + 8][tx] = sum[1];
    __syncthreads();
    int at = warp * 32 + threadIdx.x, row = blockIdx.y * 16 + at / 16, j = blockIdx.x * 16 + at % 16;
    if (at >= 256 || row >= rows || j >= columns) return;
    float h = d_w[in * columns + j];
    for (int p = 0; p < parts; ++p) h += reinterpret_cast<const float*>(s_sum[p])[at];
    d_h[row * columns + j] = fmaxf(h, 0);
}

// --- part: loss ---
constexpr unsigned int all_lanes = 0xffffffff;

// Logits, softmax, cross-entropy and its gradient by the logits. A block is one warp and has one row; all
// between is in registers.
__global__ void loss_kernel(const float* d_h, const float* d_w2, const uint8_t* d_y, const int* d_order,
                            int rows, int hidden, float* d_g_logits, float* d_loss, int* d_right) {
    int lane = threadIdx.x, row = blockIdx.x;
    float logits[out] = {};
    for (int j = lane; j < hidden; j += 32) {
        float h = d_h[row * hidden + j];
        for (int c = 0; c < out; ++c) logits[c] += h * d_w2[j * padded_out + c];
    }
    int best = 0, label = d_y[d_order == nullptr ? row : d_order[row]];
    float most = -INFINITY, sum = 0, loss = 0;
    for (int c = 0; c < out; ++c) {
        for (int step = 16; step > 0; step /= 2) logits[c] += __shfl_xor_sync(all_lanes, logits[c], step);
        logits[c] += d_w2[hidden * padded_out + c];
        if (logits[c] > most) most = logits[c], best = c;
    }
    for (int c = 0; c < out; ++c) sum += expf(logits[c] - most);  // less it: no float holds exp(89)
    for (int c = 0; c < out; ++c) {
        if (c == label) loss = logf(sum) - (logits[c] - most);
        if (c == lane)
            d_g_logits[row * padded_out + c] = (expf(logits[c] - most) / sum - (c == label)) / rows;
    }
    if (lane == 0) d_loss[row] = loss;
    if (lane == 0) d_right[row] = best == label;
}

// --- part: backward ---
// The gradient by h, a thread for each: back through w2, and through the ReLU where it let through before.
__global__ void backward_kernel(const float* d_g_logits, const float* d_w2, const float* d_h, float* d_g_h,
                                int rows, int hidden) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (j >= hidden) return;
    float sum = 0;
    for (int c = 0; c < out; ++c) sum += d_g_logits[row * padded_out + c] * d_w2[j * padded_out + c];
    d_g_h[row * hidden + j] = d_h[row * hidden + j] > 0 ? sum : 0;
}

// --- part: update ---
constexpr int shares = 4;  // of a batch: a warp takes every fourth row

// w -= rate * (x transposed times g): the gradient of a weight lives in a register, and is used up where it
// was made. A block has 16 x 32 weights; each of its warps adds up over its share of the batch, a thread 4 x 4 of
// them. Input number `from` is the 1 of the bias; `from` and `columns` are multiples of 4.
__global__ void update_kernel(const float* d_x, const int* d_order, const float* d_g, float* d_w, int rows,
                              int from, int columns) {
    __shared__ float4 s_sum[shares][16][8];
    int tx = threadIdx.x % 8, ty = threadIdx.x / 8, warp = threadIdx.y;
    int k = blockIdx.y * 16 + 4 * ty, column = min(blockIdx.x * 32 + 4 * tx, columns - 4);
    float4 sum[4] = {};
#pragma unroll 8
    for (int r = warp; r < rows; r += shares) {
        const float* x = d_x + static_cast<size_t>(d_order == nullptr ? r : d_order[r]) * from;
        float4 a = {k == from ? 1.0f : 0.0f, 0, 0, 0};
        if (k < from) a = *reinterpret_cast<const float4*>(x + k);
        float4 g = *reinterpret_cast<const float4*>(d_g + r * columns + column);
        add_product(sum[0], a.x, g);
        add_product(sum[1], a.y, g);
        add_product(sum[2], a.z, g);
        add_product(sum[3], a.w, g);
    }
    for (int i = 0; i < 4; ++i) s_sum[warp][4 * ty + i][tx] = sum[i];
    __syncthreads();
    int at = warp * 32 + threadIdx.x;  // of the 16 x 8 float4s that the block has
    k = blockIdx.y * 16 + at / 8;
    column = blockIdx.x * 32 + 4 * (at % 8);
    if (k > from || column >= columns) return;
    float4* w = reinterpret_cast<float4*>(d_w + k * columns + column);
    float4 value = *w;
    for (int share = 0; share < shares; ++share) add_product(value, -rate, s_sum[share][at / 8][at % 8]);
    *w = value;
}

// --- part: loop ---
int up(int n, int tile) {
    return (n + tile - 1) / tile;
}

// Forward and loss of `rows` pictures: a launch for each layer.
void launch_forward(const Network& net, const Pictures& p, const int* d_order, int rows, float* d_loss,
                    int* d_right, cudaStream_t stream) {
    dim3 grid(up(net.hidden, 16), up(rows, 16)), block(32, parts);
    forward_kernel<<<grid, block, 0, stream>>>(p.d_x, d_order, net.d_w1, net.d_h, rows, net.hidden);
    loss_kernel<<<rows, 32, 0, stream>>>(net.d_h, net.d_w2, p.d_y, d_order, rows, net.hidden, net.d_g_logits,
                                         d_loss, d_right);
    CHECK(cudaGetLastError());
}

// One step. backward_kernel still needs the old w2, so the updates come last.
void launch_step(const Network& net, const Pictures& p, const int* d_order, int first, int rows,
                 cudaStream_t stream) {
    launch_forward(net, p, d_order + first, rows, net.d_loss + first, net.d_right + first, stream);
    backward_kernel<<<dim3(up(net.hidden, 128), rows), 128, 0, stream>>>(net.d_g_logits, net.d_w2, net.d_h,
                                                                         net.d_g_h, rows, net.hidden);
    dim3 block(32, shares), grid1(up(net.hidden, 32), up(in + 1, 16)), grid2(1, up(net.hidden + 1, 16));
    update_kernel<<<grid2, block, 0, stream>>>(net.d_h, nullptr, net.d_g_logits, net.d_w2, rows, net.hidden,
                                               padded_out);
    update_kernel<<<grid1, block, 0, stream>>>(p.d_x, d_order + first, net.d_g_h, net.d_w1, rows, in,
                                               net.hidden);
    CHECK(cudaGetLastError());
}

// All steps of an epoch, recorded once. The kernels know where in d_order their batch begins; what is there
// changes.
cudaGraphExec_t record_epoch(const Network& net, const Pictures& p, const int* d_order, int batch,
                             cudaStream_t stream) {
    cudaGraph_t graph;
    cudaGraphExec_t epoch;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int first = 0; first < p.count; first += batch) {
        int rows = p.count - first < batch ? p.count - first : batch;  // the last batch may be smaller
        launch_step(net, p, d_order, first, rows, stream);
    }
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&epoch, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return epoch;
}

double accuracy(const Network& net, const Pictures& test, cudaStream_t stream) {
    launch_forward(net, test, nullptr, test.count, net.d_loss, net.d_right, stream);
    std::vector<int> right(test.count);
    CHECK(cudaMemcpyAsync(right.data(), net.d_right, right.size() * sizeof(int), cudaMemcpyDeviceToHost,
                          stream));
    CHECK(cudaStreamSynchronize(stream));
    double sum = 0;
    for (int r : right) sum += r;
    return 100 * sum / test.count;
}

// The mean of each step, from the loss of each picture.
std::vector<double> step_losses(const std::vector<float>& loss, int batch) {
    std::vector<double> means;
    for (size_t first = 0; first < loss.size(); first += batch) {
        size_t end = first + batch < loss.size() ? first + batch : loss.size();
        double sum = 0;
        for (size_t i = first; i < end; ++i) sum += loss[i];
        means.push_back(sum / (end - first));
    }
    return means;
}

double now_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

int main(int argc, char** argv) {
    if (argc < 2)
        return std::fprintf(stderr, "usage: %s DIR [BATCH [EPOCHS [HIDDEN [SEED [losses]]]]]\n", argv[0]), 2;
    const int batch = argc > 2 ? std::atoi(argv[2]) : 64, epochs = argc > 3 ? std::atoi(argv[3]) : 1;
    const int hidden = argc > 4 ? std::atoi(argv[4]) : 256;
    state = argc > 5 ? std::atoi(argv[5]) : 1;
    const bool print_losses = argc > 6 && std::strcmp(argv[6], "losses") == 0;
    if (batch < 1 || hidden < 4 || hidden % 4 != 0)
        return std::fprintf(stderr, "HIDDEN must be a multiple of 4.\n"), 2;

    const std::string folder = argv[1];
    Pictures train = read_pictures(folder + "/train-images-idx3-ubyte", folder + "/train-labels-idx1-ubyte");
    Pictures test = read_pictures(folder + "/t10k-images-idx3-ubyte", folder + "/t10k-labels-idx1-ubyte");
    const int most = train.count > test.count ? train.count : test.count,
              room = batch > test.count ? batch : test.count;
    Network net{hidden, random_weights(in, hidden, hidden), random_weights(hidden, out, padded_out)};
    net.d_h = device_array<float>(static_cast<size_t>(room) * hidden);
    net.d_g_h = device_array<float>(static_cast<size_t>(batch) * hidden);
    net.d_g_logits = device_array<float>(static_cast<size_t>(room) * padded_out);
    CHECK(cudaMemset(net.d_g_logits, 0,
                     static_cast<size_t>(room) * padded_out * sizeof(float)));  // the padding stays 0
    net.d_loss = device_array<float>(most);
    net.d_right = device_array<int>(most);

    std::vector<int> order(train.count);
    for (int i = 0; i < train.count; ++i) order[i] = i;
    std::vector<float> loss(train.count);
    int* d_order = to_device(order);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaGraphExec_t graph = record_epoch(net, train, d_order, batch, stream);

    for (int epoch = 0; epoch < epochs; ++epoch) {
        const double start = now_ms();
        for (int i = train.count - 1; i > 0; --i) std::swap(order[i], order[random_below(i + 1)]);  // shuffle
        CHECK(cudaMemcpyAsync(d_order, order.data(), order.size() * sizeof(int), cudaMemcpyHostToDevice,
                              stream));
        CHECK(cudaGraphLaunch(graph, stream));
        CHECK(cudaMemcpyAsync(loss.data(), net.d_loss, loss.size() * sizeof(float), cudaMemcpyDeviceToHost,
                              stream));
        CHECK(cudaStreamSynchronize(stream));  // the host waits once an epoch
        const double ms = now_ms() - start;

        const std::vector<double> means = step_losses(loss, batch);
        double sum = 0;
        for (double mean : means) sum += mean;
        for (size_t step = 0; print_losses && step < means.size(); ++step) {
            std::printf("step %zu loss %.7f\n", step, means[step]);
        }
        std::printf("epoch %d: mean loss %.4f, %.1f ms, %.2f %% of the test pictures right\n", epoch + 1,
                    sum / means.size(), ms, accuracy(net, test, stream));
        std::fflush(stdout);
    }
    CHECK(cudaGraphExecDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    for (float* d : {train.d_x, test.d_x, net.d_w1, net.d_w2, net.d_h, net.d_g_h, net.d_g_logits, net.d_loss})
        CHECK(cudaFree(d));
    for (uint8_t* d : {train.d_y, test.d_y}) CHECK(cudaFree(d));
    for (int* d : {net.d_right, d_order}) CHECK(cudaFree(d));
    return 0;
}
