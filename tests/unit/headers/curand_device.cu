// What cuRAND's device functions return, from states at three places of their sequences. curand_device.txt is what NVIDIA's own
// header printed, compiled for the host.
// On a GPU it differs: a few normals by their fifth digit, for the card has a logarithm and a sine of its own
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <cstdio>

constexpr int places = 3, numbers = 24;

template <class State>
__device__ double number(State* s, int what) {
    switch (what) {
        case 0:
        case 1:
        case 2:
            return curand(s);
        case 3:
        case 4:
            return curand_uniform(s);
        case 5:
        case 6:
            return curand_uniform_double(s);
        case 7:
        case 8:
        case 9:
            return curand_normal(s);
        case 10:
        case 11:
            return curand_log_normal(s, 0.5f, 0.25f);
        case 12:
        case 13:
        case 14:
            return curand_normal_double(s);
        case 15:
            return curand_log_normal_double(s, -0.5, 0.5);
        case 16:
            return curand_poisson(s, 4);
        case 17:
            return curand_poisson(s, 50);
        case 18:
            return curand_poisson(s, 10000);
        case 19:
            return curand_normal2(s).y;
        case 20:
            return curand_normal2_double(s).y;
        case 21:
            skipahead(12345678901ull, s);
            return curand(s);
        case 22:
            skipahead_sequence(3, s);
            return curand(s);
        default:
            return curand_uniform(s);
    }
}

__device__ double four(curandStatePhilox4_32_10_t* s, int what) {
    switch (what) {
        case 0:
            return curand4(s).z;
        case 1:
            return curand(s);
        case 2:
            return curand4(s).w;
        case 3:
            return curand_uniform4(s).y;
        case 4:
            return curand_normal4(s).w;
        case 5:
            return curand_uniform2_double(s).x;
        case 6:
            return curand_normal4_double(s).z;
        default:
            return curand_log_normal4(s, 0, 1).x;
    }
}

template <class State>
__device__ void fill(double* d_out, State* d_states, int i) {
    const unsigned long long seeds[] = {1234, 0x123456789abcdefull, 0}, sequences[] = {0, 5, 1ull << 40},
                             offsets[] = {0, 3, 1ull << 33};
    curand_init(seeds[i], sequences[i], offsets[i], d_states + i);
    for (int k = 0; k < numbers; ++k) d_out[i * numbers + k] = number(d_states + i, k);
}

#ifdef ON_HOST
template <class State>
void show(const char* name) {
    State states[places];
    double out[places * numbers];
    for (int i = 0; i < places; ++i) fill(out, states, i);
#else
template <class State>
__global__ void fill_all(double* d_out, State* d_states) {
    fill(d_out, d_states, threadIdx.x);
}

template <class State>
void show(const char* name) {
    State* d_states;
    double *d_out, out[places * numbers];
    cudaMalloc(&d_states, places * sizeof(State));
    cudaMalloc(&d_out, sizeof out);
    fill_all<State><<<1, places>>>(d_out, d_states);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(d_states);
    cudaFree(d_out);
#endif
    for (int i = 0; i < places; ++i) {
        std::printf("%s %d:", name, i);
        for (int k = 0; k < numbers; ++k) std::printf(" %.5f", out[i * numbers + k]);
        std::printf("\n");
    }
}

#ifdef ON_HOST
void show_four() {
    double out[8];
    curandStatePhilox4_32_10_t state;
    curand_init(77, 1, 2, &state);
    for (int k = 0; k < 8; ++k) out[k] = four(&state, k);
#else
__global__ void fill_four(double* d_out) {
    curandStatePhilox4_32_10_t state;
    curand_init(77, 1, 2, &state);
    for (int k = 0; k < 8; ++k) d_out[k] = four(&state, k);
}

void show_four() {
    double *d_out, out[8];
    cudaMalloc(&d_out, sizeof out);
    fill_four<<<1, 1>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(d_out);
#endif
    std::printf("four:");
    for (double x : out) std::printf(" %.5f", x);
    std::printf("\n");
}

int main() {
    show<curandStateXORWOW_t>("XORWOW");
    show<curandStatePhilox4_32_10_t>("Philox");
    show<curandStateMRG32k3a_t>("MRG32k3a");
    show_four();
}
