// half and bfloat16: the arithmetic against that of a wider type, programs that use it, and what the machine finds in them.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "simt/include/simt/sixteen/format.h"
#include "tests/unit/headers/programs.h"

using lab::headers::check_library;
using lab::headers::is_found;
using lab::headers::run_text;
using simt::cuda::BF16;
using simt::cuda::F16;
using simt::cuda::Rounding;
namespace exact = simt::cuda::exact;

namespace {

__extension__ using Wide = __float128;  // 113 bits

// Made from the bits by what the formats' definition says.
template <class F>
double value_of(unsigned bits) {
    const int exponent = static_cast<int>(bits & 0x7fff) >> F::fraction,
              fraction = static_cast<int>(bits) & ((1 << F::fraction) - 1);
    const int whole = exponent == 0 ? fraction : fraction + (1 << F::fraction);
    const double size = std::ldexp(whole, (exponent == 0 ? 1 : exponent) - F::bias - F::fraction);
    return (bits & 0x8000) != 0 ? -size : size;
}

// The numbers on both sides of x, found by halving; x >= 0.
template <class F>
unsigned below(Wide x) {
    unsigned low = 0, high = F::infinity;
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        (value_of<F>(middle) <= x ? low : high) = middle;
    }
    return low;
}
template <class F>
unsigned nearest(Wide x) {
    const unsigned sign = x < 0 ? 0x8000 : 0;
    if (x < 0) x = -x;
    const unsigned low = below<F>(x);
    // The first number that is too large counts as one for rounding.
    const Wide step = Wide(value_of<F>(low + 1)) - x, back = x - value_of<F>(low);
    return sign | (step < back || (step == back && (low & 1) != 0) ? low + 1 : low);
}

template <class F>
int wrong_roundings() {
    int wrong = 0;
    for (unsigned low = 0; low + 1 < F::infinity; ++low) {
        const double a = value_of<F>(low), b = value_of<F>(low + 1), middle = (a + b) / 2;
        const double above = std::nextafter(middle, b), under = std::nextafter(middle, a);
        const unsigned even = low + (low & 1);
        wrong += exact::narrow<F>(middle, Rounding::nearest) != even;
        wrong += exact::narrow<F>(above, Rounding::nearest) != low + 1;
        wrong += exact::narrow<F>(under, Rounding::nearest) != low;
        wrong += exact::narrow<F>(static_cast<float>(middle)) != even;
        wrong += exact::narrow<F>(a, Rounding::up) != low;
        wrong += exact::narrow<F>(middle, Rounding::up) != low + 1;
        wrong += exact::narrow<F>(middle, Rounding::down) != low;
        wrong += exact::narrow<F>(middle, Rounding::zero) != low;
        wrong += exact::narrow<F>(-middle, Rounding::nearest) != (even | 0x8000);
        wrong += exact::narrow<F>(-middle, Rounding::up) != (low | 0x8000);
        wrong += exact::narrow<F>(-middle, Rounding::down) != ((low + 1) | 0x8000);
        wrong += double{exact::widen<F>(static_cast<uint16_t>(low))} != a;
        wrong += double{exact::widen<F>(static_cast<uint16_t>(low | 0x8000))} != -a;
    }
    return wrong;
}

// a * b + c of numbers with exponents near each other and far apart; a float128 holds the exact result where it is one of
// F16, and loses only what is too small to matter where it is none of BF16's ties.
template <class F>
int wrong_fused() {
    std::mt19937 random(7);
    int wrong = 0;
    for (int i = 0; i < 300000; ++i) {
        const auto number = [&](unsigned exponents) {
            const unsigned exponent = (F::bias - exponents / 2 + random() % exponents);
            return static_cast<uint16_t>((random() & 0x8000) | exponent << F::fraction |
                                         (random() & ((1u << F::fraction) - 1)));
        };
        const unsigned exponents = i % 3 == 0 ? 4 : 24;
        const uint16_t a = number(exponents), b = number(exponents), c = number(exponents);
        const Wide sum = Wide(value_of<F>(a)) * value_of<F>(b) + value_of<F>(c);
        const unsigned result = exact::fused<F>(a, b, c);
        wrong += sum == 0 ? (result & 0x7fff) != 0 : result != nearest<F>(sum);
    }
    return wrong;
}

