// Every device function of the headers, checked against values that hold on a GPU too: this program is compiled with
// nvcc as well, and has passed on an H200. Prints the lines that fail, then "done".
#include <cuda_runtime.h>
#include <math_constants.h>

#include <cstdio>
#include <type_traits>

// ---- sizes, alignments, types --------------------------------------------------------------------------------
#define LAYOUT(type, bytes, alignment) static_assert(sizeof(type) == bytes && alignof(type) == alignment, #type)
LAYOUT(char1, 1, 1);
LAYOUT(char2, 2, 2);
LAYOUT(char3, 3, 1);
LAYOUT(char4, 4, 4);
LAYOUT(uchar1, 1, 1);
LAYOUT(uchar2, 2, 2);
LAYOUT(uchar3, 3, 1);
LAYOUT(uchar4, 4, 4);
LAYOUT(short1, 2, 2);
LAYOUT(short2, 4, 4);
LAYOUT(short3, 6, 2);
LAYOUT(short4, 8, 8);
LAYOUT(ushort1, 2, 2);
LAYOUT(ushort2, 4, 4);
LAYOUT(ushort3, 6, 2);
LAYOUT(ushort4, 8, 8);
LAYOUT(int1, 4, 4);
LAYOUT(int2, 8, 8);
LAYOUT(int3, 12, 4);
LAYOUT(int4, 16, 16);
LAYOUT(uint1, 4, 4);
LAYOUT(uint2, 8, 8);
LAYOUT(uint3, 12, 4);
LAYOUT(uint4, 16, 16);
LAYOUT(long1, 8, 8);
LAYOUT(long2, 16, 16);
LAYOUT(long3, 24, 8);
LAYOUT(ulong1, 8, 8);
LAYOUT(ulong2, 16, 16);
LAYOUT(ulong3, 24, 8);
LAYOUT(long4_16a, 32, 16);
LAYOUT(long4_32a, 32, 32);
LAYOUT(ulong4_16a, 32, 16);
LAYOUT(ulong4_32a, 32, 32);
LAYOUT(longlong1, 8, 8);
LAYOUT(longlong2, 16, 16);
LAYOUT(longlong3, 24, 8);
LAYOUT(longlong4_16a, 32, 16);
LAYOUT(longlong4_32a, 32, 32);
LAYOUT(ulonglong1, 8, 8);
LAYOUT(ulonglong2, 16, 16);
LAYOUT(ulonglong3, 24, 8);
LAYOUT(ulonglong4_16a, 32, 16);
LAYOUT(ulonglong4_32a, 32, 32);
LAYOUT(float1, 4, 4);
LAYOUT(float2, 8, 8);
LAYOUT(float3, 12, 4);
LAYOUT(float4, 16, 16);
LAYOUT(double1, 8, 8);
LAYOUT(double2, 16, 16);
LAYOUT(double3, 24, 8);
LAYOUT(double4_16a, 32, 16);
LAYOUT(double4_32a, 32, 32);
LAYOUT(dim3, 12, 4);
LAYOUT(cudaDeviceProp, 1008, 8);
LAYOUT(cudaFuncAttributes, 144, 8);
LAYOUT(cudaPointerAttributes, 88, 8);

static_assert(std::is_aggregate_v<float4> && std::is_trivially_default_constructible_v<float4>);
static_assert(std::is_trivially_copy_constructible_v<float4> && std::is_standard_layout_v<float4>);
static_assert(std::is_same_v<decltype(float4::x), float> && std::is_same_v<decltype(uchar4::w), unsigned char>);
static_assert(std::is_same_v<decltype(char2::x), signed char> && std::is_same_v<decltype(ulong2::y), unsigned long>);
static_assert(std::is_same_v<decltype(make_short4(1, 2, 3, 4)), short4>);
static_assert(std::is_convertible_v<unsigned, dim3> && std::is_convertible_v<uint3, dim3> && std::is_convertible_v<dim3, uint3>);
static_assert(!std::is_convertible_v<float, float4> && !std::is_convertible_v<float4, float>);
static_assert(cudaErrorIllegalAddress == 700 && cudaDevAttrMultiProcessorCount == 16 && cudaMemcpyDefault == 4);

