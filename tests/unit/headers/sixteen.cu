// cuda_fp16.h and cuda_bf16.h: results bit by bit, on the device and on the host.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>

static int failures = 0;

static void expect(const char* what, unsigned got, unsigned wanted) {
    if (got == wanted) return;
    std::printf("%s: %08x, not %08x\n", what, got, wanted);
    ++failures;
}

constexpr int most = 160;
struct Results {
    int count;
    unsigned bits[most], wanted[most];
};

__host__ __device__ void note(Results& r, unsigned bits, unsigned wanted) {
    r.bits[r.count] = bits;
    r.wanted[r.count++] = wanted;
}
__host__ __device__ unsigned bits(half x) {
    return __half_as_ushort(x);
}
__host__ __device__ unsigned bits(nv_bfloat16 x) {
    return __bfloat16_as_ushort(x);
}
__host__ __device__ unsigned bits(half2 x) {
    return bits(x.x) | bits(x.y) << 16;
}
__host__ __device__ unsigned bits(nv_bfloat162 x) {
    return bits(x.x) | bits(x.y) << 16;
}
__host__ __device__ half h(unsigned bits) {
    return __ushort_as_half((unsigned short)bits);
}
__host__ __device__ nv_bfloat16 b(unsigned bits) {
    return __ushort_as_bfloat16((unsigned short)bits);
}

__host__ __device__ void conversions(Results& r) {
    note(r, bits(__float2half(1.0f)), 0x3c00);
    note(r, bits(__float2half(65504.0f)), 0x7bff);
    note(r, bits(__float2half(65519.996f)), 0x7bff);  // less than half a unit above the largest
    note(r, bits(__float2half(65520.0f)), 0x7c00);
    note(r, bits(__float2half_rz(1e9f)), 0x7bff);
    note(r, bits(__float2half_rd(-1e9f)), 0xfc00);
    note(r, bits(__float2half_ru(-1e9f)), 0xfbff);
    note(r, bits(__float2half(5.9604645e-8f)), 0x0001);   // 2^-24, the smallest
    note(r, bits(__float2half(2.9802322e-8f)), 0x0000);   // 2^-25: a tie, to even
    note(r, bits(__float2half(2.98023259e-8f)), 0x0001);  // just above it
    note(r, bits(__float2half(8.9406967e-8f)), 0x0002);   // 1.5 * 2^-24: a tie, to even
    note(r, bits(__float2half_ru(1e-30f)), 0x0001);
    note(r, bits(__float2half_rd(-1e-30f)), 0x8001);
    note(r, bits(__float2half_rz(-1e-30f)), 0x8000);
    note(r, bits(__float2half(1.00048828125f)), 0x3c00);  // 1 + 2^-11: a tie
    note(r, bits(__float2half(1.00146484375f)), 0x3c02);  // 1 + 3 * 2^-11: a tie
    note(r, bits(__float2half(6.1005353927612305e-05f)),
         0x0400);  // between the subnormal and the normal ones
    note(r, bits(__double2half(1.0 + 0x1p-11 + 0x1p-40)), 0x3c01);  // rounded once, not by way of a float
    note(r, bits(__float2half(-0.0f)), 0x8000);
    note(r, bits(__float2half(nanf(""))), 0x7fff);
    note(r, bits(__int2half_rn(2049)), 0x6800);
    note(r, bits(__int2half_ru(2049)), 0x6801);
    note(r, bits(__int2half_rn(-70000)), 0xfc00);
    note(r, bits(__ll2half_rz(70000)), 0x7bff);
    note(r, bits(__ushort2half_rn(65535)), 0x7c00);
    note(r, (unsigned)__half2int_rz(h(0xbe00)), ~0u);  // -1.5
    note(r, __half2ushort_rz(h(0xbc00)), 0);
    note(r, (unsigned)(int)half(3.75f), 3);
    note(r, bits(half(7)), 0x4700);
    note(r, bits(__float2bfloat16(1.0f)), 0x3f80);
    note(r, bits(__float2bfloat16(1.00390625f)), 0x3f80);  // 1 + 2^-8: a tie
    note(r, bits(__float2bfloat16(1.01171875f)), 0x3f82);  // 1 + 3 * 2^-8: a tie
    note(r, bits(__float2bfloat16(3.4e38f)), 0x7f80);
    note(r, bits(__float2bfloat16_rz(3.4e38f)), 0x7f7f);
    note(r, bits(__float2bfloat16(1e-40f)), 0x0001);  // subnormal
    note(r, bits(__float2bfloat16(nanf(""))), 0x7fff);
    note(r, bits(__double2bfloat16(1.0 + 0x1p-8 + 0x1p-40)), 0x3f81);
    note(r, bits(__int2bfloat16_rn(257)), 0x4380);
    note(r, bits(__ll2bfloat16_rn((1ll << 40) + (1ll << 32) + 1)), 0x5381);
    note(r, bits(__ull2bfloat16_rn(~0ull)), 0x5f80);
    note(r, (unsigned)__bfloat162int_rz(b(0xc049)), (unsigned)-3);
    note(r, bits(nv_bfloat16(half(1.5f))), 0x3fc0);
    note(r, bits(half(nv_bfloat16(1.5f))), 0x3e00);
}

