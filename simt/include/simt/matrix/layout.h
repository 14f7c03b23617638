// Where the numbers of a warp's matrix fragments lie, and what libsimt does with them. Part of mma.h.
#pragma once

#include "simt/abi.h"

namespace simt::matrix {

// Which number of a matrix a lane holds. A matrix lies in memory as `majors` runs of `minors` numbers. It is cut into tiles of 32
// pieces, one for each lane: a piece is what lies side by side, 4 bytes where numbers are that small. Of accumulators this is
// what mma.sync documents (PTX ISA, matrix fragments for m16n8); CUDA leaves it open, and programs must not rely on it.
struct Tiling {
    int majors, minors, piece;

    struct Place {
        int major, minor;
    };
    constexpr int rows() const {  // of a tile
        const int across = minors / piece < 4 ? minors / piece : 4;
        return 32 / across < majors ? 32 / across : majors;
    }
    constexpr int numbers() const { return majors * minors / 32; }  // of each lane
    constexpr Place place(int lane, int number) const {
        const int across = 32 / rows(), tile = number / piece, down = majors / rows();
        return {tile % down * rows() + lane / across,
                (tile / down * across + lane % across) * piece + number % piece};
    }
};

enum class Number : int { f16, bf16, tf32, s8, u8, f32, i32, f64 };

struct Shape {  // of D = A B + C: m x k, k x n, m x n
    int m, n, k;
    Number factors, c, d;
    Tiling a, b;
    bool a_is_by_columns, b_is_by_columns;  // in memory, and so in its tiling
    bool saturates;                         // integers: at the limits, else they wrap around
};
struct Operands {  // of one lane
    const void *a, *b, *c;
    void* d;
};
// Each product is exact (of tf32 the lower 13 bits of a float are ignored); they are added to c one after the other, k
// rising, in float, int or double. A GPU adds several at once and cuts bits off that are too small: its sums may differ in
// the last places.
void multiply(const Shape& shape, const Operands* const* lanes);

// What a lane says of the matrix that it loads or stores with the others of its warp.
struct Access {
    const char* function;
    const void* pointer;
    unsigned leading, minors, element_bytes;
    bool stores;
};

}  // namespace simt::matrix

namespace simt {
// All 32 lanes meet; one that is missing, or has another matrix than the first, is reported, and so are addresses and leading
// dimensions that a GPU cannot do.
void warp_matrix(const matrix::Access& access, Where where);
// They meet, and the last one multiplies for all.
void warp_multiply(const matrix::Shape& shape, const matrix::Operands& mine, Where where);

namespace fast {
enum : int { warp_matrices = 80 };  // what arrives in a warp, too
}
}  // namespace simt
