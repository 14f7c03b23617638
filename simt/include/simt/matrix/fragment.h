// nvcuda::wmma::fragment. Part of mma.h.
#pragma once

#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "simt/matrix/layout.h"

#include "simt/groups/editor_begin.h"

namespace nvcuda::wmma {
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

template <typename T>
struct helper_traits {
    typedef T element_type;
    typedef T storage_element_type;
    typedef T fill_argument_type;
};
template <>
struct helper_traits<precision::tf32> {
    typedef precision::tf32 element_type;
    typedef float storage_element_type;
    typedef float fill_argument_type;
};

// A float with the 10 bits of fraction that tensor cores look at: to the nearest, ties away from zero.
SIMT_INLINE float __float_to_tf32(float x) {
    const auto bits = static_cast<unsigned>(::simt::cuda::to_bits(x));
    return (bits & 0x7f800000u) == 0x7f800000u ? x
                                               : ::simt::cuda::from_bits<float>((bits + 0x1000u) & ~0x1fffu);
}
}  // namespace nvcuda::wmma

namespace simt::matrix {
namespace wmma = ::nvcuda::wmma;

template <class T>
struct NumberOf;
#define SIMT_NUMBER(T, kind)                          \
    template <>                                       \
    struct NumberOf<T> {                              \
        static constexpr Number value = Number::kind; \
    };
SIMT_NUMBER(__half, f16)
SIMT_NUMBER(__nv_bfloat16, bf16)
SIMT_NUMBER(wmma::precision::tf32, tf32)
SIMT_NUMBER(signed char, s8)
SIMT_NUMBER(unsigned char, u8)
SIMT_NUMBER(float, f32)
SIMT_NUMBER(int, i32)
SIMT_NUMBER(double, f64)
#undef SIMT_NUMBER

template <class T>
inline constexpr bool is_16_deep = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16> ||
                                   std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char>;

// Whether tensor cores have factors of type T in this shape, and sums of it.
template <class T>
constexpr bool multiplies(int m, int n, int k) {
    if (is_16_deep<T>) return k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
    if (std::is_same_v<T, wmma::precision::tf32>) return m == 16 && n == 16 && k == 8;
    return std::is_same_v<T, double> && m == 8 && n == 8 && k == 4;
}
template <class T>
constexpr bool accumulates(int m, int n, int k) {
    if (std::is_same_v<T, __half> || std::is_same_v<T, int>) return multiplies<__half>(m, n, k);
    if (std::is_same_v<T, float>)
        return multiplies<__half>(m, n, k) || multiplies<wmma::precision::tf32>(m, n, k);
    return std::is_same_v<T, double> && multiplies<double>(m, n, k);
}

// How a fragment lies in memory: matrices A and B as their layout says, accumulators by rows.
template <class Use, int M, int N, int K, class T, class Layout>
constexpr Tiling tiling_of() {
    const int bytes = static_cast<int>(sizeof(typename wmma::helper_traits<T>::storage_element_type));
    if (std::is_same_v<Use, wmma::accumulator>) return {M, N, 2};
    const int rows = std::is_same_v<Use, wmma::matrix_a> ? M : K,
              columns = std::is_same_v<Use, wmma::matrix_a> ? K : N, piece = bytes < 4 ? 4 / bytes : 1;
    return std::is_same_v<Layout, wmma::row_major> ? Tiling{rows, columns, piece}
                                                   : Tiling{columns, rows, piece};
}

}  // namespace simt::matrix

namespace nvcuda::wmma {

template <typename T, int size, int packed_size = size>
struct __align__(8) __frag_base {
    enum { num_elements = size };
    enum { num_storage_elements = packed_size };
    typedef T element_type;
    typedef typename helper_traits<T>::storage_element_type storage_element_type;
    storage_element_type x[num_storage_elements];
};

// The numbers of A, B or C that one lane holds. Factors of half are there twice, as CUDA has it.
template <typename Use, int M, int N, int K, typename T, typename Layout = void>
class fragment : public __frag_base<T, std::is_same_v<T, __half> && !std::is_same_v<Use, accumulator>
                                           ? 16
                                           : ::simt::matrix::tiling_of<Use, M, N, K, T, Layout>().numbers()> {
    static constexpr bool is_accumulator = std::is_same_v<Use, accumulator>;
    static_assert(is_accumulator || std::is_same_v<Use, matrix_a> || std::is_same_v<Use, matrix_b>,
                  "A fragment is a matrix_a, a matrix_b or an accumulator.");
    static_assert(
        is_accumulator ? std::is_void_v<Layout>
                       : std::is_same_v<Layout, row_major> || std::is_same_v<Layout, col_major>,
        "matrix_a and matrix_b are row_major or col_major; an accumulator has no layout until it is "
        "loaded or stored.");
    static_assert(
        is_accumulator ? ::simt::matrix::accumulates<T>(M, N, K) : ::simt::matrix::multiplies<T>(M, N, K),
        "Tensor cores have no such shape with this type: 16x16x16, 32x8x16 and 8x32x16 for half, "
        "__nv_bfloat16, signed char and unsigned char; 16x16x8 for precision::tf32; 8x8x4 for double.");

  public:
    static constexpr ::simt::matrix::Tiling simt_tiling =
        ::simt::matrix::tiling_of<Use, M, N, K, T, Layout>();
#if defined(SIMT_CHECKED)
    SIMT_INLINE fragment(SIMT_HERE) {
        ::simt::local_storage(this->x, sizeof *this, sizeof this->x[0], "fragment.x", w, false, true);
    }
#else
    fragment() = default;
#endif
};

}  // namespace nvcuda::wmma

#if defined(SIMT_CHECKED)
namespace simt {  // their constructor gives no value
template <class Use, int M, int N, int K, class T, class Layout>
inline constexpr bool starts_unset<::nvcuda::wmma::fragment<Use, M, N, K, T, Layout>> = true;
}  // namespace simt
#endif

#include "simt/groups/editor_end.h"
