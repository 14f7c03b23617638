// Stream capture: which calls become nodes, which are refused, and with what code. capture.txt is what an H200 printed.
#include <cuda_runtime.h>

#include <cstdio>
#include <thread>
#include <vector>

namespace {

void show(const char* what, cudaError_t got) {
    std::printf("%s: %s", what, cudaGetErrorName(got));
    if (const cudaError_t last = cudaGetLastError(); last != got)
        std::printf(", last %s", cudaGetErrorName(last));
    std::printf("\n");
}
#define SHOW(call) show(#call, call)

__global__ void add(int* x, int n, int by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += by;
}

void count_up(void* p) {
    ++*static_cast<int*>(p);
}
void nothing(cudaStream_t, cudaError_t, void*) {}

constexpr int n = 64;
int *d_x = nullptr, *d_y = nullptr;

const char* status_of(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaError_t error = cudaStreamIsCapturing(stream, &status);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return cudaGetErrorName(error);
    }
    return status == cudaStreamCaptureStatusNone     ? "none"
           : status == cudaStreamCaptureStatusActive ? "active"
                                                     : "invalidated";
}

cudaStream_t nonblocking() {
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    return stream;
}

size_t count_nodes(cudaGraph_t graph) {
    size_t count = 0;
    if (graph != nullptr) cudaGraphGetNodes(graph, nullptr, &count);
    return count;
}

// How a capture ends: what the stream says before, EndCapture's code, and whether there is a graph.
void end(cudaStream_t stream) {
    std::printf("  status %s, ", status_of(stream));
    cudaGraph_t graph = nullptr;
    const cudaError_t error = cudaStreamEndCapture(stream, &graph);
    std::printf("end %s, graph %d, %d nodes, then %s\n", cudaGetErrorName(error), graph != nullptr,
                static_cast<int>(count_nodes(graph)), status_of(stream));
    cudaGetLastError();
    if (graph != nullptr) cudaGraphDestroy(graph);
}

void print(const char* what, const std::vector<int>& v) {
    std::printf("%s: %d..%d\n", what, v.front(), v.back());
}

// What a capture holds, and that nothing runs before the launch.
void pipeline() {
    cudaStream_t stream = nonblocking();
    std::vector<int> host(n, 1), back(n, 0);
    cudaMemset(d_x, 0, n * sizeof(int));
    cudaDeviceSynchronize();
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SHOW(cudaMemcpyAsync(d_x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream));
    add<<<1, n, 0, stream>>>(d_x, n, 5);
    SHOW(cudaGetLastError());
    SHOW(cudaMemcpyAsync(back.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    SHOW(cudaMemsetAsync(d_x, 0, n * sizeof(int), stream));
    SHOW(cudaLaunchHostFunc(stream, count_up, &back[0]));
    std::printf("%s\n", status_of(stream));
    cudaGraph_t graph = nullptr;
    SHOW(cudaStreamEndCapture(stream, &graph));
    std::printf("%d nodes, %s\n", static_cast<int>(count_nodes(graph)), status_of(stream));
    print("before", back);
    cudaGraphExec_t exec = nullptr;
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphDestroy(graph));
    print("instantiated", back);
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamSynchronize(stream));
    print("launched", back);
    host.assign(n, 10);  // read when it is launched, not when it was captured
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamSynchronize(stream));
    print("again", back);
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaStreamDestroy(stream));
}