__host__ __device__ void arithmetic(Results& r) {
    const half one = 1.0f, three = 3.0f, tiny = h(0x0001), large = h(0x7bff), nan = h(0x7fff);
    note(r, bits(__hadd(one, h(0x1000))), 0x3c00);    // 1 + 2^-11: a tie
    note(r, bits(__hadd(large, h(0x4c00))), 0x7c00);  // 65504 + 16
    note(r, bits(__hadd(large, h(0x4bff))), 0x7bff);
    note(r, bits(__hsub(h(0x0400), tiny)), 0x03ff);
    note(r, bits(__hmul(h(0x0400), h(0x3800))), 0x0200);
    note(r, bits(__hmul(tiny, h(0x3800))), 0x0000);
    note(r, bits(__hmul(tiny, h(0x3801))), 0x0001);
    note(r, bits(__hdiv(one, three)), 0x3555);
    note(r, bits(one / h(0x8000)), 0xfc00);
    note(r, bits(h(0) / h(0)), 0x7fff);
    note(r, bits(__hadd_sat(one, nan)), 0x0000);
    note(r, bits(__hsub_sat(one, three)), 0x0000);
    note(r, bits(__hneg(h(0))), 0x8000);
    note(r, bits(__habs(h(0xbc00))), 0x3c00);
    note(r, bits(__hmax(one, nan)), 0x3c00);
    note(r, bits(__hmax_nan(one, nan)), 0x7fff);
    note(r, bits(__hmin(nan, nan)), 0x7fff);
    note(r, bits(__hmax(h(0x8000), h(0))), 0x0000);
    note(r, bits(__hmin(h(0), h(0x8000))), 0x8000);
    note(r, __heq(nan, nan) + 2 * __hequ(nan, one) + 4 * __hne(nan, one) + 8 * __hneu(nan, one), 10);
    note(r, __hlt(one, three) + 2 * __hltu(nan, one) + 4 * __hge(nan, one) + 8 * __hgeu(one, nan), 11);
    note(r, (h(0) == h(0x8000)) + 2 * (nan != nan) + 4 * (one < three) + 8 * (one >= three), 7);
    note(r, __hisnan(nan) + 2 * __hisnan(one) + 4 * (__hisinf(h(0xfc00)) == -1), 5);
    half x = one;
    x += three;
    x *= three;
    ++x;
    note(r, bits(x--), 0x4a80);  // 13
    note(r, bits(-x), 0xca00);
    const half2 v(one, three), w = __floats2half2_rn(0.5f, -3.0f);
    note(r, bits(v + w), 0x00003e00);
    note(r, bits(__heq2(v, __habs2(w))), 0x3c000000);
    note(r, __hgt2_mask(v, w), 0xffffffff);
    note(r, __hbgt2(v, w) + 2 * __hbeq2(v, v) + 4 * (v == w), 3);
    note(r, bits(__lowhigh2highlow(v)), 0x3c004200);
    note(r, bits(__lows2half2(v, w)), 0x38003c00);
    note(r, bits(__half2half2(three)), 0x42004200);
    note(r, (unsigned)(__low2float(w) * 8) + (unsigned)-__half22float2(w).y, 7);

    const nv_bfloat16 b1 = 1.0f, b3 = 3.0f;
    note(r, bits(b1 + b(0x3b80)), 0x3f80);  // 1 + 2^-8: a tie
    note(r, bits(b1 / b3), 0x3eab);
    note(r, bits(b3 * b3), 0x4110);
    note(r, bits(__hmax(b1, b3)), 0x4040);
    note(r, bits(__floats2bfloat162_rn(1.0f, 3.0f) * __bfloat162bfloat162(b3)), 0x41104040);
    note(r, bits(__halves2bfloat162(b1, b3)), 0x40403f80);
}

