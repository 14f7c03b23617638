// Lesson 23 on a GPU: a step of its training launched kernel by kernel, with and without a read of the loss behind it, as a graph,
// and with the updates fused into the gradients; and each kernel of it in a row of its own. Microseconds a step by the
// host's clock over 200 steps, medians of seven.
//   nvcc -std=c++20 -O3 -arch=sm_90 -I. tests/bench/mlp_steps.cu -o mlp_steps && ./mlp_steps
#include "solutions/23_mlp_train.cu"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

constexpr int in = 784, classes = 10, steps = 200;
constexpr float rate = 0.01f;

void check(int error) {
    if (error == cudaSuccess) return;
    std::printf("%s\n", cudaGetErrorString(cudaError_t(error)));
    std::exit(1);
}

template <class T>
T* to_device(const std::vector<T>& h) {
    T* d;
    check(cudaMalloc(&d, h.size() * sizeof(T)));
    check(cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
    return d;
}

std::vector<float> small_numbers(size_t count) {
    std::vector<float> h(count);
    for (size_t i = 0; i < count; ++i) h[i] = 0.001f * float(i % 11) - 0.005f;
    return h;
}

// dw = x^T dy, and w = w - rate * dw at once. Row `inputs` is the bias.
__global__ void fused_update_kernel(const float* d_x, const float* d_dy, float* d_w, float* d_b, int rows,
                                    int inputs, int out) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int k = blockIdx.y * blockDim.y + threadIdx.y;
    if (k > inputs || col >= out) return;
    float sum = 0;
    for (int row = 0; row < rows; ++row)
        sum += (k < inputs ? d_x[row * inputs + k] : 1.0f) * d_dy[row * out + col];
    (k < inputs ? d_w[k * out + col] : d_b[col]) -= rate * sum;
}

struct Training {
    Network net;
    Samples samples;
    Plan plan;
    Room room;
    cudaStream_t stream;
};

// The place in the order and the number of the step back to 0: there are losses and samples for `steps` of them.
void restart(const Training& t) {
    check(cudaMemsetAsync(t.room.d_progress, 0, sizeof(Progress), t.stream));
}

void queue_fused_step(const Training& t) {
    const auto& [net, samples, plan, room, stream] = t;
    const int rows = plan.batch;
    queue_gather(samples, net.in, room.d_order, room.d_progress, rows, room.d_x, room.d_labels, stream);
    queue_forward(net, room, rows, stream);
    hidden_gradient_kernel<<<cover(net.hidden, rows), tile, 0, stream>>>(
        room.d_logits, net.d_w2, room.d_hidden, room.d_dhidden, rows, net.hidden, net.out);
    fused_update_kernel<<<cover(net.out, net.hidden + 1), tile, 0, stream>>>(
        room.d_hidden, room.d_logits, net.d_w2, net.d_b2, rows, net.hidden, net.out);
    fused_update_kernel<<<cover(net.hidden, net.in + 1), tile, 0, stream>>>(
        room.d_x, room.d_dhidden, net.d_w1, net.d_b1, rows, net.in, net.hidden);
    finish_kernel<<<1, 32, 0, stream>>>(room.d_row_losses, rows, room.d_losses, room.d_progress);
}

void print_time(const char* name, const Training& t, const std::function<void()>& step) {
    std::vector<double> times(8);
    for (double& us : times) {  // the first is the warm-up
        restart(t);
        check(cudaStreamSynchronize(t.stream));
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < steps; ++i) step();
        check(cudaStreamSynchronize(t.stream));
        us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() /
             steps;
    }
    check(cudaGetLastError());
    std::nth_element(times.begin() + 1, times.begin() + 4, times.end());
    std::printf("  %-50s %7.1f us\n", name, times[4]);
}

cudaGraphExec_t captured(const Training& t, const std::function<void()>& queue) {
    cudaGraph_t graph;
    cudaGraphExec_t made;
    check(cudaStreamBeginCapture(t.stream, cudaStreamCaptureModeGlobal));
    queue();
    check(cudaStreamEndCapture(t.stream, &graph));
    check(cudaGraphInstantiate(&made, graph, 0));
    check(cudaGraphDestroy(graph));
    return made;
}

void print_graph_costs(const Training& t, const std::function<void()>& queue) {
    std::vector<double> times(9);
    for (double& us : times) {
        const auto begin = std::chrono::steady_clock::now();
        cudaGraphExec_t made = captured(t, queue);
        us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
        check(cudaGraphExecDestroy(made));
    }
    std::nth_element(times.begin(), times.begin() + 4, times.end());
    std::printf("  %-50s %7.1f us\n", "the host captures and instantiates the graph", times[4]);
}

