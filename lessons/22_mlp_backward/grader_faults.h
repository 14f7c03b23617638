// Runs that stopped at a finding: what such a run left behind says nothing, so the cause is told from the finding.
#pragma once

#include <string>

#include "lessons/21_mlp_forward/grader_faults.h"
#include "lessons/22_mlp_backward/grader_data.h"

namespace lab::lesson_22_mlp_backward {

using lesson_21_mlp_forward::found;
using lesson_21_mlp_forward::tell;
using lesson_21_mlp_forward::Words;

// An access out of bounds: does it touch this buffer at this place?
struct Touched {
    const Finding& finding;
    bool at(const char* buffer, int place) const {
        return finding.buffer == buffer && finding.element == place;
    }
    bool at(const char* buffer) const { return finding.buffer == buffer; }
};

// The thread's place in a grid of blocks of 32 x 8 threads, `a` counted by y and `b` by x.
struct Where {
    int a, b;
    explicit Where(const Finding& f)
        : a(int(f.block->y) * 8 + int(f.thread->y)), b(int(f.block->x) * 32 + int(f.thread->x)) {}
};

inline Words words_for_labels(const Finding& f) {
    if (f.kind != "oob-global" || f.buffer != "labels") return {};
    return {
        "labels[" + std::to_string(f.element) + "] was asked for, and there is one label for each picture.",
        "A label belongs to a row: labels[row], with row = i / classes. c = i % classes is the class."};
}

inline Words nothing_to_do(const std::string& thread, const std::string& guard) {
    return {"A thread that is past the end works as well: it has " + thread + ".",
            "The grid is rounded up, so guard it: " + guard};
}

inline Words words_for_weights(const Finding& f, const Shape& s) {
    if (f.kind != "oob-global" || !f.thread || !f.block) return {};
    const Touched is{f};
    if (f.launch == 1) {  // the bias
        const int col = int(f.block->x) * 128 + int(f.thread->x);
        if (col >= s.out)
            return nothing_to_do("column " + std::to_string(col) + " of " + std::to_string(s.out),
                                 "if (col >= out) return;");
        for (int i = 0; i <= s.batch + s.in + s.out; ++i)
            if (is.at("dy", col * s.out + i))
                return {
                    "A thread of the bias went along a row of dy, and its column is what it should add up.",
                    "Each picture moved the bias: db[col] is the sum of dy[row * out + col] over the rows."};
        return {};
    }
    const Where at(f);
    const int k = at.a, col = at.b;
    if (k >= s.in || col >= s.out)
        return nothing_to_do("row " + std::to_string(k) + " and column " + std::to_string(col) +
                                 " of dw, which is " + std::to_string(s.in) + " x " + std::to_string(s.out),
                             "if (k >= in || col >= out) return;");
    for (int row = 0; row <= s.batch + s.in + s.out; ++row) {
        if (row >= s.batch && (is.at("x", row * s.in + k) || is.at("dy", row * s.out + col)))
            return {"The loop went on to row " + std::to_string(row) + ", and the batch has " +
                        std::to_string(s.batch) + ".",
                    "The sum runs over the pictures: row < batch."};
        if (row >= s.batch) continue;
        if (is.at("x", row * s.out + k) || is.at("x", k * s.in + row) || is.at("x", k * s.batch + row))
            return {
                "x was not read where x[row][k] lies: with another length of its rows, or with row and k "
                "exchanged.",
                "x is as the forward pass had it, a picture a row: x[row * in + k]. Nobody transposes it; "
                "you run down "
                "its columns."};
        if (is.at("dy", row * s.in + col))
            return {"dy was read as if a row of it had `in` numbers.",
                    "dy is batch x out: dy[row * out + col]."};
    }
    return {};
}

inline Words words_for_input(const Finding& f, const Shape& s) {
    if (f.kind == "uninit-shared")
        return {"The tile has places that nobody has filled.",
                "A block has 8 rows of threads and its tile 32 rows: each thread carries four, i = "
                "threadIdx.y, then 8 more "
                "each time, with 0 past the edge of w. And all threads stay to carry."};
    if (f.kind != "oob-global" || !f.thread || !f.block) return {};
    const Touched is{f};
    const Where at(f);
    const int row = at.a, k = at.b;
    if (!is.at("w") && (row >= s.batch || k >= s.in))
        return nothing_to_do("row " + std::to_string(row) + " and column " + std::to_string(k) +
                                 " of dx, which is " + std::to_string(s.batch) + " x " + std::to_string(s.in),
                             "row < batch and k < in before dx is written, row < batch before dy is read.");
    for (int col = 0; col <= s.out + 32; ++col) {
        if (col >= s.out && is.at("dy", row * s.out + col))
            return {"The sum went on to output " + std::to_string(col) + ", and there are " +
                        std::to_string(s.out) + ".",
                    "The last tile may be narrower than 32: min(side, out - first) columns of it count."};
        if (col >= s.out) continue;
        if (is.at("w", col * s.out + k))
            return {
                "w was read as the forward pass reads it, down its columns: that is dy w, and dy w^T is due.",
                "An input goes to all outputs, by a row of w: w[k * out + col]."};
        if (is.at("dy", row * s.in + col))
            return {"dy was read as if a row of it had `in` numbers.",
                    "dy is batch x out: dy[row * out + col]."};
    }
    if (is.at("dx"))
        return {"dx was written as if a row of it had `out` numbers.", "dx is batch x in: dx[row * in + k]."};
    if (is.at("w"))
        return {"A tile was filled from beyond w.",
                "Ask for both: first_k + i < in and col < out. Where one is not, put 0 into the tile."};
    return {};
}

inline Words words_for_chain(const Finding& f) {
    if (f.kind == "oob-global" && !f.buffer.empty())
        return {
            "A call was given matrices or sizes that do not fit: it goes past the end of " + f.buffer + ".",
            "As on the way there: the second layer has hidden, w2 and dlogits, by net.hidden and net.out; "
            "the first has x "
            "and dhidden, by net.in and net.hidden."};
    if (f.kind == "uninit-global" && !f.buffer.empty())
        return {
            f.buffer + " is read before any call has written it.",
            "From the loss backwards: dlogits, then dw2 and db2, then dhidden, its mask, then dw1 and db1."};
    return {};
}

// Outputs that are added to, or that several threads write.
inline Words words_for_output(const Finding& f) {
    const bool output = f.buffer == "dlogits" || f.buffer == "dw" || f.buffer == "db" || f.buffer == "dx";
    if (!output) return {};
    const std::string element = f.buffer + "[" + std::to_string(f.element) + "]";
    if (f.kind == "uninit-global")
        return {
            element + " is read at line " + std::to_string(f.at.line) +
                " before anybody wrote it: an output holds anything before the call, and += adds to that.",
            "Add up in a variable of the thread that starts at 0, and store the result with =."};
    if (f.kind == "global-race")
        return {"Two threads write " + element + ", and one's result is lost.",
                "Each element belongs to one thread, which adds up all of its terms in a variable of its "
                "own. Then look at the "
                "place: a row of dw has `out` numbers, a row of dx `in`."};
    return {};
}

// True if an access was not allowed, or read what nobody had written, or raced. `words` knows what the arrays are for.
template <class WordsFor>
bool told_about_fault(Trial& trial, WordsFor words) {
    constexpr const char* faults[] = {
        "oob-global",   "oob-shared",    "misaligned",    "device-pointer-on-host",
        "host-pointer", "uninit-global", "uninit-shared", "global-race",
        "shared-race"};
    for (const Finding& finding : trial.findings())
        for (const char* kind : faults) {
            if (finding.kind != kind) continue;
            if (tell(trial, words(finding)) || tell(trial, words_for_output(finding))) return true;
            expect_clean(trial, LAB_HERE);
            return true;
        }
    return false;
}

}  // namespace lab::lesson_22_mlp_backward
