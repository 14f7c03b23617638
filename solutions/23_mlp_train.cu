// Lesson 23: a network learns.
//
// Everything that lessons 21 and 22 made is here: forward and backward, as kernels and as two functions that queue
// them. Yours is the loop around: update, shuffle, gather, count, one step, and the graph that repeats it. The places
// marked TODO are yours, from (1) to (7), as in the text. Save after each; the verdict goes the same way.
#include <cuda_runtime.h>

#include <cstdint>

#include "lessons/23_mlp_train/interface.h"

// Leaves the function with the error of a call that failed.
#define TRY(call)                                 \
    do {                                          \
        int status = (call);                      \
        if (status != cudaSuccess) return status; \
    } while (0)

constexpr int threads = 128;
constexpr unsigned int all_lanes = 0xffffffff;

// ---- what you have: forward and backward -------------------------------------------------------------------------

// y = x w + b, and behind it the ReLU where it is asked for. A thread for each element of y.
template <bool relu>
__global__ void linear_kernel(const float* d_x, const float* d_w, const float* d_b, float* d_y, int rows,
                              int in, int out) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= out) return;
    float sum = d_b[col];
    for (int k = 0; k < in; ++k) sum += d_x[row * in + k] * d_w[k * out + col];
    d_y[row * out + col] = relu ? fmaxf(sum, 0.0f) : sum;
}

// In place: logits become the gradient of the mean loss, (probability - 1 for the label) / rows. A warp for each row.
__global__ void softmax_kernel(float* d_logits, const int* d_labels, int rows, int classes,
                               float* d_row_losses) {
    int lane = threadIdx.x % warpSize;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    if (row >= rows) return;  // the whole warp
    float* logits = d_logits + row * classes;
    float most = -INFINITY, sum = 0;
    for (int c = lane; c < classes; c += warpSize) most = fmaxf(most, logits[c]);
    for (int step = warpSize / 2; step > 0; step /= 2)
        most = fmaxf(most, __shfl_xor_sync(all_lanes, most, step));
    for (int c = lane; c < classes; c += warpSize) sum += expf(logits[c] - most);
    for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_xor_sync(all_lanes, sum, step);

    for (int c = lane; c < classes; c += warpSize) {
        bool is_label = c == d_labels[row];
        if (is_label) d_row_losses[row] = logf(sum) - (logits[c] - most);
        logits[c] = (expf(logits[c] - most) / sum - (is_label ? 1 : 0)) / rows;
    }
}

// dw = x^T dy, a thread for each element. Row `in` is the bias: its input is always 1.
__global__ void weight_gradient_kernel(const float* d_x, const float* d_dy, float* d_dw, float* d_db,
                                       int rows, int in, int out) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int k = blockIdx.y * blockDim.y + threadIdx.y;
    if (k > in || col >= out) return;
    float sum = 0;
    for (int row = 0; row < rows; ++row) sum += (k < in ? d_x[row * in + k] : 1.0f) * d_dy[row * out + col];
    (k < in ? d_dw[k * out + col] : d_db[col]) = sum;
}

// dx = dy w^T where the ReLU let something through.
__global__ void hidden_gradient_kernel(const float* d_dy, const float* d_w, const float* d_y, float* d_dx,
                                       int rows, int in, int out) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || k >= in) return;
    float sum = 0;
    for (int c = 0; c < out; ++c) sum += d_dy[row * out + c] * d_w[k * out + c];
    d_dx[row * in + k] = d_y[row * in + k] > 0 ? sum : 0.0f;
}

// The device memory of a training besides samples and network: what open_room takes, close_room gives back.
struct Room {
    int* d_order;  // epochs x count
    Progress* d_progress;
    float* d_losses;      // one for each step
    float* d_x;           // batch x in
    int* d_labels;        // batch
    float* d_row_losses;  // batch
    float* d_hidden;      // batch x hidden
    float* d_logits;      // batch x out; after the backward pass their gradient
    float* d_dhidden;     // batch x hidden
    float *d_dw1, *d_db1, *d_dw2, *d_db2;
};