void measure(int hidden, int batch) {
    const int count = batch * steps;
    Training t{};
    t.net = {in,
             hidden,
             classes,
             to_device(small_numbers(in * hidden)),
             to_device(small_numbers(hidden)),
             to_device(small_numbers(hidden * classes)),
             to_device(small_numbers(classes))};
    std::vector<unsigned char> ink(size_t(count) * in);
    for (size_t i = 0; i < ink.size(); ++i) ink[i] = (unsigned char)(i * 37 % 251);
    std::vector<int> digits(count), order(count);
    for (int i = 0; i < count; ++i) digits[i] = i % classes;
    shuffle(order.data(), count, 1);
    t.samples = {count, to_device(ink), to_device(digits)};
    t.plan = {batch, 1, rate, 1};
    check(open_room(&t.room, t.net, t.samples, t.plan));
    check(cudaStreamCreate(&t.stream));
    check(cudaMemcpy(t.room.d_order, order.data(), count * sizeof(int), cudaMemcpyHostToDevice));

    std::printf("784-%d-10, batches of %d, a step:\n", hidden, batch);
    float h_loss;
    const auto queue = [&] { queue_step(t.net, t.samples, t.room, batch, rate, t.stream); };
    print_time("kernel by kernel, and the loss read behind it", t, [&] {
        queue();
        check(cudaMemcpyAsync(&h_loss, t.room.d_losses, sizeof(float), cudaMemcpyDeviceToHost, t.stream));
        check(cudaStreamSynchronize(t.stream));
    });
    print_time("kernel by kernel", t, queue);
    const auto launch = [&](cudaGraphExec_t made) {
        return [&t, made] { check(cudaGraphLaunch(made, t.stream)); };
    };
    const cudaGraphExec_t step = captured(t, queue), fused = captured(t, [&] { queue_fused_step(t); });
    print_time("a graph", t, launch(step));
    print_time("a graph, the updates fused", t, launch(fused));
    print_graph_costs(t, queue);

    std::printf("784-%d-10, batches of %d, a kernel 200 times in a row:\n", hidden, batch);
    const Network& n = t.net;
    const Room& r = t.room;
    cudaStream_t s = t.stream;
    print_time("gather", t,
               [&] { queue_gather(t.samples, in, r.d_order, r.d_progress, batch, r.d_x, r.d_labels, s); });
    print_time("first layer", t, [&] {
        linear_kernel<true>
            <<<cover(hidden, batch), tile, 0, s>>>(r.d_x, n.d_w1, n.d_b1, r.d_hidden, batch, in, hidden);
    });
    print_time("second layer", t, [&] {
        linear_kernel<false><<<cover(classes, batch), tile, 0, s>>>(r.d_hidden, n.d_w2, n.d_b2, r.d_logits,
                                                                    batch, hidden, classes);
    });
    print_time("softmax", t, [&] {
        softmax_kernel<<<(batch + 3) / 4, threads, 0, s>>>(r.d_logits, r.d_labels, batch, classes,
                                                           r.d_row_losses);
    });
    print_time("second layer's gradient", t, [&] {
        weight_gradient_kernel<<<cover(classes, hidden + 1), tile, 0, s>>>(r.d_hidden, r.d_logits, r.d_dw2,
                                                                           r.d_db2, batch, hidden, classes);
    });
    print_time("hidden gradient", t, [&] {
        hidden_gradient_kernel<<<cover(hidden, batch), tile, 0, s>>>(r.d_logits, n.d_w2, r.d_hidden,
                                                                     r.d_dhidden, batch, hidden, classes);
    });
    print_time("first layer's gradient", t, [&] {
        weight_gradient_kernel<<<cover(hidden, in + 1), tile, 0, s>>>(r.d_x, r.d_dhidden, r.d_dw1, r.d_db1,
                                                                      batch, in, hidden);
    });
    print_time("update of w1", t, [&] { queue_update(n.d_w1, r.d_dw1, in * hidden, rate, s); });
    print_time("update of b2", t, [&] { queue_update(n.d_b2, r.d_db2, classes, rate, s); });
    print_time("finish", t,
               [&] { finish_kernel<<<1, 32, 0, s>>>(r.d_row_losses, batch, r.d_losses, r.d_progress); });

    check(cudaGraphExecDestroy(step));
    check(cudaGraphExecDestroy(fused));
    check(cudaStreamDestroy(t.stream));
    check(close_room(t.room));
    for (void* memory : {(void*)n.d_w1, (void*)n.d_b1, (void*)n.d_w2, (void*)n.d_b2,
                         (void*)t.samples.d_pixels, (void*)t.samples.d_labels})
        check(cudaFree(memory));
}

}  // namespace

int main() {
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    std::printf("%s\n", device.name);
    measure(32, 32);
    measure(256, 128);
    return 0;
}
