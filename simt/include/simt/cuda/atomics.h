// Atomic functions, in CUDA's three scopes: plain (the device), _block and _system.
#pragma once

#include "simt/abi.h"
#include "simt/cuda/barriers.h"
#include "simt/cuda/bits.h"
#include "vector_types.h"

namespace simt::cuda {
template <class T>
SIMT_INLINE T atomic(Atomic op, Scalar type, T* address, T operand, T compare, int scope, Where w) {
#if defined(SIMT_FAST)
    // `op` is a constant here: one of these is left, or none.
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 4) {
        fast::count_poll();
        if (op == Atomic::add) return __atomic_fetch_add(address, operand, __ATOMIC_RELAXED);
        if (op == Atomic::sub) return __atomic_fetch_sub(address, operand, __ATOMIC_RELAXED);
        if (op == Atomic::exchange) return __atomic_exchange_n(address, operand, __ATOMIC_RELAXED);
        if (op == Atomic::bit_and) return __atomic_fetch_and(address, operand, __ATOMIC_RELAXED);
        if (op == Atomic::bit_or) return __atomic_fetch_or(address, operand, __ATOMIC_RELAXED);
        if (op == Atomic::bit_xor) return __atomic_fetch_xor(address, operand, __ATOMIC_RELAXED);
        if (op == Atomic::compare_exchange) {
            __atomic_compare_exchange_n(address, &compare, operand, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST);
            return compare;
        }
    }
#endif
    // What adds the constant 1 has an instruction of its own on the hardware.
    if (op == Atomic::add && __builtin_constant_p(operand) && operand == (T)1) scope |= atomic_adds_one;
    return from_bits<T>(atomic_access(op, type, address, to_bits(operand), to_bits(compare), scope, w));
}
}  // namespace simt::cuda

// One function of one type, in the three scopes.
#define SIMT_ATOMIC_SCOPED(function, T, op, kind, suffix, scope)                                       \
    SIMT_INLINE T function##suffix(T* address, T value, SIMT_HERE) {                                   \
        return ::simt::cuda::atomic<T>(::simt::Atomic::op, ::simt::Scalar::kind, address, value, (T)0, \
                                       scope, w);                                                      \
    }
#define SIMT_ATOMIC(function, T, op, kind)               \
    SIMT_ATOMIC_SCOPED(function, T, op, kind, , 0)       \
    SIMT_ATOMIC_SCOPED(function, T, op, kind, _block, 1) \
    SIMT_ATOMIC_SCOPED(function, T, op, kind, _system, 2)
#define SIMT_ATOMIC_CAS_SCOPED(T, kind, suffix, scope)                                                  \
    SIMT_INLINE T atomicCAS##suffix(T* address, T compare, T value, SIMT_HERE) {                        \
        return ::simt::cuda::atomic<T>(::simt::Atomic::compare_exchange, ::simt::Scalar::kind, address, \
                                       value, compare, scope, w);                                       \
    }
#define SIMT_ATOMIC_CAS(T, kind)               \
    SIMT_ATOMIC_CAS_SCOPED(T, kind, , 0)       \
    SIMT_ATOMIC_CAS_SCOPED(T, kind, _block, 1) \
    SIMT_ATOMIC_CAS_SCOPED(T, kind, _system, 2)

SIMT_ATOMIC(atomicAdd, int, add, i32)
SIMT_ATOMIC(atomicAdd, unsigned int, add, u32)
SIMT_ATOMIC(atomicAdd, unsigned long long, add, u64)
SIMT_ATOMIC(atomicAdd, float, add, f32)
SIMT_ATOMIC(atomicAdd, double, add, f64)

SIMT_ATOMIC(atomicSub, int, sub, i32)
SIMT_ATOMIC(atomicSub, unsigned int, sub, u32)

SIMT_ATOMIC(atomicExch, int, exchange, i32)
SIMT_ATOMIC(atomicExch, unsigned int, exchange, u32)
SIMT_ATOMIC(atomicExch, unsigned long long, exchange, u64)
SIMT_ATOMIC(atomicExch, float, exchange, f32)

SIMT_ATOMIC(atomicMin, int, minimum, i32)
SIMT_ATOMIC(atomicMin, unsigned int, minimum, u32)
SIMT_ATOMIC(atomicMin, long long, minimum, i64)
SIMT_ATOMIC(atomicMin, unsigned long long, minimum, u64)
SIMT_ATOMIC(atomicMax, int, maximum, i32)
SIMT_ATOMIC(atomicMax, unsigned int, maximum, u32)
SIMT_ATOMIC(atomicMax, long long, maximum, i64)
SIMT_ATOMIC(atomicMax, unsigned long long, maximum, u64)

