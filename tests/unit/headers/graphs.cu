// Graphs of explicit nodes: what each call returns and what runs. graphs.txt is what an H200 printed.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <string>
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
__global__ void times(int* x, int n, int by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}
__device__ int d_symbol[4];

constexpr int n = 64;
int *d_x = nullptr, *d_y = nullptr;

struct Arguments {
    int* x;
    int count, by;
    void* list[3] = {&x, &count, &by};
    Arguments(int* x_, int by_) : x(x_), count(n), by(by_) {}
};

cudaKernelNodeParams kernel(void* function, Arguments& a) {
    cudaKernelNodeParams p = {};
    p.func = function;
    p.gridDim = dim3(1);
    p.blockDim = dim3(n);
    p.kernelParams = a.list;
    return p;
}

const char* type_of(cudaGraphNode_t node) {
    cudaGraphNodeType type;
    if (cudaGraphNodeGetType(node, &type) != cudaSuccess) return "?";
    switch (type) {
        case cudaGraphNodeTypeKernel:
            return "kernel";
        case cudaGraphNodeTypeMemcpy:
            return "memcpy";
        case cudaGraphNodeTypeMemset:
            return "memset";
        case cudaGraphNodeTypeHost:
            return "host";
        case cudaGraphNodeTypeGraph:
            return "graph";
        case cudaGraphNodeTypeEmpty:
            return "empty";
        case cudaGraphNodeTypeWaitEvent:
            return "wait";
        case cudaGraphNodeTypeEventRecord:
            return "record";
        case cudaGraphNodeTypeMemAlloc:
            return "alloc";
        case cudaGraphNodeTypeMemFree:
            return "free";
        default:
            return "other";
    }
}

size_t edges_of(cudaGraph_t graph) {
    size_t edges = 0;
#if CUDART_VERSION >= 13000
    cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
#else
    cudaGraphGetEdges(graph, nullptr, nullptr, &edges);
#endif
    return edges;
}

void shape(cudaGraph_t graph) {
    size_t nodes = 0, roots = 0;
    SHOW(cudaGraphGetNodes(graph, nullptr, &nodes));
    SHOW(cudaGraphGetRootNodes(graph, nullptr, &roots));
    std::printf("%d nodes, %d edges, %d roots:", static_cast<int>(nodes), static_cast<int>(edges_of(graph)),
                static_cast<int>(roots));
    std::vector<cudaGraphNode_t> all(nodes);
    if (nodes != 0) cudaGraphGetNodes(graph, all.data(), &nodes);
    for (const cudaGraphNode_t node : all) std::printf(" %s", type_of(node));
    std::printf("\n");
}

