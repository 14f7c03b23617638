// fault: uninit-global; line: 17
// A member of each struct is never written; the struct has no padding, and is copied whole.
#include "tricky.h"

struct Point {
    float x, y, z;
};

__global__ void fill(Point* p) {
    p[threadIdx.x].x = 1;
    p[threadIdx.x].z = 3;
}

__global__ void use(const Point* p, Point* out) {
    // The member y has no value.
    const int t = threadIdx.x;
    out[t] = p[t];
}

int main() {
    Point *p = nullptr, *out = nullptr;
    cudaMalloc(&p, 32 * sizeof(Point));
    cudaMalloc(&out, 32 * sizeof(Point));
    fill<<<1, 32>>>(p);
    use<<<1, 32>>>(p, out);
    return verdict(false);
}