SIMT_ATOMIC(atomicInc, unsigned int, increment, u32)
SIMT_ATOMIC(atomicDec, unsigned int, decrement, u32)

SIMT_ATOMIC(atomicAnd, int, bit_and, i32)
SIMT_ATOMIC(atomicAnd, unsigned int, bit_and, u32)
SIMT_ATOMIC(atomicAnd, long long, bit_and, i64)
SIMT_ATOMIC(atomicAnd, unsigned long long, bit_and, u64)
SIMT_ATOMIC(atomicOr, int, bit_or, i32)
SIMT_ATOMIC(atomicOr, unsigned int, bit_or, u32)
SIMT_ATOMIC(atomicOr, long long, bit_or, i64)
SIMT_ATOMIC(atomicOr, unsigned long long, bit_or, u64)
SIMT_ATOMIC(atomicXor, int, bit_xor, i32)
SIMT_ATOMIC(atomicXor, unsigned int, bit_xor, u32)
SIMT_ATOMIC(atomicXor, long long, bit_xor, i64)
SIMT_ATOMIC(atomicXor, unsigned long long, bit_xor, u64)

SIMT_ATOMIC_CAS(int, i32)
SIMT_ATOMIC_CAS(unsigned int, u32)
SIMT_ATOMIC_CAS(unsigned long long, u64)
SIMT_ATOMIC_CAS_SCOPED(unsigned short, u16, , 0)  // the only scope that nvcc 13 has of this one

// Vectors of float are atomic element by element, on hardware too, and there in global memory only: an H200 fails
// in shared memory, or adds nothing and says nothing.
#if defined(SIMT_CHECKED)
#define SIMT_ONLY_GLOBAL ::simt::check_vector_atomic(address, w)
#else
#define SIMT_ONLY_GLOBAL (void)0
#endif
#define SIMT_ATOMIC_VECTORS(suffix)                                                                  \
    SIMT_INLINE float2 atomicAdd##suffix(float2* address, float2 value, SIMT_HERE) {                 \
        SIMT_ONLY_GLOBAL;                                                                            \
        return float2{atomicAdd##suffix(&address->x, value.x, w),                                    \
                      atomicAdd##suffix(&address->y, value.y, w)};                                   \
    }                                                                                                \
    SIMT_INLINE float4 atomicAdd##suffix(float4* address, float4 value, SIMT_HERE) {                 \
        SIMT_ONLY_GLOBAL;                                                                            \
        return float4{                                                                               \
            atomicAdd##suffix(&address->x, value.x, w), atomicAdd##suffix(&address->y, value.y, w),  \
            atomicAdd##suffix(&address->z, value.z, w), atomicAdd##suffix(&address->w, value.w, w)}; \
    }
SIMT_ATOMIC_VECTORS()
SIMT_ATOMIC_VECTORS(_block)
SIMT_ATOMIC_VECTORS(_system)
#undef SIMT_ATOMIC_VECTORS
#undef SIMT_ONLY_GLOBAL

// Any type of 16 bytes, aligned to as many.
namespace simt::cuda {
template <class T>
using IfSixteenBytes =
    std::enable_if_t<sizeof(T) == 16 && alignof(T) >= 16 && std::is_trivially_copyable<T>::value>;

template <class T>
SIMT_INLINE T atomic_wide(Atomic op, T* address, const T& operand, const T* compare, int scope, Where w) {
    alignas(T) unsigned char old[sizeof(T)];
    atomic_access_wide(op, address, &operand, compare, old, scope, w);
    return __builtin_bit_cast(T, old);
}
}  // namespace simt::cuda
#define SIMT_ATOMIC_WIDE(suffix, scope)                                                                   \
    template <class T, class = ::simt::cuda::IfSixteenBytes<T>>                                           \
    SIMT_INLINE T atomicExch##suffix(T* address, T value, SIMT_HERE) {                                    \
        return ::simt::cuda::atomic_wide<T>(::simt::Atomic::exchange, address, value, nullptr, scope, w); \
    }                                                                                                     \
    template <class T, class = ::simt::cuda::IfSixteenBytes<T>>                                           \
    SIMT_INLINE T atomicCAS##suffix(T* address, T compare, T value, SIMT_HERE) {                          \
        return ::simt::cuda::atomic_wide<T>(::simt::Atomic::compare_exchange, address, value, &compare,   \
                                            scope, w);                                                    \
    }
SIMT_ATOMIC_WIDE(, 0)
SIMT_ATOMIC_WIDE(_block, 1)
SIMT_ATOMIC_WIDE(_system, 2)
#undef SIMT_ATOMIC_WIDE

#undef SIMT_ATOMIC_CAS
#undef SIMT_ATOMIC_CAS_SCOPED
#undef SIMT_ATOMIC
#undef SIMT_ATOMIC_SCOPED
