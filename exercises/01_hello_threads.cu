// Lesson 01: one thread, one element.
//
// Fill an array with squares on the GPU: 0 1 4 9 16 25 ...
// The three places marked TODO are yours. Save, and the verdict says what to mend next.
#include <cuda_runtime.h>

#include "lessons/01_hello_threads/interface.h"

// [kernel]
// Every thread of the launch runs this function once. d_out holds n ints.
__global__ void square_kernel(int* d_out, int n) {
    // TODO: (1) find this thread's own element i, and write i * i there. Some threads have no element.
}
// [/kernel]

// [host]
// The host side: chooses the grid, launches the kernel, and says whether CUDA took the launch.
extern "C" int fill_squares(int* d_out, int n, int threads_per_block) {
    // TODO: (2) one block is not always enough. How many blocks of threads_per_block hold n threads?
    int blocks = 1;

    square_kernel<<<blocks, threads_per_block>>>(d_out, n);

    // TODO: (3) CUDA may refuse this launch, and a launch returns nothing. Ask, and return the answer.
    return cudaSuccess;
}
// [/host]