int first_of(const int* d) {
    int value = -1;
    cudaMemcpy(&value, d, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

void set(int value) {
    std::vector<int> all(n, value);
    cudaMemcpy(d_x, all.data(), n * sizeof(int), cudaMemcpyHostToDevice);
}

// set, then times and add in the order of the edges, then copy and host.
void every_kind() {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t fill, a, b, copy, call, nothing;
    SHOW(cudaGraphCreate(&graph, 1));
    SHOW(cudaGraphCreate(nullptr, 0));
    SHOW(cudaGraphCreate(&graph, 0));
    shape(graph);
    cudaMemsetParams set_to_one = {};
    set_to_one.dst = d_x;
    set_to_one.elementSize = 4;
    set_to_one.value = 3;
    set_to_one.width = n;
    set_to_one.height = 1;
    SHOW(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set_to_one));
    Arguments plus(d_x, 4), by_ten(d_x, 10);
    cudaKernelNodeParams p = kernel(reinterpret_cast<void*>(add), plus);
    SHOW(cudaGraphAddKernelNode(&a, graph, &fill, 1, &p));
    plus.by = 1000;  // was copied
    p = kernel(reinterpret_cast<void*>(times), by_ten);
    SHOW(cudaGraphAddKernelNode(&b, graph, nullptr, 0, &p));
    SHOW(cudaGraphAddDependencies(graph, &a, &b,
#if CUDART_VERSION >= 13000
                                  nullptr,
#endif
                                  1));
    std::vector<int> back(n, 0);
    SHOW(cudaGraphAddMemcpyNode1D(&copy, graph, &b, 1, back.data(), d_x, n * sizeof(int),
                                  cudaMemcpyDeviceToHost));
    cudaHostNodeParams host = {};
    host.fn = [](void* data) { ++static_cast<int*>(data)[0]; };
    host.userData = back.data();
    SHOW(cudaGraphAddHostNode(&call, graph, &copy, 1, &host));
    SHOW(cudaGraphAddEmptyNode(&nothing, graph, &call, 1));
    shape(graph);
    cudaGraphExec_t exec = nullptr;
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphLaunch(exec, nullptr));
    SHOW(cudaDeviceSynchronize());
    std::printf("back %d %d\n", back[0], back[1]);

    // The graph changes, the executable one does not.
    Arguments minus(d_x, -1);
    p = kernel(reinterpret_cast<void*>(add), minus);
    SHOW(cudaGraphKernelNodeSetParams(a, &p));
    SHOW(cudaGraphLaunch(exec, nullptr));
    SHOW(cudaDeviceSynchronize());
    std::printf("back %d %d\n", back[0], back[1]);
    SHOW(cudaGraphExecKernelNodeSetParams(exec, a, &p));
    SHOW(cudaGraphLaunch(exec, nullptr));
    SHOW(cudaDeviceSynchronize());
    std::printf("back %d %d\n", back[0], back[1]);
    SHOW(cudaGraphNodeSetEnabled(exec, b, 0));
    unsigned enabled = 7;
    SHOW(cudaGraphNodeGetEnabled(exec, b, &enabled));
    SHOW(cudaGraphLaunch(exec, nullptr));
    SHOW(cudaDeviceSynchronize());
    std::printf("enabled %u, back %d %d\n", enabled, back[0], back[1]);
    SHOW(cudaGraphNodeSetEnabled(exec, call, 0));
    SHOW(cudaGraphNodeSetEnabled(exec, b, 1));
    set_to_one.value = 5;
    SHOW(cudaGraphExecMemsetNodeSetParams(exec, fill, &set_to_one));
    SHOW(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, back.data() + 1, d_x, 4, cudaMemcpyDeviceToHost));
    SHOW(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, d_y, d_x, 4, cudaMemcpyDeviceToDevice));
    host.fn = [](void* data) { static_cast<int*>(data)[0] = 77; };
    SHOW(cudaGraphExecHostNodeSetParams(exec, call, &host));
    SHOW(cudaGraphLaunch(exec, nullptr));
    SHOW(cudaDeviceSynchronize());
    std::printf("back %d %d\n", back[0], back[1]);

    // A kernel node that becomes another kernel's.
    p = kernel(reinterpret_cast<void*>(times), by_ten);
    SHOW(cudaGraphExecKernelNodeSetParams(exec, a, &p));
    SHOW(cudaGraphLaunch(exec, nullptr));
    SHOW(cudaDeviceSynchronize());
    std::printf("back %d %d\n", back[0], back[1]);
    cudaKernelNodeParams got = {};
    SHOW(cudaGraphKernelNodeGetParams(a, &got));
    std::printf("func %d, grid %u, block %u, by %d\n", got.func == reinterpret_cast<void*>(add),
                got.gridDim.x, got.blockDim.x, *static_cast<int*>(got.kernelParams[2]));
    cudaMemsetParams fill_got = {};
    SHOW(cudaGraphMemsetNodeGetParams(fill, &fill_got));
    std::printf("value %u, width %d\n", fill_got.value, static_cast<int>(fill_got.width));
    cudaMemcpy3DParms copy_got = {};
    SHOW(cudaGraphMemcpyNodeGetParams(copy, &copy_got));
    std::printf("width %d, kind %d\n", static_cast<int>(copy_got.extent.width), copy_got.kind);
    SHOW(cudaGraphMemsetNodeGetParams(copy, &fill_got));
    SHOW(cudaGraphExecKernelNodeSetParams(exec, copy, &p));

    // Ends.
    cudaGraphNode_t nodes[2] = {a, b};
    SHOW(cudaGraphDestroyNode(nothing));
    SHOW(cudaGraphRemoveDependencies(graph, nodes, nodes + 1,
#if CUDART_VERSION >= 13000
                                     nullptr,
#endif
                                     1));
    SHOW(cudaGraphRemoveDependencies(graph, nodes, nodes + 1,
#if CUDART_VERSION >= 13000
                                     nullptr,
#endif
                                     1));
    shape(graph);
    SHOW(cudaGraphDestroy(graph));
    SHOW(cudaGraphLaunch(exec, nullptr));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaGraphExecDestroy(exec));
}