// What the Toolkit has on the device only.
__device__ void device_only(Results& r) {
    const half one = 1.0f, three = 3.0f, tiny = h(0x0001);
    const half2 v(one, three), w = __floats2half2_rn(0.5f, -3.0f);
    note(r, (unsigned)__half2int_rn(h(0x3e00)), 2);  // 1.5
    note(r, (unsigned)__half2int_rd(h(0xbe00)), ~1u);
    note(r, (unsigned)__half2int_ru(h(0x3e00)), 2);
    note(r, (unsigned)__half2short_rn(h(0x7bff)), 32767);
    note(r, __half2uint_rn(h(0x7c00)), ~0u);
    note(r, (unsigned)__half2int_rn(h(0x7fff)), 0);
    note(r, bits(__int2bfloat16_rd(259)), 0x4381);
    // (1 + 2^-10)^2 - (1 + 2^-9) is 2^-20; a product rounded by itself would leave nothing.
    note(r, bits(__hfma(h(0x3c01), h(0x3c01), h(0xbc02))), 0x0010);
    // 1.5 * 1.0009765625 + 2^-24: just above a tie.
    note(r, bits(__hfma(h(0x3e00), h(0x3c01), tiny)), 0x3e02);
    note(r, bits(__hfma_sat(one, one, one)), 0x3c00);
    note(r, bits(__hfma_relu(one, __hneg(three), one)), 0x0000);
    note(r, bits(__hfma2(v, w, v)), 0xc6003e00);
    note(r, bits(__hcmadd(v, w, v)), 0x3e004940);  // (1 + 3i) (0.5 - 3i) + 1 + 3i = 10.5 + 1.5i
    note(r, bits(h2floor(w)), 0xc2000000);
    // A product that is a tie, and a third number far too small for a double to see: its sign decides.
    note(r, bits(__hfma(b(0x3f81), b(0x3fc0), b(0x0001))), 0x3fc2);
    note(r, bits(__hfma(b(0x3f81), b(0x3fc0), b(0x8001))), 0x3fc1);
    note(r, bits(__hfma(b(0x3f81), b(0x3f81), b(0xbf82))), 0x3880);
    note(r, bits(hrint(h(0x3e00))) + (bits(hceil(h(0x3d00))) << 16), 0x40004000);
    note(r, bits(htrunc(h(0xbe00))) + (bits(hfloor(h(0xbe00))) << 16), 0xc000bc00);
}

// Exact results only: what a GPU gives for others may be the number beside the nearest.
__device__ void functions(Results& r) {
    const half four = 4.0f;
    note(r, bits(hsqrt(four)), 0x4000);
    note(r, bits(hrcp(four)), 0x3400);
    note(r, bits(hrsqrt(four)), 0x3800);
    note(r, bits(hexp2(four)), 0x4c00);
    note(r, bits(hlog2(four)), 0x4000);
    note(r, bits(hexp(h(0))) + (bits(hlog(h(0x3c00))) << 16), 0x3c00);
    note(r, bits(hcos(h(0))) + (bits(hsin(h(0))) << 16), 0x3c00);
    note(r, bits(h2exp10(__floats2half2_rn(2.0f, 0.0f))), 0x3c005640);
    note(r, bits(hsqrt(nv_bfloat16(16.0f))), 0x4080);
}