constexpr float4 constant_vector = {1.0f, 2.0f};
static_assert(constant_vector.y == 2.0f && constant_vector.w == 0.0f);
constexpr dim3 constant_grid(4, 5);
static_assert(constant_grid.x == 4 && constant_grid.y == 5 && constant_grid.z == 1);

union Parts {
    float4 whole;
    float part[4];
};

// ---- the checks ------------------------------------------------------------------------------------------------
constexpr int most_failures = 64;
struct Failures {
    int count;
    int lines[most_failures];
};
__device__ Failures failures;

__device__ void note(int line) {
    const int i = atomicAdd(&failures.count, 1);
    if (i < most_failures) failures.lines[i] = line;
}
#define CHECK(condition) \
    do {                 \
        if (!(condition)) note(__LINE__); \
    } while (0)
#define CHECK_SAME(type, expression, value)                                        \
    do {                                                                           \
        static_assert(std::is_same_v<decltype(expression), type>, #expression);    \
        CHECK((expression) == (value));                                            \
    } while (0)
#define CHECK_NEAR(expression, value, relative)                                                      \
    do {                                                                                             \
        const double got_ = (expression), want_ = (value);                                           \
        CHECK(fabs(got_ - want_) <= (relative) * fmax(fabs(want_), 1e-30));                          \
    } while (0)

__device__ void check_vectors() {
    float4 v = {1, 2, 3, 4};
    float4 w = make_float4(5, 6, 7, 8);
    v = w;
    CHECK(v.x == 5 && v.y == 6 && v.z == 7 && v.w == 8);
    v.x = 9;
    CHECK(v.x == 9 && w.x == 5);
    float4 zeros[4] = {0};
    CHECK(zeros[0].x == 0 && zeros[3].w == 0);
    int2 flat[2] = {1, 2, 3, 4};
    CHECK(flat[0].y == 2 && flat[1].x == 3);
    double2 d{};
    CHECK(d.x == 0 && d.y == 0);
    const auto [a, b] = make_int2(3, 4);
    CHECK(a == 3 && b == 4);
    Parts parts;
    parts.whole = make_float4(1, 2, 3, 4);
    CHECK(parts.part[2] == 3);
    alignas(16) float numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    CHECK(reinterpret_cast<float4*>(numbers)[1].z == 6);
    reinterpret_cast<float4*>(numbers)[0] = {9, 8, 7, 6};
    CHECK(numbers[0] == 9 && numbers[3] == 6 && numbers[4] == 4);
    uchar4 bytes = make_uchar4(1, 2, 3, 255);
    uchar4 copy = bytes;
    CHECK(copy.w == 255 && copy.z == 3);
    longlong4_16a big = make_longlong4_16a(1, -2, 3, -4);
    longlong4_16a other;
    other = big;
    CHECK(other.x == 1 && other.w == -4);
    float4 chosen = a == 3 ? w : v;
    CHECK(chosen.y == 6);
    const int3 three = make_int3(1, 2, 3);
    CHECK(three.z == 3);
}

__device__ void check_indices() {
    const uint3 t = threadIdx;
    const dim3 d = blockDim;
    const dim3 g = gridDim;
    CHECK(t.x == threadIdx.x && d.x == 64 && d.y == 1 && g.x == 1 && blockIdx.x == 0);
    static_assert(std::is_same_v<decltype(threadIdx.x + 0u), unsigned>);
    CHECK(warpSize == 32);
    const auto x = threadIdx.x;
    CHECK(min(x, 1000u) == t.x);
}

__device__ void check_integers() {
    CHECK_SAME(int, __popc(0xf0f0u), 8);
    CHECK_SAME(int, __popcll(0xffff0000ffffull), 32);
    CHECK_SAME(int, __clz(1), 31);
    CHECK(__clz(0) == 32 && __clz(-1) == 0 && __clzll(1) == 63 && __clzll(0) == 64);
    CHECK(__ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1ll << 40) == 41);
    CHECK_SAME(unsigned, __brev(1u), 0x80000000u);
    CHECK(__brev(0x12345678u) == 0x1e6a2c48u && __brevll(1ull) == 1ull << 63);
    CHECK(__byte_perm(0x33221100u, 0x77665544u, 0x7531u) == 0x77553311u);
    CHECK(__byte_perm(0x000000ffu, 0u, 0x8888u) == 0xffffffffu);
    CHECK(__funnelshift_l(0x80000000u, 1u, 1u) == 3u && __funnelshift_r(2u, 1u, 1u) == 0x80000001u);
    CHECK(__funnelshift_lc(5u, 6u, 40u) == 5u && __funnelshift_rc(5u, 6u, 40u) == 6u && __funnelshift_l(5u, 6u, 32u) == 6u);
    CHECK(__mulhi(-2, 0x40000000) == -1 && __umulhi(0xffffffffu, 2u) == 1u);
    CHECK(__mul64hi(-1, 1) == -1 && __umul64hi(~0ull, 2ull) == 1ull);
    CHECK(__mul24(-3, 5) == -15 && __umul24(0xff000003u, 5u) == 15u && __mul24(0x00800000, 1) == (int)0xff800000);
    CHECK(__hadd(-3, 4) == 0 && __rhadd(-3, 4) == 1 && __uhadd(0xffffffffu, 1u) == 0x80000000u && __urhadd(1u, 2u) == 2u);
    CHECK(__sad(-2, 3, 10u) == 15u && __usad(2u, 5u, 1u) == 4u);
    CHECK(__dp4a(0x01020304, 0x01010101, 5) == 15 && __dp4a((int)0xffffffff, 0x01010101, 0) == -4);
    CHECK(__dp4a(0xffffffffu, 0x01010101u, 0u) == 1020u);
}