// Wrong calls.
void wrong() {
    cudaGraph_t graph = nullptr, other = nullptr;
    cudaGraphNode_t a = nullptr, b = nullptr, c = nullptr, foreign = nullptr;
    cudaGraphExec_t exec = nullptr;
    SHOW(cudaGraphCreate(&graph, 0));
    SHOW(cudaGraphCreate(&other, 0));
    Arguments one(d_x, 1);
    cudaKernelNodeParams p = kernel(reinterpret_cast<void*>(add), one);
    SHOW(cudaGraphAddKernelNode(&a, graph, nullptr, 0, &p));
    SHOW(cudaGraphAddKernelNode(&b, graph, &a, 1, &p));
    SHOW(cudaGraphAddKernelNode(&c, graph, &b, 1, &p));
    SHOW(cudaGraphAddEmptyNode(&foreign, other, nullptr, 0));
    SHOW(cudaGraphAddKernelNode(&c, graph, &foreign, 1, &p));
    cudaGraphNode_t twice[2] = {a, a};
    SHOW(cudaGraphAddKernelNode(&c, graph, twice, 2, &p));
    SHOW(cudaGraphAddKernelNode(&c, graph, nullptr, 1, &p));
    SHOW(cudaGraphAddKernelNode(&c, graph, &a, 1, nullptr));
    SHOW(cudaGraphAddKernelNode(nullptr, graph, &a, 1, &p));
    SHOW(cudaGraphAddKernelNode(&c, nullptr, &a, 1, &p));
    p.blockDim = dim3(4096);
    SHOW(cudaGraphAddKernelNode(&c, graph, &a, 1, &p));
    p.blockDim = dim3(0);
    SHOW(cudaGraphAddKernelNode(&c, graph, &a, 1, &p));
    p.blockDim = dim3(n);
    p.func = nullptr;
    SHOW(cudaGraphAddKernelNode(&c, graph, &a, 1, &p));
    shape(graph);
#if CUDART_VERSION >= 13000
    const auto depend = [](cudaGraph_t g, cudaGraphNode_t* from, cudaGraphNode_t* to) {
        return cudaGraphAddDependencies(g, from, to, nullptr, 1);
    };
#else
    const auto depend = [](cudaGraph_t g, cudaGraphNode_t* from, cudaGraphNode_t* to) {
        return cudaGraphAddDependencies(g, from, to, 1);
    };
#endif
    SHOW(depend(graph, &a, &b));
    SHOW(depend(graph, &a, &a));
    SHOW(depend(graph, &a, &foreign));
    SHOW(depend(graph, &b, &a));
    shape(graph);
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphInstantiate(nullptr, graph, 0));
    SHOW(cudaGraphInstantiate(&exec, other, 0));
    SHOW(cudaGraphLaunch(exec, nullptr));
    SHOW(cudaGraphLaunch(nullptr, nullptr));
    cudaMemsetParams m = {};
    m.dst = d_x;
    m.elementSize = 3;
    m.width = 1;
    m.height = 1;
    SHOW(cudaGraphAddMemsetNode(&c, other, nullptr, 0, &m));
    m.elementSize = 1;
    m.width = n * 4 + 4;
    SHOW(cudaGraphAddMemsetNode(&c, other, nullptr, 0, &m));
    m.dst = nullptr;
    SHOW(cudaGraphAddMemsetNode(&c, other, nullptr, 0, &m));
    std::vector<int> host(n);
    SHOW(cudaGraphAddMemcpyNode1D(&c, other, nullptr, 0, host.data(), d_x, 4, cudaMemcpyHostToDevice));
    SHOW(cudaGraphAddMemcpyNode1D(&c, other, nullptr, 0, nullptr, d_x, 4, cudaMemcpyDeviceToHost));
    SHOW(cudaGraphAddMemcpyNode1D(&c, other, nullptr, 0, host.data(), d_x, 0, cudaMemcpyDeviceToHost));
    SHOW(
        cudaGraphAddMemcpyNode1D(&c, other, nullptr, 0, host.data(), d_x, n * 4 + 4, cudaMemcpyDeviceToHost));
    cudaHostNodeParams h = {};
    SHOW(cudaGraphAddHostNode(&c, other, nullptr, 0, &h));
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphExecDestroy(nullptr));
    SHOW(cudaGraphDestroy(graph));
    SHOW(cudaGraphDestroy(nullptr));
    SHOW(cudaGraphDestroy(other));
}

