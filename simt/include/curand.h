// cuRAND's host library, as far as the CPU machine has it. Each function is documented by NVIDIA under its name. The last
// argument is the caller's line, for messages: never pass it.
//
// What cuRAND returns, number by number: PHILOX4_32_10, XORWOW and MRG32K3A (uniform numbers bit by bit, normal ones within the
// error of sinf, cosf and logf), SOBOL32 and SOBOL64 (64 dimensions). Of the same distribution, but other numbers: MTGP32, MT19937,
// the scrambled Sobol sequences, XORWOW in the order CURAND_ORDERING_PSEUDO_SEEDED, and Poisson numbers but those of Sobol
// sequences. There are no discrete distributions (curandCreatePoissonDistribution).
#pragma once

#include "cuda_runtime_api.h"
#include "library_types.h"

#define SIMT_LINE ::simt::Where where = ::simt::Where::here()

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VERSION 10400

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
    CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;
typedef enum curandDirectionVectorSet {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
    CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
} curandDirectionVectorSet_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
typedef struct curandGenerator_st* curandGenerator_t;

// A generator for device memory, whose calls are queued in its stream; one of the host writes at once.
curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t rng_type, SIMT_LINE);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t rng_type, SIMT_LINE);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator, SIMT_LINE);
curandStatus_t curandGetVersion(int* version, SIMT_LINE);
curandStatus_t curandGetProperty(libraryPropertyType type, int* value, SIMT_LINE);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream, SIMT_LINE);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed,
                                                  SIMT_LINE);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset, SIMT_LINE);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order, SIMT_LINE);
// 1 to 64 here; cuRAND has 20,000.
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int num_dimensions, SIMT_LINE);
curandStatus_t curandGenerateSeeds(curandGenerator_t generator, SIMT_LINE);

// n results. A quasirandom generator gives n / dimensions of each dimension, one dimension after the other. Normal numbers of
// XORWOW and MRG32K3A come in pairs: n must be even.
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* outputPtr, size_t n, SIMT_LINE);
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* outputPtr, size_t n,
                                      SIMT_LINE);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* outputPtr, size_t n, SIMT_LINE);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* outputPtr, size_t n,
                                           SIMT_LINE);
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* outputPtr, size_t n, float mean,
                                    float stddev, SIMT_LINE);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* outputPtr, size_t n,
                                          double mean, double stddev, SIMT_LINE);
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* outputPtr, size_t n, float mean,
                                       float stddev, SIMT_LINE);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* outputPtr, size_t n,
                                             double mean, double stddev, SIMT_LINE);
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* outputPtr, size_t n,
                                     double lambda, SIMT_LINE);

// An array of 64 dimensions' direction vectors, for curand_init of a curandStateSobol32_t. The scrambled sets are the same
// vectors; the constants scramble.
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                           curandDirectionVectorSet_t set, SIMT_LINE);
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                           curandDirectionVectorSet_t set, SIMT_LINE);
curandStatus_t curandGetScrambleConstants32(unsigned int** constants, SIMT_LINE);
curandStatus_t curandGetScrambleConstants64(unsigned long long** constants, SIMT_LINE);

#undef SIMT_LINE