__device__ void moves(Results& r, half* d_half, nv_bfloat162* d_pair) {
    const int lane = threadIdx.x % 32;
    const half other = __shfl_xor_sync(0xffffffffu, half(lane), 1);
    const nv_bfloat162 pair =
        __shfl_down_sync(0xffffffffu, __floats2bfloat162_rn((float)lane, (float)-lane), 1);
    const half before = atomicAdd(&d_half[0], half(1));
    atomicAdd(&d_pair[0], __floats2bfloat162_rn(0.5f, -1.0f));
    atomicAdd((half2*)&d_half[2], __floats2half2_rn(2.0f, 0.25f));
    __syncthreads();
    if (threadIdx.x != 0) return;
    note(r, bits(other), 0x3c00);
    note(r, bits(pair), 0xbf803f80);
    note(r, (unsigned)(float)before < 32, 1);
    note(r, bits(__ldcg(&d_half[0])), 0x5000);      // 32
    note(r, bits(__ldcg(&d_pair[0])), 0xc2004180);  // 16 and -32
    note(r, bits(__ldcv((const half2*)&d_half[2])), 0x48005400);
    __stcg(&d_half[1], half(5));
    note(r, bits(d_half[1]), 0x4500);
    note(r, bits(CUDART_INF_FP16) + (bits(CUDART_ONE_BF16) << 16), 0x3f807c00);
}

__global__ void on_device(Results* d_results, half* d_half, nv_bfloat162* d_pair) {
    __shared__ Results shared;
    if (threadIdx.x == 0) {
        shared.count = 0;
        conversions(shared);
        arithmetic(shared);
        device_only(shared);
        functions(shared);
    }
    moves(shared, d_half, d_pair);
    if (threadIdx.x == 0) {
        d_results->count = shared.count;
        for (int i = 0; i < shared.count; ++i) {
            d_results->bits[i] = shared.bits[i];
            d_results->wanted[i] = shared.wanted[i];
        }
    }
}

static void compare(const char* where, const Results& r) {
    for (int i = 0; i < r.count; ++i) {
        char what[64];
        std::snprintf(what, sizeof what, "%s, result %d", where, i);
        expect(what, r.bits[i], r.wanted[i]);
    }
}

// Every number there and back.
template <class T, class Bits>
static void round_trip(const char* what, Bits of) {
    for (unsigned i = 0; i < 0x10000; ++i) {
        const T x = of(i);
        if (!std::isnan((float)x)) expect(what, bits(T((float)x)), i);
    }
}

int main() {
    Results host;
    host.count = 0;
    conversions(host);
    arithmetic(host);
    compare("host", host);

    Results* d_results;
    half* d_half;
    nv_bfloat162* d_pair;
    cudaMalloc(&d_results, sizeof(Results));
    cudaMalloc(&d_half, 4 * sizeof(half));
    cudaMalloc(&d_pair, sizeof(nv_bfloat162));
    cudaMemset(d_half, 0, 4 * sizeof(half));
    cudaMemset(d_pair, 0, sizeof(nv_bfloat162));
    on_device<<<1, 32>>>(d_results, d_half, d_pair);
    static Results device;
    cudaMemcpy(&device.count, &d_results->count, sizeof(int), cudaMemcpyDeviceToHost);
    expect("results", device.count > 100 && device.count < most, 1);
    const size_t bytes = (size_t)device.count * sizeof(unsigned);
    cudaMemcpy(device.bits, d_results->bits, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(device.wanted, d_results->wanted, bytes, cudaMemcpyDeviceToHost);
    compare("device", device);
    round_trip<half>("half", h);
    round_trip<nv_bfloat16>("bfloat16", b);
    cudaFree(d_results);
    cudaFree(d_half);
    cudaFree(d_pair);
    std::printf("done, %d failures\n", failures);
    return failures != 0;
}
