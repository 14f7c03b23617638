// What exercise 09, its solution and its grader agree on.
//
// Both functions leave in h_out[i] the seal of h_in[i], as seal_kernel makes it. When they return, h_out is complete.
// Both return a cudaError_t as an int: 0 (cudaSuccess), or the error of a call that failed.
//   h_in, h_out  n elements each, host memory; in most cases pinned, so that copies need not wait for the host
//   n            0 or more
#pragma once

constexpr int most_streams = 8;

// All of it as one chunk, in one stream.
//   d_x  n elements of device memory to work in
extern "C" int seal_whole(const unsigned* h_in, unsigned* h_out, unsigned* d_x, int n);

// In chunks of `chunk` elements (1 or more; the last chunk may have fewer), chunk c in stream c % streams. Takes
// `streams` (1 to most_streams) buffers of `chunk` elements from the device, no more, for n may be larger than what the
// device holds; where it has no room for them, the error comes back. Leaves nothing allocated.
extern "C" int seal_chunks(const unsigned* h_in, unsigned* h_out, int n, int chunk, int streams);
