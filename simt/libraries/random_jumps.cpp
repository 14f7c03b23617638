// Jumps far ahead in the sequences of XORWOW and MRG32k3a: a step is a matrix, many steps are a power of it.
#include <array>
#include <utility>
#include <vector>

#include "simt/include/simt/random/engines.h"

namespace simt::random {
namespace {

// ---- XORWOW: its five words are 160 bits, and a step is linear in them over the field of two elements ----

constexpr int words = 5, bits = words * 32;
using Vector = std::array<uint32_t, words>;
using BitMatrix = std::array<Vector, bits>;  // what a step makes of each single bit

Vector times(const BitMatrix& matrix, const Vector& vector) {
    Vector result{};
    for (int word = 0; word < words; ++word)
        for (uint32_t rest = vector[word]; rest != 0; rest &= rest - 1) {
            const Vector& row = matrix[word * 32 + __builtin_ctz(rest)];
            for (int k = 0; k < words; ++k) result[k] ^= row[k];
        }
    return result;
}

BitMatrix square(const BitMatrix& matrix) {
    BitMatrix result;
    for (int i = 0; i < bits; ++i) result[i] = times(matrix, matrix[i]);
    return result;
}

BitMatrix one_step() {
    struct State {
        uint32_t d = 0;
        Vector v{};
    };
    BitMatrix result;
    for (int i = 0; i < bits; ++i) {
        State state;
        state.v[i / 32] = 1u << (i % 32);
        next_xorwow(state);
        result[i] = state.v;
    }
    return result;
}

constexpr int xorwow_sequence_log = 67, xorwow_powers = xorwow_sequence_log + 64;

// The i-th is a step's matrix to the power 2^i.
const std::vector<BitMatrix>& xorwow_matrices() {
    static const std::vector<BitMatrix>& matrices = *[] {
        auto* made = new std::vector<BitMatrix>{one_step()};
        while (made->size() < xorwow_powers) made->push_back(square(made->back()));
        return made;
    }();
    return matrices;
}

// ---- MRG32k3a: three by three matrices, modulo two primes below 2^32 ----

using Row = std::array<uint32_t, 3>;
using Matrix = std::array<Row, 3>;

Row times(const Matrix& matrix, const Row& vector, uint64_t modulus) {
    Row result{};
    for (int i = 0; i < 3; ++i) {
        uint64_t sum = 0;
        for (int k = 0; k < 3; ++k) sum += static_cast<uint64_t>(matrix[i][k]) * vector[k] % modulus;
        result[i] = static_cast<uint32_t>(sum % modulus);
    }
    return result;
}

Matrix square(const Matrix& m, uint64_t modulus) {
    Matrix result;
    for (int column = 0; column < 3; ++column) {
        const Row made = times(m, {m[0][column], m[1][column], m[2][column]}, modulus);
        for (int row = 0; row < 3; ++row) result[row][column] = made[row];
    }
    return result;
}

constexpr int mrg_sequence_log = 76, mrg_far_log = 127, mrg_powers = mrg_far_log + 64;

struct MrgMatrices {
    std::vector<Matrix> first, second;
};

const MrgMatrices& mrg_matrices() {
    static const MrgMatrices& matrices = *[] {
        auto* made = new MrgMatrices;
        made->first = {{Row{0, 1, 0}, Row{0, 0, 1}, Row{mrg_modulus_1 - 810728u, 1403580u, 0}}};
        made->second = {{Row{0, 1, 0}, Row{0, 0, 1}, Row{mrg_modulus_2 - 1370589u, 0, 527612u}}};
        while (made->first.size() < mrg_powers) {
            made->first.push_back(square(made->first.back(), mrg_modulus_1));
            made->second.push_back(square(made->second.back(), mrg_modulus_2));
        }
        return made;
    }();
    return matrices;
}

void jump(const std::vector<Matrix>& matrices, uint32_t s[3], uint64_t n, int first, uint64_t modulus) {
    Row state{s[0], s[1], s[2]};
    for (int bit = first; n != 0; ++bit, n >>= 1)
        if ((n & 1) != 0) state = times(matrices[bit], state, modulus);
    for (int i = 0; i < 3; ++i) s[i] = state[i];
}

}  // namespace

void jump_xorwow(uint32_t v[5], uint64_t n, Jump kind) {
    if (n == 0) return;
    const std::vector<BitMatrix>& matrices = xorwow_matrices();
    Vector state{v[0], v[1], v[2], v[3], v[4]};
    for (int bit = kind == Jump::steps ? 0 : xorwow_sequence_log; n != 0; ++bit, n >>= 1)
        if ((n & 1) != 0) state = times(matrices[bit], state);
    for (int i = 0; i < words; ++i) v[i] = state[i];
}

void jump_mrg(uint32_t s1[3], uint32_t s2[3], uint64_t n, Jump kind) {
    if (n == 0) return;
    const int first = kind == Jump::steps ? 0 : kind == Jump::sequences ? mrg_sequence_log : mrg_far_log;
    jump(mrg_matrices().first, s1, n, first, mrg_modulus_1);
    jump(mrg_matrices().second, s2, n, first, mrg_modulus_2);
}

}  // namespace simt::random
