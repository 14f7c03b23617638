// What exercise 10 defines, its grader calls, and both share.
//
// All arrays are of unsigned int, in device memory, with n elements each and n 1 or more; `rounds` says how long a
// kernel works on each element. All three functions return cudaSuccess (0) or the error of the first call that failed.
#pragma once

// Runs grind_kernel (d_beans to d_ground) and then brew_kernel (d_ground to d_coffee) in one stream, and stores in
// milliseconds[0], in host memory, how long brew_kernel took on the device: it alone.
extern "C" int time_brew(const unsigned* d_beans, unsigned* d_ground, unsigned* d_coffee, int n,
                         int grind_rounds, int brew_rounds, float* milliseconds);

// Runs three kernels in two streams:
//   brew_kernel   d_ground to d_coffee, in the first stream
//   pour_kernel   d_coffee to d_cups, in the second stream, when brew_kernel is done
//   toast_kernel  d_bread to d_toast, in either: it waits for neither of them
// The host queues all three and waits for nothing before the last of them is queued. All are done on return.
extern "C" int breakfast(const unsigned* d_ground, unsigned* d_coffee, unsigned* d_cups,
                         const unsigned* d_bread, unsigned* d_toast, int n, int brew_rounds, int pour_rounds,
                         int toast_rounds);

// Runs, in one stream, sip_kernel (the first `sips` elements of d_cups to d_sips), a copy of them to the host, and
// wash_kernel (d_cups to d_clean). Stores the sum of the sips, mod 2^32, in sum[0], in host memory: the host has it
// before wash_kernel is done. All are done on return.
extern "C" int first_sip(const unsigned* d_cups, unsigned* d_sips, unsigned* d_clean, int n, int sips,
                         int wash_rounds, unsigned* sum);