void children() {
    cudaGraph_t child = nullptr, graph = nullptr, inner = nullptr, clone = nullptr;
    cudaGraphNode_t a, b, first, second, found;
    cudaGraphExec_t exec = nullptr;
    Arguments one(d_x, 1), ten(d_x, 10);
    cudaKernelNodeParams p = kernel(reinterpret_cast<void*>(add), one);
    cudaGraphCreate(&child, 0);
    cudaGraphCreate(&graph, 0);
    SHOW(cudaGraphAddKernelNode(&a, child, nullptr, 0, &p));
    SHOW(cudaGraphAddChildGraphNode(&first, graph, nullptr, 0, child));
    p = kernel(reinterpret_cast<void*>(times), ten);
    SHOW(cudaGraphAddKernelNode(&b, graph, &first, 1, &p));
    SHOW(cudaGraphAddChildGraphNode(&second, graph, &b, 1, child));
    SHOW(cudaGraphChildGraphNodeGetGraph(second, &inner));
    std::printf("its own copy %d\n", inner != child);
    shape(graph);
    SHOW(cudaGraphDestroy(child));
    SHOW(cudaGraphClone(&clone, graph));
    SHOW(cudaGraphNodeFindInClone(&found, b, clone));
    std::printf("another %d\n", found != b);
    SHOW(cudaGraphNodeFindInClone(&found, b, graph));
    set(1);
    SHOW(cudaGraphInstantiate(&exec, clone, 0));
    SHOW(cudaGraphLaunch(exec, nullptr));
    SHOW(cudaDeviceSynchronize());
    std::printf("x %d\n", first_of(d_x));
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphDestroy(clone));
    SHOW(cudaGraphDestroy(graph));
}

cudaGraph_t chain(int length, int by, bool with_times) {
    cudaGraph_t graph = nullptr;
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t last = nullptr;
    for (int i = 0; i < length; ++i) {
        Arguments a(d_x, by);
        const bool is_times = with_times && i == length - 1;
        cudaKernelNodeParams p =
            kernel(is_times ? reinterpret_cast<void*>(times) : reinterpret_cast<void*>(add), a);
        cudaGraphNode_t node;
        cudaGraphAddKernelNode(&node, graph, i == 0 ? nullptr : &last, i == 0 ? 0 : 1, &p);
        last = node;
    }
    return graph;
}

void update() {
    cudaGraph_t graph = chain(3, 1, false);
    cudaGraphExec_t exec = nullptr;
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    const auto try_update = [&](const char* what, cudaGraph_t with) {
        cudaGraphExecUpdateResultInfo info = {};
        std::printf("%s: ", what);
        SHOW(cudaGraphExecUpdate(exec, with, &info));
        set(1);
        cudaGraphLaunch(exec, nullptr);
        cudaDeviceSynchronize();
        std::printf("result %d, node %s, from %d; x %d\n", info.result,
                    info.errorNode == nullptr ? "none" : type_of(info.errorNode),
                    info.errorFromNode != nullptr, first_of(d_x));
        cudaGraphDestroy(with);
    };
    try_update("other values", chain(3, 5, false));
    try_update("another function", chain(3, 2, true));
    try_update("longer", chain(4, 1, false));
    try_update("shorter", chain(2, 1, false));
    cudaGraph_t wide = nullptr;
    cudaGraphCreate(&wide, 0);
    for (int i = 0; i < 3; ++i) {
        Arguments a(d_x, 1);
        cudaKernelNodeParams p = kernel(reinterpret_cast<void*>(add), a);
        cudaGraphNode_t node;
        cudaGraphAddKernelNode(&node, wide, nullptr, 0, &p);
    }
    try_update("without edges", wide);
    cudaGraph_t kinds = chain(2, 1, false);
    cudaGraphNode_t nodes[2], third;
    size_t two = 2;
    cudaGraphGetNodes(kinds, nodes, &two);
    cudaMemsetParams m = {};
    m.dst = d_x;
    m.elementSize = 4;
    m.value = 9;
    m.width = n;
    m.height = 1;
    cudaGraphAddMemsetNode(&third, kinds, nodes + 1, 1, &m);
    try_update("another kind", kinds);
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphDestroy(graph));
}

