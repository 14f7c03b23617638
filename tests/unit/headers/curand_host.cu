// What cuRAND's host generators return: bits and uniform numbers exactly, normal ones to six digits. curand_host.txt is what
// cuRAND 10.4 (CUDA Toolkit 13.0) printed; its host generators need no GPU.
#include <cuda_runtime.h>
#include <curand.h>

#include <cstdio>
#include <vector>

namespace {

void tell(const char* what, curandStatus_t status) {
    if (status != CURAND_STATUS_SUCCESS) std::printf("%s: status %d\n", what, status);
}

struct Case {
    const char* name;
    curandRngType_t type;
    unsigned dimensions;
};

curandGenerator_t made(const Case& one, unsigned long long seed, unsigned long long offset) {
    curandGenerator_t g;
    tell("create", curandCreateGeneratorHost(&g, one.type));
    if (one.type < CURAND_RNG_QUASI_DEFAULT)
        tell("seed", curandSetPseudoRandomGeneratorSeed(g, seed));
    else
        tell("dimensions", curandSetQuasiRandomGeneratorDimensions(g, one.dimensions));
    tell("offset", curandSetGeneratorOffset(g, offset));
    return g;
}

template <class T>
unsigned long long digest(const std::vector<T>& values) {
    unsigned long long sum = 1469598103934665603ull;
    for (const T& value : values) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
        for (size_t i = 0; i < sizeof(T); ++i) sum = (sum ^ bytes[i]) * 1099511628211ull;
    }
    return sum;
}

void show(const Case& one, unsigned long long seed, unsigned long long offset) {
    constexpr size_t n = 6000;
    std::printf("%s, seed %llu, offset %llu\n", one.name, seed, offset);
    const bool is_64 = one.type == CURAND_RNG_QUASI_SOBOL64;
    curandGenerator_t g = made(one, seed, offset);
    if (is_64) {
        std::vector<unsigned long long> bits(n);
        tell("bits", curandGenerateLongLong(g, bits.data(), n));
        std::printf("  bits %016llx %016llx, all %016llx\n", bits[0], bits[1], digest(bits));
    } else {
        std::vector<unsigned> bits(n);
        tell("bits", curandGenerate(g, bits.data(), n));
        std::printf("  bits %08x %08x, all %016llx", bits[0], bits[1], digest(bits));
        tell("bits", curandGenerate(g, bits.data(), n));
        std::printf(", the next %016llx\n", digest(bits));
    }
    curandDestroyGenerator(g);

    g = made(one, seed, offset);
    std::vector<float> values(n);
    tell("uniform", curandGenerateUniform(g, values.data(), n));
    std::printf("  uniform %.9g %.9g, all %016llx\n", values[0], values[1], digest(values));
    tell("normal", curandGenerateNormal(g, values.data(), n, 1, 2));
    std::printf("  normal %.5f %.5f %.5f\n", values[0], values[1], values[n - 1]);
    tell("log normal", curandGenerateLogNormal(g, values.data(), n, 0, 1));
    std::printf("  log normal %.4f %.4f\n", values[0], values[1]);
    curandDestroyGenerator(g);

    g = made(one, seed, offset);
    std::vector<double> doubles(n);
    tell("uniform", curandGenerateUniformDouble(g, doubles.data(), n));
    std::printf("  double %.16g %.16g, all %016llx\n", doubles[0], doubles[1], digest(doubles));
    tell("normal", curandGenerateNormalDouble(g, doubles.data(), n, -1, 0.5));
    std::printf("  normal %.10f %.10f\n", doubles[0], doubles[1]);
    curandDestroyGenerator(g);
}

}  // namespace

int main() {
    const Case cases[] = {{"XORWOW", CURAND_RNG_PSEUDO_XORWOW, 1},
                          {"MRG32K3A", CURAND_RNG_PSEUDO_MRG32K3A, 1},
                          {"PHILOX4_32_10", CURAND_RNG_PSEUDO_PHILOX4_32_10, 1},
                          {"SOBOL32 of 3", CURAND_RNG_QUASI_SOBOL32, 3},
                          {"SOBOL64 of 60", CURAND_RNG_QUASI_SOBOL64, 60}};
    for (const Case& one : cases) {
        show(one, 1234, 0);
        show(one, 0x123456789abcdefull, 7);
    }
}
