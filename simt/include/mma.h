// nvcuda::wmma: matrix products of a whole warp, as tensor cores do them. Each function is documented by NVIDIA under its name;
// all 32 lanes call it together. The last argument is the caller's line, for messages: never pass it.
// There are no types of less than 8 bits. How sums are made is said in simt/matrix/layout.h.
#pragma once

#include "simt/cuda/warp.h"
#include "simt/matrix/fragment.h"

#include "simt/groups/editor_begin.h"

namespace simt::matrix {

#if defined(SIMT_FAST)
SIMT_INLINE void meet(const Access&, Where) {
    fast::take(fast::arrive_in_warp(~0u, fast::warp_matrices, 0, 0, 32));
}
// Whoever comes last goes on at once, before any other lane.
SIMT_INLINE void multiply_together(const Shape& shape, const Operands& mine, Where) {
    const fast::Switch s = fast::arrive_in_warp(~0u, fast::warp_matrices + 1, (uint64_t)&mine, 0, 32);
    if (s.to != nullptr) return fast::take(s);
    const fast::WarpRow* row = s.from->row;
    if (row != nullptr && row->active == ~0u)
        multiply(shape, reinterpret_cast<const Operands* const*>(row->values));
}
#else
SIMT_INLINE void meet(const Access& access, Where w) {
    warp_matrix(access, w);
}
SIMT_INLINE void multiply_together(const Shape& shape, const Operands& mine, Where w) {
    warp_multiply(shape, mine, w);
}
#endif

// `Count` numbers that lie side by side, as one access.
template <int Count, class S>
SIMT_INLINE void move_piece(S* to, const S* from) {
    using Whole = typename cuda::Piece<Count * sizeof(S)>::type;
    *reinterpret_cast<Whole*>(to) = *reinterpret_cast<const Whole*>(from);
}
template <class Fragment>
SIMT_INLINE constexpr size_t at(int number, unsigned leading, bool is_across) {
    const Tiling::Place p = Fragment::simt_tiling.place(static_cast<int>(lane_index()), number);
    return is_across ? static_cast<size_t>(p.minor) * leading + static_cast<size_t>(p.major)
                     : static_cast<size_t>(p.major) * leading + static_cast<size_t>(p.minor);
}

template <class Fragment, class S, int... I>
SIMT_INLINE void load(Fragment& f, const S* p, unsigned leading, std::integer_sequence<int, I...>) {
    constexpr int piece = Fragment::simt_tiling.piece;
    (move_piece<piece>(f.x + I * piece, p + at<Fragment>(I * piece, leading, false)), ...);
}
template <class Fragment, class S, int... I>
SIMT_INLINE void load_across(Fragment& f, const S* p, unsigned leading, std::integer_sequence<int, I...>) {
    ((f.x[I] = p[at<Fragment>(I, leading, true)]), ...);
}
template <class Fragment, class S, int... I>
SIMT_INLINE void store(S* p, const Fragment& f, unsigned leading, std::integer_sequence<int, I...>) {
    constexpr int piece = Fragment::simt_tiling.piece;
    (move_piece<piece>(p + at<Fragment>(I * piece, leading, false), f.x + I * piece), ...);
}
template <class Fragment, class S, int... I>
SIMT_INLINE void store_across(S* p, const Fragment& f, unsigned leading, std::integer_sequence<int, I...>) {
    ((p[at<Fragment>(I, leading, true)] = f.x[I]), ...);
}
template <class Fragment, int... I>
SIMT_INLINE void repeat(Fragment& f, std::integer_sequence<int, I...>) {
    constexpr int numbers = Fragment::simt_tiling.numbers();
    ((f.x[numbers + I] = f.x[I % numbers]), ...);
}

template <class Fragment>
using Pieces = std::make_integer_sequence<int, Fragment::simt_tiling.numbers() / Fragment::simt_tiling.piece>;
template <class Fragment>
using Numbers = std::make_integer_sequence<int, Fragment::simt_tiling.numbers()>;
template <class Fragment>
using Repeated = std::make_integer_sequence<int, Fragment::num_elements - Fragment::simt_tiling.numbers()>;

template <class Fragment>
using Storage = typename Fragment::storage_element_type;

}  // namespace simt::matrix

