// What exercise 11 defines, its grader calls, and both share. All pointers are the host's own memory.
#pragma once

// A raw photo has 14 bits a pixel. A tone curve says for each brightness which one to print instead.
constexpr int levels = 16384;  // entries of a curve: 64 KiB of int, one page of managed memory

// out[i] = in[i] + lift, at most levels - 1.
//   in, out  n pixels, each from 0 to levels - 1
//   n        1 or more
//   lift     0 or more
// Returns cudaSuccess (0) or the error of the first call that failed.
extern "C" int brighten(const int* in, int* out, int n, int lift);

// Sends each pixel through the curve, `passes` times: pixel = curve[pixel]. The host does the same to the small preview,
// beside the device, so both sides read the curve all the time.
//   curve         `levels` entries
//   preview       preview_size pixels, changed in place
//   passes        1 or more
extern "C" int develop(const int* in, int* out, int n, const int* curve, int* preview, int preview_size,
                       int passes);

// The same without a preview, for a photo that may be larger than the device's memory.
//   piece  so many pixels are on the device at a time; a multiple of the 16384 that a page holds
extern "C" int develop_large(const int* in, int* out, int n, const int* curve, int passes, int piece);
