// correct
// The buffer's class has a destructor and no copy constructor: it is freed once, since the object is built where it is needed.
#include "ordered.h"

struct Buffer {
    int* data = nullptr;
    ~Buffer() { cudaFree(data); }
};

Buffer make_buffer(int count) {
    Buffer buffer;
    cudaMalloc(&buffer.data, count * sizeof(int));
    return buffer;
}

__global__ void fill(int* out) {
    out[threadIdx.x] = threadIdx.x;
}

int main() {
    Buffer buffer = make_buffer(32);
    fill<<<1, 32>>>(buffer.data);
    return verdict(fetch(buffer.data, 32)[31] == 31);
}