static int open_room(Room* room, const Network& net, const Samples& samples, const Plan& plan) {
    const size_t number = sizeof(float), batch = plan.batch;
    const size_t steps = size_t(plan.epochs) * steps_of(samples.count, plan.batch);
    TRY(cudaMalloc(&room->d_order, size_t(plan.epochs) * samples.count * sizeof(int)));
    TRY(cudaMalloc(&room->d_progress, sizeof(Progress)));
    TRY(cudaMalloc(&room->d_losses, steps * number));
    TRY(cudaMalloc(&room->d_x, batch * net.in * number));
    TRY(cudaMalloc(&room->d_labels, batch * sizeof(int)));
    TRY(cudaMalloc(&room->d_row_losses, batch * number));
    TRY(cudaMalloc(&room->d_hidden, batch * net.hidden * number));
    TRY(cudaMalloc(&room->d_logits, batch * net.out * number));
    TRY(cudaMalloc(&room->d_dhidden, batch * net.hidden * number));
    TRY(cudaMalloc(&room->d_dw1, size_t(net.in) * net.hidden * number));
    TRY(cudaMalloc(&room->d_db1, net.hidden * number));
    TRY(cudaMalloc(&room->d_dw2, size_t(net.hidden) * net.out * number));
    return cudaMalloc(&room->d_db2, net.out * number);
}

static int close_room(const Room& room) {
    void* const all[] = {room.d_order,      room.d_progress, room.d_losses, room.d_x,       room.d_labels,
                         room.d_row_losses, room.d_hidden,   room.d_logits, room.d_dhidden, room.d_dw1,
                         room.d_db1,        room.d_dw2,      room.d_db2};
    for (void* memory : all) TRY(cudaFree(memory));
    return cudaSuccess;
}

static const dim3 tile(32, 4);

// A grid that covers columns by rows with such blocks.
static dim3 cover(int columns, int rows) {
    return dim3((columns + tile.x - 1) / tile.x, (rows + tile.y - 1) / tile.y);
}

// Queues the forward pass of the rows in room.d_x: hidden, logits, row_losses, and in the place of the logits their
// gradient.
static void queue_forward(const Network& net, const Room& room, int rows, cudaStream_t stream) {
    linear_kernel<true><<<cover(net.hidden, rows), tile, 0, stream>>>(
        room.d_x, net.d_w1, net.d_b1, room.d_hidden, rows, net.in, net.hidden);
    linear_kernel<false><<<cover(net.out, rows), tile, 0, stream>>>(room.d_hidden, net.d_w2, net.d_b2,
                                                                    room.d_logits, rows, net.hidden, net.out);
    int rows_a_block = threads / 32;
    softmax_kernel<<<(rows + rows_a_block - 1) / rows_a_block, threads, 0, stream>>>(
        room.d_logits, room.d_labels, rows, net.out, room.d_row_losses);
}

// Queues the backward pass: all four gradients, from what the forward pass left.
static void queue_backward(const Network& net, const Room& room, int rows, cudaStream_t stream) {
    weight_gradient_kernel<<<cover(net.out, net.hidden + 1), tile, 0, stream>>>(
        room.d_hidden, room.d_logits, room.d_dw2, room.d_db2, rows, net.hidden, net.out);
    hidden_gradient_kernel<<<cover(net.hidden, rows), tile, 0, stream>>>(
        room.d_logits, net.d_w2, room.d_hidden, room.d_dhidden, rows, net.hidden, net.out);
    weight_gradient_kernel<<<cover(net.hidden, net.in + 1), tile, 0, stream>>>(
        room.d_x, room.d_dhidden, room.d_dw1, room.d_db1, rows, net.in, net.hidden);
}

// The next random number; `state` is any number to begin with.
static unsigned next_random(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return unsigned(*state >> 33);
}

// ---- what is yours: the loop -------------------------------------------------------------------------------------

// [update]
__global__ void update_kernel(float* d_w, const float* d_dw, int n, float rate) {
    // >>> TODO: (1) downhill. A grid-stride loop: n may be more than there are threads.
    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) d_w[i] -= rate * d_dw[i];
    // <<<
}
// [/update]