__device__ void check_min_max() {
    CHECK_SAME(int, min(-1, 1), -1);
    CHECK_SAME(unsigned, min(-1, 1u), 1u);
    CHECK_SAME(unsigned, max(1u, -1), 0xffffffffu);
    CHECK_SAME(long, min(-1l, 1l), -1l);
    CHECK_SAME(unsigned long, max(-1l, 1ul), ~0ul);
    CHECK_SAME(unsigned long, min(1ul, 2ul), 1ul);
    CHECK_SAME(long long, max(-1ll, 1ll), 1ll);
    CHECK_SAME(unsigned long long, min(-1ll, 1ull), 1ull);
    CHECK_SAME(unsigned long long, max(5ull, -1ll), ~0ull);
    CHECK_SAME(float, min(1.5f, 2.5f), 1.5f);
    CHECK_SAME(double, max(1.5f, 2.5), 2.5);
    CHECK_SAME(double, min(1.5, 2.5f), 1.5);
    CHECK_SAME(double, max(1.5, 2.5), 2.5);
    CHECK(min(CUDART_NAN_F, 1.0f) == 1.0f && max(2.0f, CUDART_NAN_F) == 2.0f && fminf(1.0f, CUDART_NAN_F) == 1.0f);
    CHECK(umin(1u, 2u) == 1u && umax(1u, 2u) == 2u && llmin(-1ll, 1ll) == -1ll && ullmax(1ull, ~0ull) == ~0ull);
    CHECK_SAME(float, abs(-1.5f), 1.5f);
    CHECK_SAME(int, abs(-3), 3);
    CHECK_SAME(double, fabs(-1.5), 1.5);
    CHECK_SAME(float, sqrt(4.0f), 2.0f);
    CHECK_SAME(float, pow(2.0f, 3.0f), 8.0f);
    CHECK_SAME(float, floor(1.5f), 1.0f);
}

