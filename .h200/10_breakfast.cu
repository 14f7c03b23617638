// Sentences 3, 5: how often the cups are cold without the event, and how long breakfast takes for each place of the toast.
#include <algorithm>
#include <cstdio>
#include <vector>
__global__ void stir(const unsigned* in, unsigned* out, int rounds) {
    unsigned x = in[threadIdx.x];
    for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u;
    out[threadIdx.x] = x;
}
static double median(std::vector<double> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }
int main() {
    unsigned *ground, *coffee, *cups, *bread, *toast, h_cups[32], right[32];
    for (unsigned** p : {&ground, &coffee, &cups, &bread, &toast}) { cudaMalloc(p, 128); cudaMemset(*p, 3, 128); }
    cudaStream_t first, second, third; cudaEvent_t start, begun, brewed, toasted, poured, stop;
    for (cudaStream_t* s : {&first, &second, &third}) cudaStreamCreateWithFlags(s, cudaStreamNonBlocking);
    for (cudaEvent_t* e : {&start, &stop}) cudaEventCreate(e);
    for (cudaEvent_t* e : {&begun, &brewed, &toasted, &poured}) cudaEventCreateWithFlags(e, cudaEventDisableTiming);
    const auto brew = [&](cudaStream_t s) { stir<<<1, 32, 0, s>>>(ground, coffee, 20000); };
    const auto pour = [&](cudaStream_t s) { stir<<<1, 32, 0, s>>>(coffee, cups, 15000); };
    const auto bake = [&](cudaStream_t s) { stir<<<1, 32, 0, s>>>(bread, toast, 18000); };
    const char* places[] = {"first, behind the brewing", "first, in front", "second, behind the wait", "second, behind the pouring",
                            "second, in front of the wait", "a third stream", "host waits for the event", "no event at all"};
    brew(first); cudaStreamSynchronize(first); pour(first); cudaStreamSynchronize(first);
    cudaMemcpy(right, cups, 128, cudaMemcpyDeviceToHost);
    for (int place = 0; place < 8; ++place) {
        std::vector<double> all; int cold = 0;
        for (int i = 0; i < 1000; ++i) {
            cudaMemset(coffee, 0, 128); cudaMemset(cups, 0, 128); cudaDeviceSynchronize();
            cudaEventRecord(start, first); cudaEventRecord(begun, first);
            if (place == 1) bake(first);
            brew(first); cudaEventRecord(brewed, first);
            if (place == 0) bake(first);
            if (place >= 4 && place != 5) bake(second);
            if (place == 5) bake(third);
            if (place == 6) cudaEventSynchronize(brewed); else if (place != 7) cudaStreamWaitEvent(second, brewed);
            if (place == 2) bake(second);
            pour(second);
            if (place == 3) bake(second);
            cudaEventRecord(poured, second); cudaEventRecord(toasted, place == 5 ? third : second);
            cudaStreamWaitEvent(first, poured); cudaStreamWaitEvent(first, toasted);
            cudaEventRecord(stop, first); cudaEventSynchronize(stop);
            float ms; cudaEventElapsedTime(&ms, start, stop); all.push_back(ms * 1000);
            cudaMemcpy(h_cups, cups, 128, cudaMemcpyDeviceToHost);
            cold += !std::equal(h_cups, h_cups + 32, right);
        }
        printf("toast in %-30s %6.1f us, wrong cups in %d of 1000\n", places[place], median(all), cold);
    }
    // The first row of the no-event case, with pouring short and no toast in its way: does it ever come out right?
    int cold = 0;
    for (int i = 0; i < 1000; ++i) {
        cudaMemset(coffee, 0, 128); cudaDeviceSynchronize();
        stir<<<1, 32, 0, first>>>(ground, coffee, 3);
        pour(second); cudaDeviceSynchronize();
        unsigned now[32], want; cudaMemcpy(now, cups, 128, cudaMemcpyDeviceToHost);
        want = 0x03030303u; for (int k = 0; k < 3 + 15000; ++k) want = want * 1664525u + 1013904223u;
        cold += now[0] != want;
    }
    printf("no event, brewing of 3 rounds, pouring at once behind: wrong cups in %d of 1000\n", cold);
    return cudaGetLastError();
}
