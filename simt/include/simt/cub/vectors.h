// Reads and writes of several items at once, as the vector instructions of a GPU make them.
#pragma once

#include "simt/cub/basics.h"

#include "simt/groups/editor_begin.h"

namespace cub::on_machine {

struct WithoutRoom {
    using TempStorage = NoRoom;
};

template <size_t bytes>
struct PieceOf {
    using type __attribute__((vector_size(bytes), may_alias)) = unsigned char;
};
// Of `count` items of a thread four or two are moved at once, in pieces of up to 16 bytes; where their number is odd, one.
constexpr size_t piece_bytes(size_t item_bytes, int count) {
    const size_t group = item_bytes * (count % 4 == 0 ? 4 : count % 2 == 0 ? 2 : 1);
    return group % 16 == 0 ? 16 : group == 8 || group == 4 || group == 2 ? group : 0;
}

template <class T, int N>
SIMT_INLINE void copy_in_pieces(const T* from, T (&items)[N]) {
    constexpr size_t bytes = piece_bytes(sizeof(T), N);
    if constexpr (bytes == 0) {
        for (int k = 0; k < N; ++k) items[k] = from[k];
    } else {
        using Piece = typename PieceOf<bytes>::type;
        for (size_t i = 0; i < sizeof items / bytes; ++i) {
            const Piece piece = reinterpret_cast<const Piece*>(from)[i];
            __builtin_memcpy(reinterpret_cast<char*>(items) + i * bytes, &piece, bytes);
        }
    }
}
template <class T, int N>
SIMT_INLINE void copy_out_in_pieces(const T (&items)[N], T* to) {
    constexpr size_t bytes = piece_bytes(sizeof(T), N);
    if constexpr (bytes == 0) {
        for (int k = 0; k < N; ++k) to[k] = items[k];
    } else {
        using Piece = typename PieceOf<bytes>::type;
        for (size_t i = 0; i < sizeof items / bytes; ++i) {
            Piece piece;
            __builtin_memcpy(&piece, reinterpret_cast<const char*>(items) + i * bytes, bytes);
            reinterpret_cast<Piece*>(to)[i] = piece;
        }
    }
}

}  // namespace cub::on_machine

#include "simt/groups/editor_end.h"