__device__ void check_bits_and_conversions() {
    CHECK_SAME(int, __float_as_int(1.0f), 0x3f800000);
    CHECK_SAME(unsigned, __float_as_uint(-0.0f), 0x80000000u);
    CHECK(__int_as_float(0x40000000) == 2.0f && __uint_as_float(0x3f000000u) == 0.5f);
    CHECK(__double_as_longlong(1.0) == 0x3ff0000000000000ll && __longlong_as_double(0x4000000000000000ll) == 2.0);
    CHECK(__double2hiint(1.0) == 0x3ff00000 && __double2loint(1.0) == 0 && __hiloint2double(0x40000000, 0) == 2.0);
    CHECK_SAME(int, __float2int_rn(2.5f), 2);
    CHECK(__float2int_rn(3.5f) == 4 && __float2int_rz(-2.7f) == -2 && __float2int_ru(2.1f) == 3 && __float2int_rd(-2.1f) == -3);
    CHECK(__float2int_rz(1e20f) == 2147483647 && __float2int_rz(-1e20f) == -2147483647 - 1 && __float2int_rz(CUDART_NAN_F) == 0);
    CHECK(__float2uint_rz(-5.0f) == 0u && __float2uint_rz(1e20f) == 0xffffffffu && __float2uint_rn(2.5f) == 2u);
    CHECK(__double2int_rn(-2.5) == -2 && __double2int_rz(2.9) == 2 && __double2uint_ru(2.1) == 3u);
    CHECK(__float2ll_rz(-3e9f) == -3000000000ll && __double2ll_rd(-0.5) == -1 && __double2ull_rz(5.5) == 5ull);
    CHECK(__float2ull_rz(1e30f) == ~0ull && __double2ll_rz(1e30) == 9223372036854775807ll);
    CHECK(__int2float_rn(16777217) == 16777216.0f && __int2float_ru(16777217) == 16777218.0f);
    CHECK(__int2float_rd(-16777217) == -16777218.0f && __int2float_rz(-16777217) == -16777216.0f);
    CHECK(__uint2float_rn(4294967295u) == 4294967296.0f && __uint2float_rz(4294967295u) == 4294967040.0f);
    CHECK(__ll2float_rn(1ll << 40) == 1099511627776.0f && __ull2double_rn(1ull << 60) == 1152921504606846976.0);
    CHECK(__double2float_rn(0.1) == 0.1f && __double2float_rd(0.1) < 0.1 && __double2float_ru(0.1) > 0.1);
    CHECK(__int2double_rn(-7) == -7.0 && __uint2double_rn(7u) == 7.0);
}

__device__ void check_rounding() {
    const float third_down = __fdiv_rd(1.0f, 3.0f), third_up = __fdiv_ru(1.0f, 3.0f);
    CHECK(__float_as_int(third_up) == __float_as_int(third_down) + 1);
    CHECK(__fdiv_rn(1.0f, 3.0f) == 1.0f / 3.0f && __fdiv_rz(-1.0f, 3.0f) == -third_down);
    CHECK(__fadd_ru(1.0f, 1e-10f) > 1.0f && __fadd_rd(1.0f, 1e-10f) == 1.0f && __fadd_rz(1.0f, -1e-10f) < 1.0f);
    CHECK(__fsub_rd(1.0f, 1e-10f) < 1.0f && __fsub_rn(1.0f, 1e-10f) == 1.0f && __fadd_rn(1.0f, 2.0f) == 3.0f);
    CHECK(__fmul_ru(0.1f, 0.1f) > __fmul_rd(0.1f, 0.1f) && __fmul_rn(3.0f, 4.0f) == 12.0f && __fmul_rz(3.0f, 4.0f) == 12.0f);
    CHECK(__fmaf_rn(2.0f, 3.0f, 4.0f) == 10.0f && __fmaf_ru(1.0f, 1.0f, 1e-10f) > 1.0f && __fmaf_rz(1.0f, 1.0f, 1e-10f) == 1.0f);
    const float one_up = __int_as_float(0x3f800001);
    CHECK(__fmaf_rn(one_up, one_up, -__fmul_rn(one_up, one_up)) == 1.4210854715202004e-14f);
    CHECK(__frcp_rn(4.0f) == 0.25f && __frcp_ru(3.0f) == third_up && __fsqrt_rn(2.0f) == sqrtf(2.0f));
    CHECK(__fsqrt_rd(2.0f) < __fsqrt_ru(2.0f) && __frsqrt_rn(4.0f) == 0.5f);
    CHECK(__dadd_ru(1.0, 1e-30) > 1.0 && __dsub_rd(1.0, 1e-30) < 1.0 && __dmul_rn(3.0, 4.0) == 12.0 && __ddiv_rn(1.0, 4.0) == 0.25);
    CHECK(__ddiv_rd(1.0, 3.0) < __ddiv_ru(1.0, 3.0) && __drcp_rn(8.0) == 0.125 && __dsqrt_rz(4.0) == 2.0 && __fma_rn(2.0, 3.0, 1.0) == 7.0);
}