// [shuffle]
extern "C" void shuffle(int* order, int count, unsigned seed) {
    uint64_t state = seed;
    for (int i = 0; i < count; ++i) order[i] = i;
    // >>> TODO: (2) from the last place down: swap it with a random one of those that are not settled, itself included.
    for (int i = count - 1; i > 0; --i) {
        int other = next_random(&state) % (i + 1);
        int kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    // ===
    //| (void)state;
    // <<<
}
// [/shuffle]

// [gather]
// A block for each row.
__global__ void gather_kernel(const unsigned char* d_pixels, const int* d_all_labels, int in,
                              const int* d_order, const Progress* d_progress, float* d_x, int* d_labels) {
    int row = blockIdx.x;
    // >>> TODO: (3) which sample is it? Its pixels by 255 go to row `row` of d_x, its label to d_labels[row].
    int sample = d_order[d_progress->next + row];
    const unsigned char* pixels = d_pixels + size_t(sample) * in;
    for (int k = threadIdx.x; k < in; k += blockDim.x) d_x[row * in + k] = pixels[k] / 255.0f;
    if (threadIdx.x == 0) d_labels[row] = d_all_labels[sample];
    // <<<
}
// [/gather]

// [finish]
// One warp.
__global__ void finish_kernel(const float* d_row_losses, int rows, float* d_losses, Progress* d_progress) {
    // >>> TODO: (4) the mean of the row losses to d_losses[step]; then count on, next by rows and step by one.
    float sum = 0;
    for (int row = threadIdx.x; row < rows; row += warpSize) sum += d_row_losses[row];
    for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_down_sync(all_lanes, sum, step);
    if (threadIdx.x == 0) {
        d_losses[d_progress->step] = sum / rows;
        d_progress->next += rows;
        d_progress->step += 1;
    }
    // <<<
}
// [/finish]

static void queue_gather(const Samples& samples, int in, const int* d_order, const Progress* d_progress,
                         int rows, float* d_x, int* d_labels, cudaStream_t stream) {
    gather_kernel<<<rows, threads, 0, stream>>>(samples.d_pixels, samples.d_labels, in, d_order, d_progress,
                                                d_x, d_labels);
}

static void queue_update(float* d_w, const float* d_dw, int n, float rate, cudaStream_t stream) {
    int needed = (n + threads - 1) / threads;
    int blocks = needed > 64 ? 64 : needed;
    update_kernel<<<blocks, threads, 0, stream>>>(d_w, d_dw, n, rate);
}

// [step]
// Queues all kernels of one step with so many rows. Waits for nothing.
static void queue_step(const Network& net, const Samples& samples, const Room& room, int rows, float rate,
                       cudaStream_t stream) {
    // >>> TODO: (5) the batch, forward, backward, four updates, the count. In which order?
    queue_gather(samples, net.in, room.d_order, room.d_progress, rows, room.d_x, room.d_labels, stream);
    queue_forward(net, room, rows, stream);
    queue_backward(net, room, rows, stream);
    queue_update(net.d_w1, room.d_dw1, net.in * net.hidden, rate, stream);
    queue_update(net.d_b1, room.d_db1, net.hidden, rate, stream);
    queue_update(net.d_w2, room.d_dw2, net.hidden * net.out, rate, stream);
    queue_update(net.d_b2, room.d_db2, net.out, rate, stream);
    finish_kernel<<<1, 32, 0, stream>>>(room.d_row_losses, rows, room.d_losses, room.d_progress);
    // <<<
}
// [/step]

// [capture]
// The step as a graph that can be launched again and again.
static int capture_step(const Network& net, const Samples& samples, const Room& room, int rows, float rate,
                        cudaStream_t stream, cudaGraphExec_t* step) {
    // >>> TODO: (6) capture what queue_step queues, instantiate the graph, destroy what is no longer needed.
    cudaGraph_t graph;
    TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    queue_step(net, samples, room, rows, rate, stream);
    TRY(cudaStreamEndCapture(stream, &graph));
    TRY(cudaGraphInstantiate(step, graph, 0));
    return cudaGraphDestroy(graph);
    // ===
    //| *step = nullptr;
    //| return cudaErrorNotSupported;
    // <<<
}
// [/capture]

// [train]
extern "C" int train(const Network* network, const Samples* samples, const Plan* plan, int* h_order,
                     float* h_losses) {
    const int count = samples->count, steps = steps_of(count, plan->batch);
    const int whole = count / plan->batch;  // steps of an epoch that have a whole batch
    const int rest = count % plan->batch;   // rows of the one behind them; 0: there is none
    Room room;
    cudaStream_t stream;
    TRY(open_room(&room, *network, *samples, *plan));
    TRY(cudaStreamCreate(&stream));

    // The order of every epoch, to the device once.
    for (int epoch = 0; epoch < plan->epochs; ++epoch)
        shuffle(h_order + epoch * count, count, plan->seed + epoch);
    TRY(cudaMemcpyAsync(room.d_order, h_order, size_t(plan->epochs) * count * sizeof(int),
                        cudaMemcpyHostToDevice, stream));
    TRY(cudaMemsetAsync(room.d_progress, 0, sizeof(Progress), stream));

    // >>> TODO: (7) capture the step (and the smaller one, if there is a rest), launch it steps times an epoch, then read the losses, once.
    cudaGraphExec_t step = nullptr, last_step = nullptr;
    if (whole > 0) TRY(capture_step(*network, *samples, room, plan->batch, plan->rate, stream, &step));
    if (rest > 0) TRY(capture_step(*network, *samples, room, rest, plan->rate, stream, &last_step));

    for (int epoch = 0; epoch < plan->epochs; ++epoch) {
        for (int s = 0; s < whole; ++s) TRY(cudaGraphLaunch(step, stream));
        if (rest > 0) TRY(cudaGraphLaunch(last_step, stream));
    }
    TRY(cudaMemcpyAsync(h_losses, room.d_losses, size_t(plan->epochs) * steps * sizeof(float),
                        cudaMemcpyDeviceToHost, stream));
    TRY(cudaStreamSynchronize(stream));

    if (whole > 0) TRY(cudaGraphExecDestroy(step));
    if (rest > 0) TRY(cudaGraphExecDestroy(last_step));
    // ===
    //| (void)steps, (void)whole, (void)rest, (void)h_losses;
    // <<<

    TRY(cudaStreamDestroy(stream));
    return close_room(room);
}
// [/train]

// ---- for the verdict: each part by itself -------------------------------------------------------------------------

extern "C" int update(float* d_w, const float* d_dw, int n, float rate) {
    queue_update(d_w, d_dw, n, rate, 0);
    return cudaGetLastError();
}

extern "C" int gather(const Samples* samples, int in, const int* d_order, const Progress* d_progress,
                      int rows, float* d_x, int* d_batch_labels) {
    queue_gather(*samples, in, d_order, d_progress, rows, d_x, d_batch_labels, 0);
    return cudaGetLastError();
}

extern "C" int finish(const float* d_row_losses, int rows, float* d_losses, Progress* d_progress) {
    finish_kernel<<<1, 32>>>(d_row_losses, rows, d_losses, d_progress);
    return cudaGetLastError();
}

extern "C" int one_step(const Network* network, const Samples* samples, const Plan* plan, const int* h_order,
                        float* h_loss) {
    Room room;
    cudaStream_t stream;
    TRY(open_room(&room, *network, *samples, *plan));
    TRY(cudaMemcpy(room.d_order, h_order, samples->count * sizeof(int), cudaMemcpyHostToDevice));
    TRY(cudaMemset(room.d_progress, 0, sizeof(Progress)));
    TRY(cudaMemset(room.d_losses, 0, sizeof(float)));
    TRY(cudaStreamCreate(&stream));
    queue_step(*network, *samples, room, plan->batch, plan->rate, stream);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(h_loss, room.d_losses, sizeof(float), cudaMemcpyDeviceToHost, stream));
    TRY(cudaStreamSynchronize(stream));
    TRY(cudaStreamDestroy(stream));
    return close_room(room);
}