template <class F>
int wrong_sums_and_products() {
    std::mt19937 random(8);
    int wrong = 0;
    for (int i = 0; i < 300000; ++i) {
        const auto a = static_cast<uint16_t>(random() % F::infinity | (random() & 0x8000)),
                   b = static_cast<uint16_t>(random() % F::infinity | (random() & 0x8000));
        const float x = exact::widen<F>(a), y = exact::widen<F>(b);
        const Wide sum = Wide(x) + y, product = Wide(x) * y;
        if (sum != 0) wrong += exact::narrow<F>(x + y) != nearest<F>(sum);
        if (product != 0) wrong += exact::narrow<F>(x * y) != nearest<F>(product);
    }
    return wrong;
}

// `kernel` is the body of one over a __half* p of 64 numbers that are all 1; its first line is line 1.
lab::Run run_kernel(const std::string& kernel) {
    return run_text(
        "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cstdio>\n"
        "__global__ void k(half* p) {\n#line 1\n" +
        kernel +
        "\n}\nint main() {\nhalf *d_p, h[64];\nfor (half& x : h) x = 1;\ncudaMalloc(&d_p, sizeof h);\n"
        "cudaMemcpy(d_p, h, sizeof h, cudaMemcpyHostToDevice);\nk<<<1, 32>>>(d_p);\n"
        "cudaMemcpy(h, d_p, sizeof h, cudaMemcpyDeviceToHost);\nprintf(\"%g\", "
        "(float)h[0]);\ncudaFree(d_p);\n}\n");
}

}  // namespace

TEST_CASE("numbers are rounded to the nearest, ties to even, and in the directions that are asked for") {
    CHECK(wrong_roundings<F16>() == 0);
    CHECK(wrong_roundings<BF16>() == 0);
}

TEST_CASE("sums, products and fused ones of 16 bits are the exact results, rounded once") {
    CHECK(wrong_sums_and_products<F16>() == 0);
    CHECK(wrong_sums_and_products<BF16>() == 0);
    CHECK(wrong_fused<F16>() == 0);
    CHECK(wrong_fused<BF16>() == 0);
}

TEST_CASE("cuda_fp16.h and cuda_bf16.h give a GPU's bits, on host and device, checked and in fast mode") {
    check_library("sixteen.cu");
}

TEST_CASE("a half2 is one access of 4 bytes") {
    const lab::Run result =
        run_kernel("half2* q = (half2*)p;\nconst half2 v = q[threadIdx.x];\nq[threadIdx.x] = v + v;");
    CHECK(result.output == "2");
    for (const lab::Finding& f : result.findings) FAIL_CHECK(f.message);
    REQUIRE(result.kernels.size() == 1);
    CHECK(result.kernels[0].metrics.at("global_load_requests") == 1);
    CHECK(result.kernels[0].metrics.at("global_store_requests") == 1);
    CHECK(result.kernels[0].metrics.at("global_load_sectors") == 4);
}

TEST_CASE("faults around half numbers are found where they are") {
    CHECK(is_found(run_kernel("p[threadIdx.x + 33] = p[threadIdx.x] * p[threadIdx.x];"), "oob-global", 1));
    CHECK(is_found(run_kernel("\nhalf2 v = *(half2*)(p + 1);\np[0] = v.x;"), "misaligned", 2));
    CHECK(is_found(run_kernel("\natomicAdd((half2*)(p + 1), half2(1, 1));"), "misaligned", 2));
    CHECK(is_found(run_kernel("\np[0] = __hadd(p[0], half(threadIdx.x));"), "warp-race", 2));
    CHECK(is_found(run_kernel("__shared__ half s[32];\np[threadIdx.x] = s[threadIdx.x] + half(1);"),
                   "uninit-shared", 2));
    CHECK(is_found(run_kernel("\nif (threadIdx.x < 16) p[0] = __shfl_sync(0xffffu, p[1], 20);"), "shfl-mask",
                   2));
    const lab::Run atomic = run_kernel("atomicAdd(p, half(1));");
    CHECK(atomic.output == "33");
    for (const lab::Finding& f : atomic.findings) FAIL_CHECK(f.message);
}