__device__ void check_mathematics() {
    CHECK_NEAR(rsqrtf(4.0f), 0.5, 1e-6);
    CHECK_NEAR(rsqrt(16.0), 0.25, 1e-15);
    CHECK_NEAR(rcbrtf(8.0f), 0.5, 1e-6);
    CHECK_NEAR(__expf(1.0f), CUDART_L2E ? 2.718281828459045 : 0, 1e-5);
    CHECK_NEAR(__logf(10.0f), CUDART_LNT, 1e-5);
    CHECK_NEAR(__log2f(8.0f), 3.0, 1e-5);
    CHECK_NEAR(__log10f(100.0f), 2.0, 1e-5);
    CHECK_NEAR(__exp10f(2.0f), 100.0, 1e-4);
    CHECK_NEAR(__powf(2.0f, 10.0f), 1024.0, 1e-4);
    CHECK_NEAR(__sinf(1.0f), 0.8414709848078965, 1e-4);
    CHECK_NEAR(__cosf(1.0f), 0.5403023058681398, 1e-4);
    CHECK_NEAR(__tanf(1.0f), 1.5574077246549023, 1e-4);
    CHECK_NEAR(__fdividef(1.0f, 3.0f), 1.0 / 3.0, 1e-6);
    CHECK(__saturatef(-1.0f) == 0.0f && __saturatef(0.25f) == 0.25f && __saturatef(7.0f) == 1.0f && __saturatef(CUDART_NAN_F) == 0.0f);
    CHECK_NEAR(exp10f(3.0f), 1000.0, 1e-6);
    CHECK_NEAR(exp10(2.0), 100.0, 1e-14);
    CHECK(sinpif(1.0f) == 0.0f && cospif(0.5f) == 0.0f && sinpi(0.5) == 1.0 && cospi(1.0) == -1.0);
    CHECK_NEAR(sinpi(0.25), 0.7071067811865476, 1e-15);
    CHECK_NEAR(cospi(-1.75), 0.7071067811865476, 1e-15);
    CHECK_NEAR(hypotf(3.0f, 4.0f), 5.0, 1e-6);
    CHECK_NEAR(rhypot(3.0, 4.0), 0.2, 1e-15);
    CHECK_NEAR(norm3d(2.0, 3.0, 6.0), 7.0, 1e-15);
    CHECK_NEAR(norm4df(1.0f, 1.0f, 1.0f, 1.0f), 2.0, 1e-6);
    CHECK_NEAR(rnorm3df(2.0f, 3.0f, 6.0f), 1.0 / 7.0, 1e-6);
    CHECK_NEAR(erff(0.5f), 0.5204998778130465, 1e-6);
    CHECK_NEAR(erfinv(0.5), 0.4769362762044699, 1e-14);
    CHECK_NEAR(erfinv(0.001), 0.0008862271574665521, 1e-13);
    CHECK_NEAR(erfinv(-0.999999), -3.4589107372795, 1e-11);
    CHECK_NEAR(erfcinv(0.5), 0.4769362762044699, 1e-14);
    CHECK_NEAR(erfcinv(1e-10), 4.572824967389486, 1e-13);
    CHECK_NEAR(erfcx(2.0), 0.2553956763105057, 1e-14);
    CHECK_NEAR(erfcx(30.0), 0.018795888861416751, 1e-14);
    CHECK_NEAR(normcdf(1.0), 0.8413447460685429, 1e-15);
    CHECK_NEAR(normcdfinv(0.975), 1.959963984540054, 1e-14);
    CHECK_NEAR(normcdfinvf(0.025f), -1.959963984540054, 1e-5);
    CHECK_NEAR(cyl_bessel_i0(1.0), 1.2660658777520084, 1e-14);
    CHECK_NEAR(cyl_bessel_i1f(1.0f), 0.5651591039924851, 1e-6);
    CHECK_NEAR(j0(1.0), 0.7651976865579666, 1e-14);
    CHECK_NEAR(tgamma(5.0), 24.0, 1e-14);
    CHECK_NEAR(lgammaf(10.0f), 12.801827480081469, 1e-6);
    CHECK_NEAR(log1pf(1e-5f), 9.99995000033333e-06, 1e-6);
    CHECK_NEAR(cbrt(27.0), 3.0, 1e-15);
    CHECK(fdividef(6.0f, 3.0f) == 2.0f && fmaf(2.0f, 3.0f, 4.0f) == 10.0f && copysignf(1.0f, -2.0f) == -1.0f);
    CHECK(isnan(CUDART_NAN_F) && isinf(CUDART_INF_F) && !isfinite(CUDART_INF) && signbit(CUDART_NEG_ZERO));
    CHECK(rintf(2.5f) == 2.0f && roundf(2.5f) == 3.0f && truncf(-2.5f) == -2.0f && fmodf(7.0f, 4.0f) == 3.0f);
    CHECK(lrintf(2.5f) == 2 && llround(2.5) == 3 && ldexpf(1.0f, 4) == 16.0f && nextafterf(1.0f, 2.0f) > 1.0f);
    float s, c;
    sincosf(1.0f, &s, &c);
    CHECK_NEAR(s, 0.8414709848078965, 1e-6);
    CHECK_NEAR(c, 0.5403023058681398, 1e-6);
    __sincosf(1.0f, &s, &c);
    CHECK_NEAR(s, 0.8414709848078965, 1e-4);
    double sd, cd;
    sincos(1.0, &sd, &cd);
    CHECK_NEAR(cd, 0.5403023058681398, 1e-15);
    sincospi(0.5, &sd, &cd);
    CHECK(sd == 1.0 && cd == 0.0);
    int exponent;
    float whole;
    CHECK(frexpf(8.0f, &exponent) == 0.5f && exponent == 4);
    CHECK(modff(2.75f, &whole) == 0.75f && whole == 2.0f);
    CHECK(remquof(7.0f, 2.0f, &exponent) == -1.0f && (exponent & 7) == 4);
}

