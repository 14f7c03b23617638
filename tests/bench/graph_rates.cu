// What graphs cost: making them, the call, the gaps between their nodes, and branches beside each other. Times in microseconds by
// events and by the host's clock, medians; on a GPU measured, on the CPU machine the device's of its model.
//   nvcc -std=c++20 -O3 -arch=sm_90 graph_rates.cu -o graphs && ./graphs
//   cudalab run graph_rates.cu
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

__global__ void spin(float* x, int rounds) {
    float v = x[threadIdx.x];
    for (int i = 0; i < rounds; ++i) v = v * 0.999f + 1;
    x[threadIdx.x] = v;
}

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

struct Times {
    double host, device;
};

template <class Work>
Times time(cudaStream_t stream, Work work) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    std::vector<double> host, device;
    for (int i = 0; i < 7; ++i) {
        cudaStreamSynchronize(stream);
        cudaEventRecord(begin, stream);
        const auto start = std::chrono::steady_clock::now();
        work();
        host.push_back(
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
        cudaEventRecord(end, stream);
        cudaEventSynchronize(end);
        float ms = 0;
        cudaEventElapsedTime(&ms, begin, end);
        device.push_back(ms * 1e3);
    }
    return {median(host), median(device)};
}

cudaGraph_t captured_chain(int length, float* x, int rounds) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < length; ++i) spin<<<1, 32, 0, stream>>>(x, rounds);
    cudaGraph_t graph;
    cudaStreamEndCapture(stream, &graph);
    cudaStreamDestroy(stream);
    return graph;
}

cudaGraphExec_t chain(int length, float* x, int rounds) {
    const cudaGraph_t graph = captured_chain(length, x, rounds);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphDestroy(graph);
    return exec;
}

struct Making {
    double instantiate, destroy;  // of the host
};

Making time_making(int length, float* x) {
    const cudaGraph_t graph = captured_chain(length, x, 10);
    std::vector<double> instantiate, destroy;
    for (int i = 0; i < 7; ++i) {
        using Clock = std::chrono::steady_clock;
        const auto us = [](Clock::duration d) {
            return std::chrono::duration<double, std::micro>(d).count();
        };
        cudaGraphExec_t exec;
        const auto begin = Clock::now();
        cudaGraphInstantiate(&exec, graph, 0);
        const auto made = Clock::now();
        cudaGraphExecDestroy(exec);
        instantiate.push_back(us(made - begin));
        destroy.push_back(us(Clock::now() - made));
    }
    cudaGraphDestroy(graph);
    return {median(instantiate), median(destroy)};
}

cudaGraphExec_t fan(int branches, int length, float* x, int rounds) {
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t root, join;
    cudaGraphAddEmptyNode(&root, graph, nullptr, 0);
    std::vector<cudaGraphNode_t> leaves;
    for (int b = 0; b < branches; ++b) {
        float* mine = x + 32 * b;
        void* arguments[] = {&mine, &rounds};
        cudaGraphNode_t last = root;
        for (int i = 0; i < length; ++i) {
            cudaKernelNodeParams p = {};
            p.func = reinterpret_cast<void*>(spin);
            p.gridDim = dim3(1);
            p.blockDim = dim3(32);
            p.kernelParams = arguments;
            cudaGraphNode_t node;
            cudaGraphAddKernelNode(&node, graph, &last, 1, &p);
            last = node;
        }
        leaves.push_back(last);
    }
    cudaGraphAddEmptyNode(&join, graph, leaves.data(), leaves.size());
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphDestroy(graph);
    return exec;
}

}  // namespace

int main() {
    float* x = nullptr;
    cudaMalloc(&x, 32 * 64 * sizeof(float));
    cudaMemset(x, 0, 32 * 64 * sizeof(float));
    cudaDeviceSynchronize();
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    std::printf("%-34s %10s %10s\n", "", "host us", "device us");
    for (const int rounds : {10, 2000})
        for (const int length : {1, 10, 100}) {
            const Times s = time(stream, [&] {
                for (int i = 0; i < length; ++i) spin<<<1, 32, 0, stream>>>(x, rounds);
            });
            std::printf("stream, %3d kernels of %4d rounds  %10.2f %10.2f\n", length, rounds, s.host,
                        s.device);
            const cudaGraphExec_t exec = chain(length, x, rounds);
            const Times g = time(stream, [&] { cudaGraphLaunch(exec, stream); });
            std::printf("graph,  %3d kernels of %4d rounds  %10.2f %10.2f\n", length, rounds, g.host,
                        g.device);
            cudaGraphExecDestroy(exec);
        }
    for (const int branches : {1, 2, 4, 16, 64}) {
        const cudaGraphExec_t exec = fan(branches, 3, x, 2000);
        const Times g = time(stream, [&] { cudaGraphLaunch(exec, stream); });
        std::printf("graph,  %3d branches of 3 kernels   %10.2f %10.2f\n", branches, g.host, g.device);
        cudaGraphExecDestroy(exec);
    }
    for (const int length : {1, 10, 12, 100}) {
        const Making made = time_making(length, x);
        std::printf("instantiate, %3d kernels           %10.2f\n", length, made.instantiate);
        std::printf("destroy,     %3d kernels           %10.2f\n", length, made.destroy);
    }
    cudaGraphExec_t exec = chain(20, x, 10);
    const Times back = time(stream, [&] {
        for (int i = 0; i < 10; ++i) cudaGraphLaunch(exec, stream);
    });
    std::printf("%-34s %10.2f %10.2f\n", "10 launches of a graph of 20", back.host, back.device);
    cudaGraphExecDestroy(exec);
    cudaFree(x);
}
