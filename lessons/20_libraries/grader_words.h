// What a wrong matrix tells: which way of reading memory made it.
#pragma once

#include <string>

#include "lessons/20_libraries/grader_data.h"

namespace lab::lesson_20_libraries {

struct Guess {
    Floats values;
    const char *what, *next;
};

constexpr const char* swap_them =
    "Ask for the transpose of c: that is the transpose of b times the transpose of a, and the transposes are "
    "what cuBLAS "
    "sees anyhow. b comes first, without CUBLAS_OP_T, and n before m.";

// What wrong calls make of a product of m x k and k x n, as row-major memory.
inline std::vector<Guess> guesses_of(const Floats& a, const Floats& b, size_t m, size_t n, size_t k) {
    std::vector<Guess> guesses;
    guesses.push_back({product(a, b, m, n, k, {k, 1}, {n, 1}, {1, m}),
                       "That is the right product, column by column: its transpose, to a row-major reader.",
                       swap_them});
    guesses.push_back(
        {product(a, b, m, n, k, {1, m}, {1, k}, {1, m}),
         "cuBLAS took your rows for columns: a, b and c were read and written column by column.", swap_them});
    guesses.push_back({product(a, b, m, n, k, {1, m}, {1, k}, {n, 1}),
                       "cuBLAS took the rows of a and b for columns.", swap_them});
    if (m == n && n == k)
        guesses.push_back({product(b, a, m, n, k), "That is b times a.",
                           "To cuBLAS all three are transposed, and then the order of the factors is, too."});
    return guesses;
}

// What wrong calls make of the transpose of a (m x n) times itself.
inline std::vector<Guess> gram_guesses(const Floats& a, size_t m, size_t n) {
    const char* next =
        "The n floats of a row lie side by side, and to cuBLAS that is a column: it sees n rows and m "
        "columns, with "
        "leading dimension n. That already is the transpose: times its own transpose, then.";
    return {{product(a, a, n, n, m, {m, 1}, {1, m}, {n, 1}),
             "cuBLAS took d_a for column-major, with m floats to a column.", next}};
}

}  // namespace lab::lesson_20_libraries