// ---- warps: 64 threads, two warps ----------------------------------------------------------------------------
template <class T>
__device__ void check_shuffles(int line) {
    const unsigned all = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    const T mine = (T)(lane + 1);
    bool ok = __shfl_sync(all, mine, 5) == (T)6;
    ok = ok && __shfl_sync(all, mine, 33) == (T)2;  // the source wraps around
    ok = ok && __shfl_sync(all, mine, 3, 8) == (T)(lane / 8 * 8 + 4);
    ok = ok && __shfl_up_sync(all, mine, 1) == (T)(lane == 0 ? 1 : lane);
    ok = ok && __shfl_up_sync(all, mine, 2, 4) == (T)(lane % 4 < 2 ? lane + 1 : lane - 1);
    ok = ok && __shfl_down_sync(all, mine, 1) == (T)(lane == 31 ? 32 : lane + 2);
    ok = ok && __shfl_down_sync(all, mine, 4, 16) == (T)(lane % 16 + 4 < 16 ? lane + 5 : lane + 1);
    ok = ok && __shfl_xor_sync(all, mine, 1) == (T)((lane ^ 1) + 1);
    ok = ok && __shfl_xor_sync(all, mine, 16) == (T)((lane ^ 16) + 1);
    static_assert(std::is_same_v<decltype(__shfl_sync(all, mine, 0)), T>);
    if (!ok) note(line);
}