namespace nvcuda::wmma {

template <typename T, int size, int packed_size>
SIMT_INLINE void fill_fragment(__frag_base<T, size, packed_size>& f,
                               const typename helper_traits<T>::fill_argument_type& value) {
    const typename helper_traits<T>::storage_element_type v = value;
    for (auto& x : f.x) x = v;
}

template <class Use, int M, int N, int K, class T, class Layout>
SIMT_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f,
                                  const ::simt::matrix::Storage<fragment<Use, M, N, K, T, Layout>>* p,
                                  unsigned ldm, SIMT_HERE) {
    static_assert(
        !std::is_same_v<Use, accumulator>,
        "load_matrix_sync of an accumulator needs a fourth argument: mem_row_major or mem_col_major.");
    using F = fragment<Use, M, N, K, T, Layout>;
    ::simt::matrix::meet({"load_matrix_sync", p, ldm, (unsigned)F::simt_tiling.minors, sizeof *p, false}, w);
    ::simt::matrix::load(f, p, ldm, ::simt::matrix::Pieces<F>{});
    ::simt::matrix::repeat(f, ::simt::matrix::Repeated<F>{});
}
template <int M, int N, int K, class T>
SIMT_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* p, unsigned ldm,
                                  layout_t layout, SIMT_HERE) {
    using F = fragment<accumulator, M, N, K, T>;
    const bool by_rows = layout == mem_row_major;
    ::simt::matrix::meet({"load_matrix_sync", p, ldm, (unsigned)(by_rows ? N : M), sizeof *p, false}, w);
    if (by_rows)
        ::simt::matrix::load(f, p, ldm, ::simt::matrix::Pieces<F>{});
    else
        ::simt::matrix::load_across(f, p, ldm, ::simt::matrix::Numbers<F>{});
}
template <int M, int N, int K, class T>
SIMT_INLINE void store_matrix_sync(T* p, const fragment<accumulator, M, N, K, T>& f, unsigned ldm,
                                   layout_t layout, SIMT_HERE) {
    using F = fragment<accumulator, M, N, K, T>;
    const bool by_rows = layout == mem_row_major;
    ::simt::matrix::meet({"store_matrix_sync", p, ldm, (unsigned)(by_rows ? N : M), sizeof *p, true}, w);
    if (by_rows)
        ::simt::matrix::store(p, f, ldm, ::simt::matrix::Pieces<F>{});
    else
        ::simt::matrix::store_across(p, f, ldm, ::simt::matrix::Numbers<F>{});
#if defined(SIMT_FAST)
    ::simt::matrix::meet({},
                         w);  // what a program reads that waits for nobody: on a GPU it would mostly be there
#endif
}

// `satf`: integers stop at their limits; of other types it must be false.
template <int M, int N, int K, class T, class LayoutA, class LayoutB, class C, class D>
SIMT_INLINE void mma_sync(fragment<accumulator, M, N, K, D>& d,
                          const fragment<matrix_a, M, N, K, T, LayoutA>& a,
                          const fragment<matrix_b, M, N, K, T, LayoutB>& b,
                          const fragment<accumulator, M, N, K, C>& c, bool satf = false, SIMT_HERE) {
    using namespace ::simt::matrix;
    if constexpr (std::is_same_v<T, __half>)
        static_assert((std::is_same_v<C, float> || std::is_same_v<C, __half>)&&(std::is_same_v<D, float> ||
                                                                                std::is_same_v<D, __half>),
                      "Products of half are added up in half or float.");
    else if constexpr (std::is_same_v<T, double>)
        static_assert(std::is_same_v<C, double> && std::is_same_v<D, double>,
                      "Products of double are added up in double.");
    else if constexpr (std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char>)
        static_assert(std::is_same_v<C, int> && std::is_same_v<D, int>,
                      "Products of 8-bit integers are added up in int.");
    else
        static_assert(std::is_same_v<C, float> && std::is_same_v<D, float>,
                      "Products of __nv_bfloat16 and precision::tf32 are added up in float.");
    static constexpr Tiling tiling_a = fragment<matrix_a, M, N, K, T, LayoutA>::simt_tiling,
                            tiling_b = fragment<matrix_b, M, N, K, T, LayoutB>::simt_tiling;
    const Shape shape{M,
                      N,
                      K,
                      NumberOf<T>::value,
                      NumberOf<C>::value,
                      NumberOf<D>::value,
                      tiling_a,
                      tiling_b,
                      std::is_same_v<LayoutA, col_major>,
                      std::is_same_v<LayoutB, col_major>,
                      satf};
    // Copies, so that a fragment that has no values yet is found here.
    using BaseA = __frag_base<T, fragment<matrix_a, M, N, K, T, LayoutA>::num_elements>;
    using BaseB = __frag_base<T, fragment<matrix_b, M, N, K, T, LayoutB>::num_elements>;
    const BaseA of_a = a;
    const BaseB of_b = b;
    const __frag_base<C, M* N / 32> of_c = c;
    __frag_base<D, M * N / 32> of_d;
    multiply_together(shape, {of_a.x, of_b.x, of_c.x, of_d.x}, w);
    static_cast<__frag_base<D, M * N / 32>&>(d) = of_d;
}

}  // namespace nvcuda::wmma

#include "simt/groups/editor_end.h"
