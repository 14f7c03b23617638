// Runs that stopped at a finding: what such a run left behind says nothing, so the cause is told from the finding.
#pragma once

#include <algorithm>
#include <string>

#include "lessons/21_mlp_forward/grader_data.h"

namespace lab::lesson_21_mlp_forward {

struct Words {
    std::string what, next;  // empty: nothing to say
};

inline const Finding* found(const Trial& trial, const std::string& kind, const std::string& buffer = "") {
    for (const Order order : {Order::reverse, Order::forward})
        for (const Finding& finding : trial.findings(order))
            if (finding.kind == kind && (buffer.empty() || finding.buffer == buffer)) return &finding;
    return nullptr;
}

inline bool tell(Trial& trial, const Words& words) {
    if (words.what.empty()) return false;
    fail(trial, words.what, words.next, LAB_HERE);
    return true;
}

// True if the run stopped at an access that it was not allowed.
inline bool told_about_fault(Trial& trial) {
    constexpr const char* faults[] = {"oob-global", "oob-shared", "misaligned", "device-pointer-on-host",
                                      "host-pointer"};
    for (const Finding& finding : trial.findings())
        for (const char* kind : faults) {
            if (finding.kind != kind) continue;
            expect_clean(trial, LAB_HERE);
            return true;
        }
    return false;
}

// ---- the linear layer ----

// Past the end of x, w or b: which of the known ways to work a place out leads there, and for which row, column and k?
inline Words words_for_place(const Finding& f, const Shape& s) {
    if (f.kind != "oob-global" || !f.thread || !f.block) return {};
    const int col = int(f.block->x) * 32 + int(f.thread->x), row = int(f.block->y) * 4 + int(f.thread->y);
    const std::string text_row = std::to_string(row), text_col = std::to_string(col);
    const Words no_guard{
        "Thread (" + std::to_string(f.thread->x) + ", " + std::to_string(f.thread->y) + ") has row " +
            text_row + " and column " + text_col + ", and y is " + std::to_string(s.batch) + " x " +
            std::to_string(s.out) + ": it should have nothing to do.",
        "The grid is rounded up, so guard both directions: if (row >= batch || col >= out) return;"};
    if ((f.buffer == "x" || f.buffer == "w" || f.buffer == "b") && (row >= s.batch || col >= s.out))
        return no_guard;
    for (int k = 0; k <= std::max(s.in, s.out); ++k) {
        const auto is = [&](const char* buffer, int place) {
            return f.buffer == buffer && f.element == place;
        };
        if (k >= s.in && (is("x", row * s.in + k) || is("w", k * s.out + col)))
            return {
                "k went on to " + std::to_string(k) + ", and there are " + std::to_string(s.in) + " inputs.",
                "k runs over the inputs, from 0 to in - 1: k < in."};
        if (k >= s.in) continue;
        if (is("x", row * s.out + k))
            return {"x was read as if a row of it had `out` numbers: x[row * out + k].",
                    "A row of x is a picture, `in` numbers: x[row * in + k]."};
        if (is("x", k * s.batch + row))
            return {"x was read by columns, x[k * batch + row].",
                    "A picture is a row of x, `in` numbers side by side: x[row * in + k]."};
        if (is("w", k * s.in + col) || is("w", col * s.in + k))
            return {"w was read as if a row of it had `in` numbers.",
                    "w has a row for each input and a column for each output: w[k * out + col]."};
    }
    return {};
}

// y, which every thread writes once, at a place of its own.
inline bool told_about_y(Trial& trial) {
    if (const Finding* read = found(trial, "uninit-global", "y"))
        return tell(
            trial,
            {"y[" + std::to_string(read->element) + "] is read at line " + std::to_string(read->at.line) +
                 " before anybody wrote it: an output holds anything before the call, and += adds to that.",
             "Add up in a variable of the thread that starts at b[col], and store it with =."});
    if (const Finding* race = found(trial, "global-race", "y"))
        return tell(
            trial, {"Two threads write y[" + std::to_string(race->element) + "]: two elements share a place.",
                    "y has a row for each picture and `out` columns: y[row * out + col]."});
    return false;
}

inline bool told_about_linear_fault(Trial& trial, const Shape& s) {
    for (const Finding& finding : trial.findings())
        if (tell(trial, words_for_place(finding, s))) return true;
    return told_about_fault(trial) || told_about_y(trial);
}

// Too few threads for the elements, or threads for another matrix.
struct Target {
    const char* name;
    int rows, columns;
    const char *down, *across;  // the names of rows and columns
};

inline Words words_for_grid(const Trial& trial, const Target& target) {
    const Finding* unwritten = found(trial, "never-written", target.name);
    if (unwritten == nullptr || trial.launches().empty()) return {};
    const Kernel& kernel = trial.launches().front();
    const double rows = double(kernel.grid.y) * kernel.block.y,
                 columns = double(kernel.grid.x) * kernel.block.x;
    if (kernel.grid.y == 1 && kernel.block.y == 1 && columns >= double(target.rows) * target.columns)
        return {};
    const std::string across = target.across, down = target.down;
    const std::string launch = std::string(target.name) + " is " + std::to_string(target.rows) + " x " +
                               std::to_string(target.columns) + ", and the launch has threads for " +
                               describe(rows) + " rows of " + describe(columns) + " columns";
    const std::string next =
        "x counts columns and y counts rows, in the grid and in the kernel. Round up in both directions: (" +
        across + " + block.x - 1) / block.x blocks across, (" + down + " + block.y - 1) / block.y down.";
    const auto blocks = [](int n, unsigned each) { return (unsigned(n) + each - 1) / each; };
    const bool turned = kernel.grid.x == blocks(target.rows, kernel.block.x) &&
                        kernel.grid.y == blocks(target.columns, kernel.block.y);
    if (rows < target.rows || columns < target.columns)
        return {launch + ": the rest is never written." +
                    (turned ? " The grid has its two numbers the other way round." : ""),
                next};
    // Threads enough: does the kernel take rows for columns?
    for (int row = 0; row < target.rows; ++row)
        for (int col = 0; col < target.columns; ++col) {
            if (row < columns && col < rows) continue;
            if (unwritten->element != int64_t(at(row, target.columns, col))) return {};
            return {launch +
                        ", but the kernel takes its row from x and its column from y, so the rest is never "
                        "written.",
                    next};
        }
    return {};
}

// ---- the ReLU ----

inline bool told_about_relu_race(Trial& trial) {
    const Finding* race = found(trial, "global-race", "y");
    if (race == nullptr || !race->block || !race->other || !race->other->block) return false;
    const unsigned blocks[] = {race->block->x, race->other->block->x};
    const bool begins_wrong = race->element < int64_t{128} * std::max(blocks[0], blocks[1]);
    return tell(
        trial,
        {"y[" + std::to_string(race->element) + "] is taken by two threads, " +
             (begins_wrong ? "for the blocks all begin at the same number."
                           : "for a thread goes on into what others have begun with."),
         begins_wrong ? "Begin at the thread's number in the grid: blockIdx.x * blockDim.x + threadIdx.x."
                      : "Go on by all threads of the grid: blockDim.x * gridDim.x."});
}

// ---- softmax ----

// Lanes that do not wait for each other, or do not come.
inline bool told_about_lanes(Trial& trial) {
    if (found(trial, "shfl-mask") != nullptr)
        return tell(
            trial,
            {"Not all 32 lanes of a warp take part in a shuffle.",
             "All lanes make each shuffle, with the mask of all lanes. Those without a class bring -INFINITY "
             "to the maximum and 0 to the sum."});
    if (const Finding* read = found(trial, "warp-race", "probabilities"))
        return tell(trial,
                    {"A lane reads probabilities[" + std::to_string(read->element) +
                         "], which another lane writes, and does not wait for it.",
                     "The loss needs no probability: it is log(sum) - (logit[label] - maximum), of numbers "
                     "that lane 0 "
                     "has. What a lane wrote to memory is there for others only behind a __syncwarp()."});
    if (const Finding* race = found(trial, "warp-race", "losses"))
        return tell(trial,
                    {"Several lanes of a warp write losses[" + std::to_string(race->element) + "]" +
                         (race->at.line > 0 ? " at line " + std::to_string(race->at.line) : std::string()) +
                         ", and each adds to the mean.",
                     "The row has one loss: let lane 0 alone store it and add its part of the mean."});
    if (found(trial, "global-race", "mean") != nullptr || found(trial, "warp-race", "mean") != nullptr)
        return tell(trial, {"Several rows write mean[0] at once: what one has added is lost under another's.",
                            "Lane 0 of each row adds its part by atomicAdd(d_mean, loss / batch)."});
    return false;
}

// ---- the chain ----

inline bool told_about_chain(Trial& trial) {
    for (const char* name : {"hidden", "logits", "probabilities", "losses", "mean"})
        if (found(trial, "uninit-global", name) != nullptr)
            return tell(trial, {std::string(name) + " is read before any call has written it.",
                                "linear leaves hidden, relu bends it, linear makes logits of it, and "
                                "softmax_cross_entropy takes "
                                "those: in this order, each with its own arrays."});
    const Finding* out = found(trial, "oob-global");
    if (out == nullptr || out->buffer.empty()) return false;
    return tell(trial,
                {"A call was given sizes that do not fit: it goes past the end of " + out->buffer + ".",
                 "linear(x, w, b, y, batch, in, out) takes x of batch x in and w of in x out. First x, w1 "
                 "and hidden, "
                 "by net.in and net.hidden; then hidden, w2 and logits, by net.hidden and net.out."});
}

}  // namespace lab::lesson_21_mlp_forward