__device__ void check_warps() {
    check_shuffles<int>(__LINE__);
    check_shuffles<unsigned>(__LINE__);
    check_shuffles<long>(__LINE__);
    check_shuffles<unsigned long>(__LINE__);
    check_shuffles<long long>(__LINE__);
    check_shuffles<unsigned long long>(__LINE__);
    check_shuffles<float>(__LINE__);
    check_shuffles<double>(__LINE__);
    const unsigned all = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    CHECK(__shfl_sync(all, -1.5, 7) == -1.5 && __shfl_sync(all, -3ll, 7) == -3ll && __shfl_sync(all, -3, 7) == -3);
    CHECK_SAME(unsigned, __ballot_sync(all, lane < 4), 0xfu);
    CHECK(__any_sync(all, lane == 7));
    CHECK(__all_sync(all, 2) && !__all_sync(all, lane != 3) && !__any_sync(all, 0));
    CHECK(__activemask() == all);
    CHECK(__match_any_sync(all, lane / 8) == 0xffu << (lane / 8 * 8));
    CHECK(__match_any_sync(all, (double)(lane % 2)) == (lane % 2 ? 0xaaaaaaaau : 0x55555555u));
    int same = -1;
    CHECK(__match_all_sync(all, 7ll, &same) == all && same == 1);
    CHECK(__match_all_sync(all, lane, &same) == 0u && same == 0);
    CHECK_SAME(unsigned, __reduce_add_sync(all, (unsigned)lane), 496u);
    CHECK_SAME(int, __reduce_add_sync(all, lane - 16), -16);
    CHECK(__reduce_min_sync(all, lane - 5) == -5 && __reduce_max_sync(all, lane - 40) == -9);
    CHECK(__reduce_min_sync(all, (unsigned)lane + 3u) == 3u && __reduce_max_sync(all, (unsigned)(lane - 5)) == 0xffffffffu);
    CHECK(__reduce_and_sync(all, 0xf0u | (unsigned)lane) == 0xf0u && __reduce_or_sync(all, 1u << lane) == all);
    CHECK(__reduce_xor_sync(all, (unsigned)lane) == 0u);
    if (lane < 8) {
        CHECK(__shfl_down_sync(0xffu, lane, 1, 8) == (lane == 7 ? 7 : lane + 1));
        CHECK(__ballot_sync(0xffu, lane & 1) == 0xaau);
        __syncwarp(0xffu);
    }
    __syncwarp();
}

// ---- atomics: by one thread, values known ----------------------------------------------------------------------
template <class T>
__device__ void check_add(int line) {
    __shared__ T cell;
    cell = (T)5;
    bool ok = atomicAdd(&cell, (T)3) == (T)5 && atomicAdd_block(&cell, (T)1) == (T)8 && atomicAdd_system(&cell, (T)1) == (T)9;
    if (!ok || cell != (T)10) note(line);
}
template <class T>
__device__ void check_exchange(int line) {
    __shared__ T cell;
    cell = (T)5;
    if (atomicExch(&cell, (T)3) != (T)5 || atomicExch_block(&cell, (T)4) != (T)3 || atomicExch_system(&cell, (T)6) != (T)4 || cell != (T)6)
        note(line);
}
template <class T>
__device__ void check_swap(int line) {
    __shared__ T cell;
    cell = (T)5;
    if (atomicCAS(&cell, (T)4, (T)9) != (T)5 || cell != (T)5) note(line);
    if (atomicCAS(&cell, (T)5, (T)9) != (T)5 || cell != (T)9) note(line);
}
template <class T>
__device__ void check_range(int line) {
    __shared__ T cell;
    const bool is_signed = (T)-1 < (T)0;
    cell = (T)5;
    bool ok = atomicMin(&cell, (T)3) == (T)5 && atomicMin(&cell, (T)-1) == (T)3 && cell == (is_signed ? (T)-1 : (T)3);
    cell = (T)5;
    ok = ok && atomicMax(&cell, (T)7) == (T)5 && atomicMax(&cell, (T)-1) == (T)7 && cell == (is_signed ? (T)7 : (T)-1);
    ok = ok && atomicMin_block(&cell, (T)2) == (is_signed ? (T)7 : (T)-1) && atomicMax_system(&cell, (T)4) == (T)2 && cell == (T)4;
    if (!ok) note(line);
}
template <class T>
__device__ void check_logic(int line) {
    __shared__ T cell;
    cell = (T)0xcc;
    bool ok = atomicAnd(&cell, (T)0xf0) == (T)0xcc && atomicOr(&cell, (T)0x0a) == (T)0xc0 && atomicXor(&cell, (T)0xff) == (T)0xca;
    ok = ok && atomicAnd_block(&cell, (T)0x30) == (T)0x35 && atomicOr_system(&cell, (T)1) == (T)0x30 && atomicXor_block(&cell, (T)1) == (T)0x31;
    if (!ok || cell != (T)0x30) note(line);
}