void events_and_symbols() {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaGraphNode_t begin, work, end, to, from, wait;
    cudaEvent_t first, second, third, got = nullptr;
    cudaEventCreate(&first);
    cudaEventCreate(&second);
    cudaEventCreate(&third);
    cudaGraphCreate(&graph, 0);
    Arguments one(d_x, 1);
    cudaKernelNodeParams p = kernel(reinterpret_cast<void*>(add), one);
    SHOW(cudaGraphAddEventRecordNode(&begin, graph, nullptr, 0, first));
    SHOW(cudaGraphAddKernelNode(&work, graph, &begin, 1, &p));
    SHOW(cudaGraphAddEventRecordNode(&end, graph, &work, 1, second));
    SHOW(cudaGraphEventRecordNodeGetEvent(end, &got));
    std::printf("the same %d\n", got == second);
    int values[4] = {1, 2, 3, 4}, back[4] = {};
    SHOW(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, d_symbol, values, sizeof values, 0,
                                        cudaMemcpyHostToDevice));
    SHOW(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, back, d_symbol, 2 * sizeof(int), sizeof(int),
                                          cudaMemcpyDeviceToHost));
    SHOW(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, third));
    shape(graph);
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphLaunch(exec, nullptr));
    SHOW(cudaEventSynchronize(second));
    SHOW(cudaDeviceSynchronize());
    float ms = -1;
    SHOW(cudaEventElapsedTime(&ms, first, second));
    std::printf("took time %d, back %d %d\n", ms > 0, back[0], back[1]);
    SHOW(cudaGraphExecEventRecordNodeSetEvent(exec, end, third));
    SHOW(cudaGraphLaunch(exec, nullptr));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaEventElapsedTime(&ms, first, third));
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphDestroy(graph));
}

void generic() {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaGraphNode_t node, second;
    cudaGraphCreate(&graph, 0);
    Arguments three(d_x, 3);
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = reinterpret_cast<void*>(add);
    params.kernel.gridDim = dim3(1);
    params.kernel.blockDim = dim3(n);
    params.kernel.kernelParams = three.list;
#if CUDART_VERSION >= 13000
    SHOW(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
    SHOW(cudaGraphAddNode(&second, graph, &node, nullptr, 1, &params));
#else
    SHOW(cudaGraphAddNode(&node, graph, nullptr, 0, &params));
    SHOW(cudaGraphAddNode(&second, graph, &node, 1, &params));
#endif
    shape(graph);
    SHOW(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    SHOW(cudaGraphUpload(exec, stream));
    set(0);
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamSynchronize(stream));
    std::printf("x %d\n", first_of(d_x));
    three.by = 100;
    SHOW(cudaGraphNodeSetParams(second, &params));
    SHOW(cudaGraphExecNodeSetParams(exec, second, &params));
    set(0);
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamSynchronize(stream));
    std::printf("x %d\n", first_of(d_x));
    unsigned long long flags = 9;
    SHOW(cudaGraphExecGetFlags(exec, &flags));
    std::printf("flags %d\n", static_cast<int>(flags));
    cudaGraphInstantiateParams how = {};
    cudaGraphExec_t more = nullptr;
    SHOW(cudaGraphInstantiateWithParams(&more, graph, &how));
    std::printf("result %d\n", how.result_out);
    SHOW(cudaGraphExecDestroy(more));
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphDestroy(graph));
    SHOW(cudaStreamDestroy(stream));
}

// Allocation nodes.
void memory() {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr, second = nullptr;
    cudaGraphNode_t allocate, fill, copy, release;
    cudaGraphCreate(&graph, 0);
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = n * sizeof(int);
    SHOW(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &p));
    std::printf("an address %d\n", p.dptr != nullptr);
    cudaMemsetParams m = {};
    m.dst = p.dptr;
    m.elementSize = 4;
    m.value = 21;
    m.width = n;
    m.height = 1;
    int back = 0;
    SHOW(cudaGraphAddMemsetNode(&fill, graph, &allocate, 1, &m));
    SHOW(
        cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, &back, p.dptr, sizeof back, cudaMemcpyDeviceToHost));
    SHOW(cudaGraphAddMemFreeNode(&release, graph, &copy, 1, p.dptr));
    SHOW(cudaGraphAddMemFreeNode(&release, graph, &copy, 1, p.dptr));
    SHOW(cudaGraphAddMemFreeNode(&release, graph, &copy, 1, d_x));
    shape(graph);
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphInstantiate(&second, graph, 0));
    SHOW(cudaGraphLaunch(exec, nullptr));
    SHOW(cudaDeviceSynchronize());
    std::printf("back %d\n", back);
    cudaGraph_t clone = nullptr;
    SHOW(cudaGraphClone(&clone, graph));
    SHOW(cudaGraphDestroyNode(fill));
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphInstantiate(&second, graph, 0));
    SHOW(cudaGraphDestroy(graph));
    SHOW(cudaDeviceGraphMemTrim(0));
}

}  // namespace

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMalloc(&d_y, n * sizeof(int));
    set(0);
    std::printf("-- every kind\n");
    every_kind();
    std::printf("-- wrong\n");
    wrong();
    std::printf("-- children\n");
    children();
    std::printf("-- update\n");
    update();
    std::printf("-- events and symbols\n");
    events_and_symbols();
    std::printf("-- generic\n");
    generic();
    std::printf("-- memory\n");
    memory();
}
