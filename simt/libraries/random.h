// Sequences of random numbers as cuRAND's host library gives them. Which number of which sequence an output gets was seen in
// what cuRAND 10.4's host generators return, which run without a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "simt/include/curand.h"

namespace simt::libraries {

enum class Draw {
    bits,
    long_bits,
    uniform,
    uniform_double,
    normal,
    normal_double,
    log_normal,
    log_normal_double,
    poisson
};
size_t bytes_of(Draw kind);  // of one result

struct DrawRequest {
    Draw kind;
    size_t n;
    double mean = 0, deviation = 1;  // poisson: the mean is lambda
};

// What makes a sequence.
struct RandomSettings {
    curandRngType_t type = CURAND_RNG_PSEUDO_XORWOW;
    curandOrdering_t ordering = CURAND_ORDERING_PSEUDO_DEFAULT;
    uint64_t seed = 0;
    uint32_t dimensions = 1;
};

class RandomSource {
  public:
    virtual ~RandomSource() = default;
    virtual std::unique_ptr<RandomSource> copy() const = 0;
    // The next n results into `out`; nullptr: they are passed over.
    virtual void draw(const DrawRequest& request, void* out) = 0;
    // An offset that leads a new sequence to about here.
    virtual uint64_t position() const = 0;
};
std::unique_ptr<RandomSource> make_source(const RandomSettings& settings, uint64_t offset);

// Sobol's direction vectors, of S. Joe and F. Kuo's "new-joe-kuo-6" (2008), for so many dimensions.
constexpr int sobol_dimensions = 64;
const uint32_t* sobol_directions_32(int dimension);
const uint64_t* sobol_directions_64(int dimension);
// A digital shift of each dimension that scrambles its points; cuRAND's own constants are others.
uint64_t sobol_shift(int dimension);

}  // namespace simt::libraries