__device__ void check_atomics() {
    check_add<int>(__LINE__);
    check_add<unsigned>(__LINE__);
    check_add<unsigned long long>(__LINE__);
    check_add<float>(__LINE__);
    check_add<double>(__LINE__);
    check_exchange<int>(__LINE__);
    check_exchange<unsigned>(__LINE__);
    check_exchange<unsigned long long>(__LINE__);
    check_exchange<float>(__LINE__);
    check_swap<int>(__LINE__);
    check_swap<unsigned>(__LINE__);
    check_swap<unsigned long long>(__LINE__);
    check_swap<unsigned short>(__LINE__);
    check_range<int>(__LINE__);
    check_range<unsigned>(__LINE__);
    check_range<long long>(__LINE__);
    check_range<unsigned long long>(__LINE__);
    check_logic<int>(__LINE__);
    check_logic<unsigned>(__LINE__);
    check_logic<long long>(__LINE__);
    check_logic<unsigned long long>(__LINE__);
    __shared__ int i;
    i = 10;
    CHECK(atomicSub(&i, 3) == 10 && i == 7);
    __shared__ unsigned u;
    u = 10;
    CHECK(atomicSub(&u, 3u) == 10u && u == 7u);
    u = 2;
    CHECK(atomicInc(&u, 3u) == 2u && u == 3u && atomicInc(&u, 3u) == 3u && u == 0u);
    CHECK(atomicDec(&u, 3u) == 0u && u == 3u && atomicDec(&u, 3u) == 3u && u == 2u);
    u = 9;
    CHECK(atomicDec(&u, 3u) == 9u && u == 3u && atomicInc_block(&u, 9u) == 3u && atomicDec_system(&u, 9u) == 4u);
    static_assert(std::is_same_v<decltype(atomicAdd(&u, 1)), unsigned>);
}

__device__ float pair_sums[4];
__device__ void check_global_atomics() {
    float2* two = reinterpret_cast<float2*>(pair_sums);
    const float2 old = atomicAdd(two, make_float2(1, 2));
    CHECK(old.x == 0 && old.y == 0 && pair_sums[1] == 2);
}

__device__ int stored[8];
__device__ const int loaded[4] = {1, 2, 3, 4};
__device__ void check_hints() {
    CHECK(__ldg(&loaded[1]) == 2 && __ldcg(&loaded[2]) == 3 && __ldcs(&loaded[3]) == 4 && __ldca(&loaded[0]) == 1);
    __stcg(&stored[0], 5);
    __stcs(&stored[1], 6);
    __stwb(&stored[2], 7);
    __stwt(&stored[3], 8);
    CHECK(__ldcv(&stored[0]) == 5 && stored[1] == 6 && stored[2] == 7 && stored[3] == 8);
    __threadfence();
    __threadfence_block();
    __threadfence_system();
    const long long before = clock64();
    CHECK(clock64() >= before);
    CHECK(clock() != -1);
    __nanosleep(10);
}

__global__ void __launch_bounds__(64) check_all() {
    check_indices();
    check_warps();
    CHECK(__syncthreads_count(threadIdx.x < 10) == 10);
    CHECK(__syncthreads_and(1) != 0 && __syncthreads_and(threadIdx.x != 3) == 0);
    CHECK(__syncthreads_or(threadIdx.x == 63) != 0 && __syncthreads_or(0) == 0);
    __syncthreads();
    if (threadIdx.x != 0) return;
    check_vectors();
    check_integers();
    check_min_max();
    check_bits_and_conversions();
    check_rounding();
    check_mathematics();
    check_atomics();
    check_global_atomics();
    check_hints();
}

int main() {
    check_all<<<1, 64>>>();
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    Failures host;
    if (error == cudaSuccess) error = cudaMemcpyFromSymbol(&host, failures, sizeof host);
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        return 2;
    }
    for (int i = 0; i < host.count && i < most_failures; ++i) printf("line %d fails\n", host.lines[i]);
    printf("done, %d failures\n", host.count);
    return host.count != 0;
}
