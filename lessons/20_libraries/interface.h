// What exercise 20 defines, its grader calls, and both share. All matrices are row-major: row r of a matrix with n columns
// begins at element r * n. All arrays are device memory.
#pragma once

// A stream, and a handle or generator of each library. Only the exercise looks inside.
struct Tools;

constexpr int most_unknowns = 64;

// Each of these returns 0, or the first error that a call gave. What works on the device is queued in the tools' stream, and
// nothing waits for it but close_tools.
extern "C" int open_tools(unsigned long long seed, Tools** tools);  // the seed: of the random numbers
extern "C" int close_tools(Tools* tools);

// d_c = d_a times d_b, of m rows and k columns times k rows and n columns; each 1 or more.
extern "C" int multiply_by_hand(Tools* tools, const float* d_a, const float* d_b, float* d_c, int m, int n,
                                int k);
extern "C" int multiply(Tools* tools, const float* d_a, const float* d_b, float* d_c, int m, int n, int k);

// Of d_a with m rows and n columns: d_gram (n x n) = its transpose times itself, d_right (n) = its transpose times d_y (m).
extern "C" int normal_equations(Tools* tools, const float* d_a, const float* d_y, int m, int n, float* d_gram,
                                float* d_right);

// d_x (n): the numbers that bring d_a times d_x closest to d_y, the sum of squares being what counts. m >= n, n <= most_unknowns.
// d_gram (n x n): room to work in. *d_info: 0, or the first column (from 1) that the ones before it explain: there is no
// single answer then, and d_x may hold anything.
extern "C" int fit_by_hand(Tools* tools, const float* d_a, const float* d_y, int m, int n, float* d_gram,
                           float* d_x, int* d_info);
extern "C" int fit(Tools* tools, const float* d_a, const float* d_y, int m, int n, float* d_gram, float* d_x,
                   int* d_info);

// n random numbers (n even) of a normal distribution with mean 0 and standard deviation sigma. Other ones with each call.
// The same seed of open_tools gives the same numbers, another seed others.
extern "C" int noise_by_hand(Tools* tools, float* d_out, int n, float sigma);
extern "C" int noise(Tools* tools, float* d_out, int n, float sigma);

// d_moments[0] is the mean of n numbers that begin `stride` apart, d_moments[1] their standard deviation.
extern "C" int moments_by_hand(Tools* tools, const float* d_x, int n, int stride, float* d_moments);
extern "C" int moments(Tools* tools, const float* d_x, int n, int stride, float* d_moments);

// How far a fit wanders when what was measured is noisy: fitted `rounds` times, each time to d_y with other noise.
struct Spread {
    const float *d_a, *d_y;  // m x n, m; m even
    int m, n, rounds, which;
    float sigma;       // of the noise
    float* d_gram;     // n x n, room to work in
    float* d_noisy;    // rounds x m: what each round was fitted to
    float* d_fits;     // rounds x n: what came out
    float* d_moments;  // 2: of number `which` of all fits
    int* d_info;       // as fit says it
};
extern "C" int spread(Tools* tools, const Spread* job);
