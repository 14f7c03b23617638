// correct
// Structs are returned into shared and global memory, and passed by value from there, by functions that stay calls.
#include "ordered.h"

struct Complex {
    float re, im;
};
struct Particle {
    float at[3], speed[3];
    int id;
};

__device__ __noinline__ Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

__device__ __noinline__ Particle make_particle(int id) {
    Particle p;
    for (int k = 0; k < 3; ++k) {
        p.at[k] = id + k;
        p.speed[k] = 1;
    }
    p.id = id;
    return p;
}

__device__ __noinline__ Particle moved(Particle p) {
    for (int k = 0; k < 3; ++k) p.at[k] += p.speed[k];
    return p;
}

__global__ void square(Complex* values) {
    __shared__ Complex s[32];
    const int i = threadIdx.x;
    s[i] = values[i] * values[i];
    __syncthreads();
    values[i] = s[31 - i];
}

__global__ void create(Particle* particles) {
    __shared__ Particle s[32];
    const int i = threadIdx.x;
    s[i] = i % 2 == 0 ? make_particle(i) : moved(make_particle(i));
    __syncthreads();
    particles[i] = moved(s[31 - i]);
}

__global__ void move(Particle* particles) {
    const int i = threadIdx.x;
    particles[i] = moved(particles[i]);
}

int main() {
    std::vector<Complex> start(32);
    for (int i = 0; i < 32; ++i) start[i] = {float(i), 1};
    Complex* values = upload(start);
    square<<<1, 32>>>(values);
    Particle* particles = nullptr;
    cudaMalloc(&particles, 32 * sizeof(Particle));
    create<<<1, 32>>>(particles);
    move<<<1, 32>>>(particles);
    const auto squares = fetch(values, 32);
    const auto all = fetch(particles, 32);
    bool right = true;
    for (int i = 0; i < 32; ++i) {
        const int from = 31 - i;
        right = right && squares[i].re == float(from * from - 1) && squares[i].im == float(2 * from);
        right = right && all[i].id == from && all[i].at[2] == from + 2 + 2 + from % 2;
    }
    return verdict(right);
}
