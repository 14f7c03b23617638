// Wrong products, and accesses that went astray, that have a name: so that a failure says what went wrong.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/18_matmul/grader_data.h"
#include "workbench/grading/lab.h"

namespace lesson_18 {

// One product on the way to an element of C: number `i` of the step that begins at `first`.
struct Term {
    int row, column, first, i;
    int x() const { return column % tile; }  // of the tiled kernel: the thread, and where its block begins
    int y() const { return row % tile; }
    int top() const { return row - y(); }
    int left() const { return column - x(); }
};

// Of the blocked kernel: the rows (columns) of a block are shared out as four neighbours and four more half a side on.
struct Eighth {
    int begin, base, of;  // of the block; of the thread's eight, in the block; which of them this is
    explicit Eighth(int place)
        : begin(place / side * side),
          base(place % (side / 2) / 4 * 4),
          of(place % 4 + place % side / (side / 2) * 4) {}
    static int place(int base, int of) { return base + of % 4 + of / 4 * (side / 2); }
};

// The product of these two was added; nothing: it took what lies outside of both the matrix and the guards.
using Product = std::function<float(const Problem&, const Term&)>;
struct Slip {
    Product product;
    const char* cause;
    const char* next;
};

inline float of_a(const Problem& p, int row, int column) {
    return row < p.m && column < p.k ? p.a[p.at(row, column, p.k)] : 0;
}
inline float of_b(const Problem& p, int row, int column) {
    return row < p.k && column < p.n ? p.b[p.at(row, column, p.n)] : 0;
}

// An element by its place in memory, where its guards let it through. Past the end: no sum can match.
inline float flat(const std::vector<float>& matrix, bool guarded, int place) {
    if (!guarded) return 0;
    return size_t(place) < matrix.size() ? matrix[size_t(place)] : -1e9f;
}

constexpr const char* next_of_place =
    "Thread (x, y) fetches A's row `row`, column first + x, and B's row first + y, column `column`.";
constexpr const char* next_of_product =
    "Thread (x, y) makes element (row, column): row y of A's tile times column x of B's, "
    "a[threadIdx.y][i] * b[i][threadIdx.x].";

inline const std::vector<Slip>& slips_of_fetching() {
    static const std::vector<Slip> all{
        {[](auto& p, auto& t) { return of_a(p, t.row, t.i) * of_b(p, t.i, t.column); },
         "Every step took the first tiles again.", next_of_place},
        {[](auto& p, auto& t) { return of_a(p, t.row, t.i) * of_b(p, t.first + t.i, t.column); },
         "B's tile moves down, and A's is the first one in every step.", next_of_place},
        {[](auto& p, auto& t) { return of_a(p, t.row, t.first + t.i) * of_b(p, t.i, t.column); },
         "A's tile moves to the right, and B's is the first one in every step.", next_of_place},
        {[](auto& p, auto& t) {
             return of_a(p, t.row, t.first + t.y()) * of_b(p, t.first + t.x(), t.column);
         },
         "x and y are exchanged where the tiles are fetched: A's column came from y, B's row from x.",
         next_of_place},
        {[](auto& p, auto& t) {
             return of_a(p, t.top() + t.i, t.first + t.i) * of_b(p, t.first + t.i, t.left() + t.i);
         },
         "x and y are exchanged in row and column: neighbours in x went down A and not along it.",
         "x counts columns, y counts rows: row is blockIdx.y * tile + threadIdx.y, column the same with x."},
        {[](auto& p, auto& t) { return of_a(p, t.y(), t.first + t.i) * of_b(p, t.first + t.i, t.column); },
         "Every block took A's first 32 rows: the row in the block stands for the row of the matrix.",
         next_of_place},
        {[](auto& p, auto& t) { return of_a(p, t.row, t.first + t.i) * of_b(p, t.first + t.i, t.x()); },
         "Every block took B's first 32 columns: the column in the block stands for that of the matrix.",
         next_of_place},
        {[](auto& p, auto& t) {
             const int across = t.first + t.i;
             return flat(p.a, t.row < p.m && across < p.k, t.row * p.n + across) * of_b(p, across, t.column);
         },
         "A was read as if a row of it had n elements.", "A row of A has k elements: d_a[row * k + ...]."},
        {[](auto& p, auto& t) {
             const int down = t.first + t.i;
             return of_a(p, t.row, down) * flat(p.b, down < p.k && t.column < p.n, down * p.k + t.column);
         },
         "B was read as if a row of it had k elements.", "A row of B has n elements: d_b[... * n + column]."},
        {[](auto& p, auto& t) {
             const int across = t.first + t.i;
             return flat(p.a, t.row < p.m && across < p.k, across * p.k + t.row) * of_b(p, across, t.column);
         },
         "A was read with row and column exchanged.", "Row by row: d_a[row * k + first + threadIdx.x]."},
        {[](auto& p, auto& t) {
             const int down = t.first + t.i;
             return of_a(p, t.row, down) * flat(p.b, down < p.k && t.column < p.n, t.column * p.n + down);
         },
         "B was read with row and column exchanged.", "Row by row: d_b[(first + threadIdx.y) * n + column]."},
    };
    return all;
}

inline const std::vector<Slip>& slips_of_products() {
    static const std::vector<Slip> all{
        {[](auto& p, auto& t) {
             return of_a(p, t.row, t.first + t.i) * of_b(p, t.first + t.x(), t.left() + t.i);
         },
         "B's tile was read along its rows.", next_of_product},
        {[](auto& p, auto& t) {
             return of_a(p, t.top() + t.i, t.first + t.y()) * of_b(p, t.first + t.i, t.column);
         },
         "A's tile was read down its columns, or stored turned round.", next_of_product},
        {[](auto& p, auto& t) {
             return of_a(p, t.top() + t.i, t.first + t.y()) * of_b(p, t.first + t.x(), t.left() + t.i);
         },
         "Both tiles are turned round: stored one way and read the other.", next_of_product},
        {[](auto& p, auto& t) {
             return of_a(p, t.top() + t.x(), t.first + t.i) * of_b(p, t.first + t.i, t.left() + t.y());
         },
         "x and y are exchanged in the product: each tile of C came out with rows and columns exchanged.",
         next_of_product},
        {[](auto& p, auto& t) {
             return of_a(p, t.top() + t.x(), t.first + t.i) * of_b(p, t.first + t.i, t.column);
         },
         "A's row comes from x in the product.", next_of_product},
        {[](auto& p, auto& t) {
             return of_a(p, t.row, t.first + t.i) * of_b(p, t.first + t.i, t.left() + t.y());
         },
         "B's column comes from y in the product.", next_of_product},
        {[](auto& p, auto& t) {
             return of_a(p, t.row, t.first + t.x()) * of_b(p, t.first + t.y(), t.column);
         },
         "Each thread multiplied the two floats that it had fetched itself, over and over.", next_of_product},
    };
    return all;
}

// An element of the blocked kernel, from row and column of the thread's eight by other places than its own.
inline float eighths(const Problem& p, const Term& t, int row, int column) {
    return of_a(p, row, t.first + t.i) * of_b(p, t.first + t.i, column);
}

inline const std::vector<Slip>& slips_of_eighths() {
    constexpr const char* next = "Element (r, c) of the thread's 64 takes x.of[r] and y.of[c].";
    constexpr const char* begin =
        "The eight rows begin at my_row, in a[line]; the eight columns at my_column, in b[line].";
    static const std::vector<Slip> all{
        {[](auto& p, auto& t) {
             const Eighth r(t.row), c(t.column);
             return eighths(p, t, r.begin + r.place(r.base, c.of), c.begin + c.place(c.base, r.of));
         },
         "r and c are exchanged: x.of[c] times y.of[r] went into sum.of[r][c].", next},
        {[](auto& p, auto& t) {
             const Eighth r(t.row), c(t.column);
             return eighths(p, t, t.row, c.begin + c.place(c.base, r.of));
         },
         "Both floats of a product were taken by r: y.of[r] where y.of[c] is due.", next},
        {[](auto& p, auto& t) {
             const Eighth r(t.row), c(t.column);
             return eighths(p, t, r.begin + r.place(r.base, c.of), t.column);
         },
         "Both floats of a product were taken by c: x.of[c] where x.of[r] is due.", next},
        {[](auto& p, auto& t) {
             return Eighth(t.row).of == Eighth(t.column).of ? eighths(p, t, t.row, t.column) : 0.0f;
         },
         "Only the elements with r = c were added up: 8 products where 64 are due.",
         "Each of the eight of A meets each of the eight of B: two loops, over r and over c."},
        {[](auto& p, auto& t) {
             const Eighth r(t.row), c(t.column);
             return eighths(p, t, r.begin + r.place(c.base, r.of), t.column);
         },
         "The eight floats of A were taken from my_column.", begin},
        {[](auto& p, auto& t) {
             const Eighth r(t.row), c(t.column);
             return eighths(p, t, t.row, c.begin + c.place(r.base, c.of));
         },
         "The eight floats of B were taken from my_row.", begin},
        {[](auto& p, auto& t) {
             const Eighth r(t.row), c(t.column);
             return eighths(p, t, r.begin + r.place(c.base, r.of), c.begin + c.place(r.base, c.of));
         },
         "my_row and my_column are exchanged.", begin},
        {[](auto& p, auto& t) { return of_a(p, t.row, t.first) * of_b(p, t.first, t.column); },
         "Each step took its first line eight times over.",
         "Take line `line` of both tiles: a[line] and b[line]."},
    };
    return all;
}

// True: all of `got` came out of this slip.
inline bool fits(const Slip& slip, std::span<const float> got, const Problem& p, int step) {
    for (int row = 0; row < p.m; ++row)
        for (int column = 0; column < p.n; ++column) {
            float sum = 0;
            for (int first = 0; first < p.k; first += step)
                for (int i = 0; i < step; ++i) sum += slip.product(p, {row, column, first, i});
            if (sum != got[p.at(row, column, p.n)]) return false;
        }
    return true;
}

inline const Slip* slip_behind(std::span<const float> got, const Problem& p, int step) {
    const auto search = [&](const std::vector<Slip>& slips) -> const Slip* {
        for (const Slip& slip : slips)
            if (fits(slip, got, p, step)) return &slip;
        return nullptr;
    };
    if (step == depth) return search(slips_of_eighths());
    if (step != tile) return nullptr;
    if (const Slip* slip = search(slips_of_products())) return slip;
    return search(slips_of_fetching());
}

// ---- accesses ----

struct Words {
    std::string what, next;  // empty: nothing to say
};

// Where a thread should have gone in a step: row and column of A or B.
struct Place {
    int row, column;
};

inline Place place_of(const lab::Finding& f, bool in_a, bool in_tiles_of_32, int first) {
    const int x = int(f.thread->x), y = int(f.thread->y), bx = int(f.block->x), by = int(f.block->y);
    if (in_tiles_of_32) return in_a ? Place{by * tile + y, first + x} : Place{first + y, bx * tile + x};
    return in_a ? Place{by * side + x / 2, first + x % 2 * 4} : Place{first + x / 32, bx * side + x % 32 * 4};
}

// Out of bounds of A or B: by which of the known ways to work a place out?
inline Words words_for_place(const lab::Finding& f, const Problem& p, int step) {
    const bool in_a = f.buffer == "a";
    if ((!in_a && f.buffer != "b") || !f.thread || !f.block) return {};
    const int rows = in_a ? p.m : p.k, columns = in_a ? p.k : p.n, other = in_a ? p.n : p.k;
    const std::string name = in_a ? "A" : "B";
    const std::string size = name + " has " + std::to_string(rows) + " rows of " + std::to_string(columns);
    for (int first = 0; first <= p.k; first += step) {
        const Place at = place_of(f, in_a, step == tile, first);
        const auto is = [&](int64_t place) {
            return f.element >= place && f.element < place + (step == tile ? 1 : 4);
        };
        const int64_t right = int64_t(at.row) * columns + at.column;
        if (is(right))
            return {"A tile sticks out of its matrix, and the kernel went there: to row " +
                        std::to_string(at.row) + ", column " + std::to_string(at.column) + " of " + name +
                        "; " + size + ".",
                    "Ask before each load: is the row inside, and the column, too? In A columns end at k, in "
                    "B rows "
                    "do. A guard around the store comes too late for the loads."};
        if (at.row >= rows || at.column >= columns) continue;
        if (step == depth && is(4 * right))
            return {
                "A float4 was taken four times as far on as it lies: behind the cast, an index counts "
                "float4s.",
                "Go there while the pointer still counts floats: d_from is the place, and the cast of d_from "
                "reads it."};
        if (is(int64_t(at.row) * other + at.column))
            return {name + " was read as if a row of it had " + std::to_string(other) + " elements; " + size +
                        ".",
                    in_a ? "A row of A has k elements: d_a[row * k + ...]."
                         : "A row of B has n elements: d_b[... * n + column]."};
        if (is(int64_t(at.column) * columns + at.row) || is(int64_t(at.column) * rows + at.row))
            return {name + " was read with row and column exchanged; " + size + ".",
                    in_a ? "Row by row: d_a[row * k + first + threadIdx.x]."
                         : "Row by row: d_b[(first + threadIdx.y) * n + column]."};
    }
    return {};
}

// Sixteen bytes at once, from the wrong place: of a matrix, or of a tile.
inline Words words_for_alignment(const lab::Finding& f, const Problem& p) {
    const bool in_a = f.buffer == "a", in_c = f.buffer == "c";
    const int columns = in_a ? p.k : p.n;
    bool in_matrix = in_c;
    for (int first = 0; first <= p.k && f.thread && f.block; first += depth) {
        const Place at = place_of(f, in_a, false, first);
        in_matrix |= f.element == int64_t(at.row) * columns + at.column && columns % 4 != 0;
    }
    if (!in_matrix)
        return {"eight_from was given a place that is no multiple of 4.",
                "Your eight rows begin at my_row, your eight columns at my_column: both are multiples of 4."};
    const std::string name = in_a ? "A" : in_c ? "C" : "B";
    const int64_t row = f.element / columns;
    return {"Row " + std::to_string(row) + " of " + name + " begins " + std::to_string(row * columns) +
                " floats after row 0, " + "for a row has " + std::to_string(columns) +
                ": between two multiples of 16 bytes, from where no float4 can begin.",
            "Only where `columns` is a multiple of 4 does every row begin at a multiple of 16 bytes. "
            "Elsewhere, take these "
            "four floats one by one."};
}

}  // namespace lesson_18
