// Matrix products of warps (mma.h): what its functions demand of the lanes, and the product itself.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "simt/checker/findings.h"
#include "simt/include/simt/matrix/layout.h"
#include "simt/include/simt/sixteen/format.h"
#include "simt/machine/warp_operations.h"

namespace simt {
namespace matrix {
namespace {

template <class Sum>
Sum read(Number type, const void* numbers, int i) {
    switch (type) {
        case Number::f16:
            return static_cast<Sum>(cuda::exact::widen<cuda::F16>(static_cast<const uint16_t*>(numbers)[i]));
        case Number::bf16:
            return static_cast<Sum>(cuda::exact::widen<cuda::BF16>(static_cast<const uint16_t*>(numbers)[i]));
        case Number::tf32: {
            const uint32_t bits = static_cast<const uint32_t*>(numbers)[i];
            return static_cast<Sum>(cuda::from_bits<float>(bits & ~0x1fffu));
        }
        case Number::s8:
            return static_cast<Sum>(static_cast<const signed char*>(numbers)[i]);
        case Number::u8:
            return static_cast<Sum>(static_cast<const unsigned char*>(numbers)[i]);
        case Number::f32:
            return static_cast<Sum>(static_cast<const float*>(numbers)[i]);
        case Number::i32:
            return static_cast<Sum>(static_cast<const int*>(numbers)[i]);
        case Number::f64:
            return static_cast<Sum>(static_cast<const double*>(numbers)[i]);
    }
    return Sum{};
}

template <class Sum>
void write(Number type, void* numbers, int i, Sum value) {
    if (type == Number::f16)
        static_cast<uint16_t*>(numbers)[i] = cuda::exact::narrow<cuda::F16>(static_cast<float>(value));
    else if (type == Number::f32)
        static_cast<float*>(numbers)[i] = static_cast<float>(value);
    else if (type == Number::i32)
        static_cast<int*>(numbers)[i] = static_cast<int>(value);
    else
        static_cast<double*>(numbers)[i] = static_cast<double>(value);
}

constexpr int most = 512;  // numbers of a matrix: 32 x 16

// Calls use(lane, number, row, column) for all that the lanes hold.
template <class Use>
void each(const Tiling& tiling, bool is_by_columns, const Use& use) {
    for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < tiling.numbers(); ++i) {
            const Tiling::Place p = tiling.place(lane, i);
            use(lane, i, is_by_columns ? p.minor : p.major, is_by_columns ? p.major : p.minor);
        }
}

// Integers wrap around or stop in int64, whose 32 low bits they then are.
template <class Sum>
void multiply_in(const Shape& s, const Operands* const* lanes) {
    Sum a[most], b[most], c[most];
    each(s.a, s.a_is_by_columns, [&](int lane, int i, int row, int column) {
        a[row * s.k + column] = read<Sum>(s.factors, lanes[lane]->a, i);
    });
    each(s.b, s.b_is_by_columns, [&](int lane, int i, int row, int column) {
        b[row * s.n + column] = read<Sum>(s.factors, lanes[lane]->b, i);
    });
    const Tiling sums{s.m, s.n, 2};
    each(sums, false, [&](int lane, int i, int row, int column) {
        c[row * s.n + column] = read<Sum>(s.c, lanes[lane]->c, i);
    });
    for (int row = 0; row < s.m; ++row)
        for (int k = 0; k < s.k; ++k)
            for (int column = 0; column < s.n; ++column)
                c[row * s.n + column] += a[row * s.k + k] * b[k * s.n + column];
    each(sums, false, [&](int lane, int i, int row, int column) {
        Sum value = c[row * s.n + column];
        if constexpr (std::is_integral_v<Sum>)
            if (s.saturates)
                value =
                    std::clamp<Sum>(value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
        write(s.d, lanes[lane]->d, i, value);
    });
}

}  // namespace

void multiply(const Shape& shape, const Operands* const* lanes) {
    if (shape.d == Number::i32) return multiply_in<int64_t>(shape, lanes);
    if (shape.d == Number::f64) return multiply_in<double>(shape, lanes);
    multiply_in<float>(shape, lanes);
}

}  // namespace matrix

void complete_matrix(BlockRun& block, const Lane& first, const WarpValues& values, bool multiplies) {
    if (values.active != ~0u) {
        // One that is held up elsewhere has been reported.
        if ((block.warps[first.warp].alive & ~values.active) == 0) report_partial_warp(first, values.active);
        return;
    }
    if (multiplies) {
        const matrix::Operands* lanes[32];
        for (int i = 0; i < 32; ++i) lanes[i] = reinterpret_cast<const WarpProduct*>(values.value[i])->mine;
        matrix::multiply(*reinterpret_cast<const WarpProduct*>(values.value[0])->shape, lanes);
        return;
    }
    const auto access_of = [&](unsigned lane) {
        return reinterpret_cast<const matrix::Access*>(values.value[lane]);
    };
    const matrix::Access& leader = *access_of(0);
    const Lane& lane = block.lanes[size_t{first.warp} * 32];
    for (unsigned i = 1; i < 32; ++i)
        if (access_of(i)->pointer != leader.pointer || access_of(i)->leading != leader.leading)
            return report_two_matrices(lane, block.lanes[size_t{first.warp} * 32 + i], leader, *access_of(i));
    report_matrix_in_memory(lane, leader);
}

}  // namespace simt