// Fork and join by events.
void fork_and_join() {
    cudaStream_t a = nonblocking(), b = nonblocking(), c = nonblocking();
    cudaEvent_t forked, joined, outside;
    cudaEventCreate(&forked);
    cudaEventCreate(&joined);
    cudaEventCreate(&outside);
    cudaEventRecord(outside, c);
    cudaStreamSynchronize(c);
    SHOW(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    add<<<1, n, 0, a>>>(d_x, n, 1);
    SHOW(cudaEventRecord(forked, a));
    std::printf("b is %s\n", status_of(b));
    SHOW(cudaStreamWaitEvent(b, forked, 0));
    std::printf("b is %s\n", status_of(b));
    add<<<1, n, 0, b>>>(d_y, n, 1);
    add<<<1, n, 0, a>>>(d_x, n, 1);
    SHOW(cudaEventRecord(joined, b));
    SHOW(cudaStreamWaitEvent(a, joined, 0));
    add<<<1, n, 0, a>>>(d_x, n, 1);
    cudaStreamCaptureStatus status;
    unsigned long long id = 0;
    SHOW(cudaStreamGetCaptureInfo(a, &status, &id));
    std::printf("id %d\n", id != 0);
    cudaGraph_t graph = nullptr;
    SHOW(cudaStreamEndCapture(a, &graph));
    size_t edges = 0, roots = 0;
#if CUDART_VERSION >= 13000
    cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
#else
    cudaGraphGetEdges(graph, nullptr, nullptr, &edges);
#endif
    cudaGraphGetRootNodes(graph, nullptr, &roots);
    std::printf("%d nodes, %d edges, %d roots, b is %s\n", static_cast<int>(count_nodes(graph)),
                static_cast<int>(edges), static_cast<int>(roots), status_of(b));
    std::printf("the event afterwards: ");
    SHOW(cudaEventQuery(forked));
    SHOW(cudaStreamWaitEvent(c, forked, 0));
    cudaGraphDestroy(graph);

    std::printf("unjoined\n");
    SHOW(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    cudaEventRecord(forked, a);
    cudaStreamWaitEvent(b, forked, 0);
    add<<<1, n, 0, b>>>(d_y, n, 1);
    end(a);
    std::printf("b is %s\n", status_of(b));

    std::printf("forked, but without work\n");
    SHOW(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    add<<<1, n, 0, a>>>(d_x, n, 1);
    cudaEventRecord(forked, a);
    cudaStreamWaitEvent(b, forked, 0);
    end(a);
    std::printf("b is %s\n", status_of(b));

    std::printf("ended in the wrong stream\n");
    SHOW(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    cudaEventRecord(forked, a);
    cudaStreamWaitEvent(b, forked, 0);
    add<<<1, n, 0, b>>>(d_y, n, 1);
    end(b);
    std::printf("a is %s\n", status_of(a));
    end(a);

    std::printf("an event from outside\n");
    SHOW(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamWaitEvent(a, outside, 0));
    end(a);

    std::printf("an event that was never recorded\n");
    cudaEvent_t fresh;
    cudaEventCreate(&fresh);
    SHOW(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamWaitEvent(a, fresh, 0));
    end(a);

    std::printf("two captures\n");
    SHOW(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamBeginCapture(b, cudaStreamCaptureModeGlobal));
    add<<<1, n, 0, b>>>(d_y, n, 1);
    SHOW(cudaEventRecord(forked, b));
    SHOW(cudaStreamWaitEvent(a, forked, 0));
    end(a);
    end(b);

    std::printf("captured events\n");
    SHOW(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    SHOW(cudaEventRecord(forked, a));
    SHOW(cudaEventQuery(forked));
    end(a);
    SHOW(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    SHOW(cudaEventRecord(forked, a));
    SHOW(cudaEventSynchronize(forked));
    end(a);
    float ms = 0;
    SHOW(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    SHOW(cudaEventRecord(forked, a));
    SHOW(cudaEventElapsedTime(&ms, outside, forked));
    end(a);
    SHOW(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    add<<<1, n, 0, a>>>(d_x, n, 1);
    SHOW(cudaEventRecordWithFlags(outside, a, cudaEventRecordExternal));
    SHOW(cudaStreamWaitEvent(a, outside, cudaEventWaitExternal));
    end(a);
    for (cudaStream_t s : {a, b, c}) cudaStreamDestroy(s);
}

// One call inside of a capture, in a stream of its own.
#define INSIDE(mode, call)                    \
    do {                                      \
        cudaStream_t stream = nonblocking();  \
        cudaStreamBeginCapture(stream, mode); \
        show(#call, call);                    \
        end(stream);                          \
        cudaStreamDestroy(stream);            \
    } while (false)

void inside(cudaStreamCaptureMode mode) {
    int *p = nullptr, *host = nullptr;
    cudaStream_t other = nonblocking(), made = nullptr;
    cudaEvent_t event = nullptr, done = nullptr;
    cudaEventCreate(&done);
    cudaEventRecord(done, other);
    cudaStreamSynchronize(other);
    std::vector<int> back(n);
    cudaStreamCaptureStatus status;
    int value = 0;
    size_t bytes = 0;
    INSIDE(mode, cudaStreamSynchronize(stream));
    INSIDE(mode, cudaStreamQuery(stream));
    INSIDE(mode, cudaStreamSynchronize(other));
    INSIDE(mode, cudaStreamQuery(other));
    INSIDE(mode, cudaDeviceSynchronize());
    INSIDE(mode, cudaEventSynchronize(done));
    INSIDE(mode, cudaEventQuery(done));
    INSIDE(mode, cudaMalloc(&p, 64));
    INSIDE(mode, cudaFree(p));
    INSIDE(mode, cudaFree(nullptr));
    INSIDE(mode, cudaMallocHost(&host, 64));
    INSIDE(mode, cudaFreeHost(host));
    INSIDE(mode, cudaMallocManaged(&p, 64));
    INSIDE(mode, cudaMemcpy(back.data(), d_x, 64, cudaMemcpyDeviceToHost));
    INSIDE(mode, cudaMemcpy(d_y, d_x, 64, cudaMemcpyDeviceToDevice));
    INSIDE(mode, cudaMemset(d_x, 0, 64));
    INSIDE(mode, cudaMemsetAsync(d_x, 0, 64, nullptr));
    INSIDE(mode, cudaMemcpyAsync(back.data(), d_x, 64, cudaMemcpyDeviceToHost, other));
    INSIDE(mode, cudaStreamCreate(&made));
    INSIDE(mode, cudaStreamDestroy(made));
    INSIDE(mode, cudaEventCreate(&event));
    INSIDE(mode, cudaEventDestroy(event));
    INSIDE(mode, cudaStreamBeginCapture(stream, mode));
    INSIDE(mode, cudaStreamIsCapturing(nullptr, &status));
    INSIDE(mode, cudaGetDevice(&value));
    INSIDE(mode, cudaMemGetInfo(&bytes, &bytes));
    INSIDE(mode, cudaMemcpyAsync(d_x, d_y, 64, cudaMemcpyHostToDevice, stream));
    INSIDE(mode, cudaMemcpyAsync(back.data(), d_x, 64, cudaMemcpyHostToDevice, stream));
    INSIDE(mode, cudaStreamAddCallback(stream, nothing, nullptr, 0));
    cudaStreamDestroy(other);
}

void default_stream() {
    cudaStream_t blocking = nullptr, stream = nonblocking();
    cudaStreamCreate(&blocking);
    cudaStreamCaptureStatus status;
    cudaGraph_t graph = nullptr;
    SHOW(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeRelaxed));
    SHOW(cudaStreamEndCapture(nullptr, &graph));
    SHOW(cudaStreamEndCapture(stream, &graph));
    SHOW(cudaStreamEndCapture(stream, nullptr));
    SHOW(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(7)));
    SHOW(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal));
    end(cudaStreamPerThread);
    SHOW(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeRelaxed));
    add<<<1, n>>>(d_x, n, 1);
    SHOW(cudaGetLastError());
    SHOW(cudaStreamIsCapturing(nullptr, &status));
    end(blocking);
    SHOW(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeRelaxed));
    SHOW(cudaStreamIsCapturing(nullptr, &status));
    add<<<1, n, 0, blocking>>>(d_x, n, 1);
    SHOW(cudaGetLastError());
    end(blocking);
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    add<<<1, n>>>(d_x, n, 1);
    SHOW(cudaGetLastError());
    end(stream);
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<1, 2048, 0, stream>>>(d_x, n, 1);
    SHOW(cudaGetLastError());
    end(stream);
    std::printf("refused after an invalidation\n");
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamSynchronize(stream));
    add<<<1, n, 0, stream>>>(d_x, n, 1);
    SHOW(cudaGetLastError());
    SHOW(cudaMemsetAsync(d_x, 0, 64, stream));
    SHOW(cudaStreamSynchronize(stream));
    end(stream);
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    end(stream);
    std::printf("destroyed while it captures\n");
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamDestroy(stream));
    SHOW(cudaStreamDestroy(blocking));
    SHOW(cudaMalloc(&d_y, n * sizeof(int)));
}

void threads() {
    cudaStream_t stream = nonblocking();
    int* p = nullptr;
    cudaGraph_t graph = nullptr;
    for (const auto mode :
         {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
        SHOW(cudaStreamBeginCapture(stream, mode));
        std::thread([&] { SHOW(cudaMalloc(&p, 64)); }).join();
        end(stream);
        SHOW(cudaStreamBeginCapture(stream, mode));
        std::thread([&] { SHOW(cudaStreamEndCapture(stream, &graph)); }).join();
        end(stream);
    }
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    SHOW(cudaThreadExchangeStreamCaptureMode(&mode));
    std::printf("was %d\n", mode);
    INSIDE(cudaStreamCaptureModeGlobal, cudaMalloc(&p, 64));
    SHOW(cudaThreadExchangeStreamCaptureMode(&mode));
    std::printf("was %d\n", mode);
    cudaStreamDestroy(stream);
}

// Memory that belongs to the graph.
void memory() {
    cudaStream_t stream = nonblocking();
    int *p = nullptr, *q = nullptr;
    std::vector<int> back(n);
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SHOW(cudaMallocAsync(&p, n * sizeof(int), stream));
    SHOW(cudaMemsetAsync(p, 0, n * sizeof(int), stream));
    add<<<1, n, 0, stream>>>(p, n, 7);
    SHOW(cudaMemcpyAsync(back.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    SHOW(cudaFreeAsync(p, stream));
    cudaGraph_t graph = nullptr;
    SHOW(cudaStreamEndCapture(stream, &graph));
    std::printf("%d nodes\n", static_cast<int>(count_nodes(graph)));
    cudaGraphExec_t exec = nullptr;
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; ++i) {
        back.assign(n, 0);
        SHOW(cudaGraphLaunch(exec, stream));
        SHOW(cudaStreamSynchronize(stream));
        print("from the graph's memory", back);
    }
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphDestroy(graph));

    std::printf("memory that outlives the launch\n");
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SHOW(cudaMallocAsync(&q, n * sizeof(int), stream));
    SHOW(cudaMemsetAsync(q, 1, n * sizeof(int), stream));
    SHOW(cudaStreamEndCapture(stream, &graph));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamSynchronize(stream));
    SHOW(cudaMemcpy(back.data(), q, n * sizeof(int), cudaMemcpyDeviceToHost));
    print("after the launch", back);
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaFreeAsync(q, stream));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaFree(q));
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphDestroy(graph));

    std::printf("freed in another graph\n");
    SHOW(cudaGraphInstantiate(&exec, nullptr, 0));
    int* plain = nullptr;
    SHOW(cudaMallocAsync(&plain, 64, stream));
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SHOW(cudaFreeAsync(plain, stream));
    end(stream);
    SHOW(cudaFreeAsync(plain, stream));
    SHOW(cudaStreamSynchronize(stream));
    cudaStreamDestroy(stream);
}

}  // namespace

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMalloc(&d_y, n * sizeof(int));
    cudaMemset(d_x, 0, n * sizeof(int));
    cudaMemset(d_y, 0, n * sizeof(int));
    std::printf("-- pipeline\n");
    pipeline();
    std::printf("-- fork\n");
    fork_and_join();
    std::printf("-- global\n");
    inside(cudaStreamCaptureModeGlobal);
    std::printf("-- thread local\n");
    inside(cudaStreamCaptureModeThreadLocal);
    std::printf("-- relaxed\n");
    inside(cudaStreamCaptureModeRelaxed);
    std::printf("-- threads\n");
    threads();
    std::printf("-- memory\n");
    memory();
    std::printf("-- the default stream\n");
    default_stream();
}
