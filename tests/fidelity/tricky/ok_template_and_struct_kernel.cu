// correct
// Kernel templates with type, value and pack arguments, given and deduced.
#include "tricky.h"

template <class T>
__global__ void scale(T* d, T by) {
    d[threadIdx.x] *= by;
}
template <int N, class T>
__global__ void shift(T* d) {
    __shared__ T room[N];
    room[threadIdx.x] = d[threadIdx.x];
    __syncthreads();
    d[threadIdx.x] = room[(threadIdx.x + 1) % N];
}
template <class... T>
__global__ void sum_of(int* out, T... terms) {
    *out = (0 + ... + static_cast<int>(terms));
}
template <class F>
__global__ void apply(F f, int* d) {
    f(d, threadIdx.x);
}
struct AddIndex {
    __device__ void operator()(int* d, int i) const { d[i] += i; }
};

int main() {
    int *d = upload(std::vector<int>(32, 2)), *out = zeros<int>(1);
    scale<<<1, 32>>>(d, 3);
    scale<int><<<1, 32>>>(d, 2);
    apply<<<1, 32>>>(AddIndex{}, d);
    shift<32><<<1, 32>>>(d);
    sum_of<<<1, 1>>>(out, 1, 2.5f, 'a');
    return verdict(fetch(d, 32)[0] == 13 && fetch(out, 1)[0] == 100);
}
