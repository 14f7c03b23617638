// How fast queues run with race checking on: 100,000 operations in 16 streams (copies up and down, memsets, events
// and waits for them; and the same number of them with one tiny kernel in ten), medians of five.
//
//     build/cudalab run tests/bench/stream_queues.cu
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

constexpr int streams = 16, operations = 100'000;
constexpr size_t slice = 1024;

__global__ void touch(char* x) {
    x[threadIdx.x] = 1;
}

struct Lab {
    cudaStream_t stream[streams];
    cudaEvent_t event[streams];
    char *h, *d;
};

double seconds_of(const Lab& lab, bool with_kernels) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < operations; ++i) {
        const int s = i % streams;
        char *host = lab.h + s * slice, *device = lab.d + s * slice;
        cudaStream_t stream = lab.stream[s];
        switch (i / streams % 10) {
            case 0:
            case 5:
                cudaMemcpyAsync(device, host, slice, cudaMemcpyHostToDevice, stream);
                break;
            case 3:
            case 8:
                cudaMemcpyAsync(host, device, slice, cudaMemcpyDeviceToHost, stream);
                break;
            case 4:
                cudaEventRecord(lab.event[s], stream);
                break;
            case 6:
                cudaStreamWaitEvent(stream, lab.event[(s + 1) % streams], 0);
                break;
            case 7:
                if (with_kernels) {
                    touch<<<1, 32, 0, stream>>>(device);
                    break;
                }
                [[fallthrough]];
            default:
                cudaMemsetAsync(device, 0, slice, stream);
        }
    }
    cudaDeviceSynchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int main() {
    Lab lab{};
    for (int s = 0; s < streams; ++s) {
        cudaStreamCreate(&lab.stream[s]);
        cudaEventCreateWithFlags(&lab.event[s], cudaEventDisableTiming);
    }
    cudaMallocHost(&lab.h, streams * slice);
    cudaMalloc(&lab.d, streams * slice);
    for (const bool with_kernels : {false, true}) {
        double times[5];
        for (double& t : times) t = seconds_of(lab, with_kernels);
        std::sort(times, times + 5);
        std::printf("%d operations in %d streams%s: %.3f s, %.0f a second\n", operations, streams,
                    with_kernels ? ", one in ten a kernel" : "", times[2], operations / times[2]);
    }
    cudaFree(lab.d);
    cudaFreeHost(lab.h);
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
