// The Run record: everything that the terminal, ctest, the app and a class's batch grading know about one run of
// a learner's program. There is one JSON form of it (to_json / from_json); all of them read that form, so they
// cannot disagree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workbench/record/goals.h"
#include "workbench/record/series.h"
#include "workbench/record/timeline.h"
#include "workbench/record/times.h"

namespace lab {

struct Dim3 {
    unsigned x = 1, y = 1, z = 1;
    bool operator==(const Dim3&) const = default;
};

// A place in the learner's own text. line and column are 1-based; 0: unknown.
struct Place {
    std::string file;
    int line = 0;
    int column = 0;
};

enum class Severity { error, advice };

// The other side of a finding: the earlier access of a race, the free before the use.
struct OtherParty {
    std::string action;  // "wrote", "read", "freed", "allocated", "waits", "queued"
    Place at;
    std::optional<Dim3> block, thread;
};

struct Finding {
    std::string kind;  // simt/include/simt/report.md lists them
    Severity severity = Severity::error;
    std::string message;  // one sentence: what happened, with buffer, element, line, block and thread
    std::string fix;      // one sentence: what to do; may be empty
    Place at;
    std::optional<Dim3> block, thread;
    std::optional<OtherParty> other;
    std::string buffer;         // "" where there is none
    int64_t element = -1;       // first guilty element of `buffer`; -1: none
    int64_t last_element = -1;  // last one of the range (never-written); else equal to element
    uint64_t count = 1;         // how many times the fault was hit
    int launch = -1;            // index into Run::kernels of the same case; -1: host
    int case_index = -1;        // index into Run::cases; -1 for `cudalab run`
};

struct Buffer {
    std::string name, space;  // space: global, shared, constant, managed, pinned
    uint64_t address = 0, bytes = 0;
    uint32_t element_bytes = 1;
    Place at;
    int case_index = -1;
};

// What the device of a case has, from its profile (simt/include/simt/report.md).
struct DeviceLimits {
    std::string name;  // "NVIDIA H200"
    Dim3 max_block, max_grid;
    std::map<std::string, double> limits;  // "shared_per_block", ...
    int case_index = -1;

    double limit(const std::string& key) const {  // 0: not known
        const auto found = limits.find(key);
        return found == limits.end() ? 0 : found->second;
    }
};

// An array of a grader's case, as it stood after the run: what a panel needs to show results as values. Larger
// arrays than most_array_bytes are left out, and all of them beyond most_values_bytes a Run.
struct ArrayValues {
    std::string name;
    std::string role;            // "input", "output", "inout"
    uint32_t element_bytes = 1;  // of one element
    uint64_t columns = 0;        // elements a row, where the grader says so; 0: it has no rows
    std::string got;             // raw bytes; empty: the program ended before they came back
    std::string expected;        // the same; empty: the grader names none
    std::string wrong;           // a bit an element, the lowest first; empty: none is wrong
    int case_index = -1;

    uint64_t elements() const { return got.size() / std::max(1u, element_bytes); }
    bool is_wrong(uint64_t element) const {
        return element / 8 < wrong.size() && (wrong[element / 8] >> (element % 8) & 1) != 0;
    }
};
constexpr size_t most_array_bytes = size_t{64} << 10, most_values_bytes = size_t{1} << 20;

using Metrics = std::map<std::string, double>;  // keys: the design page's, e.g. global_load_sectors

struct LineCost {
    Place at;
    Metrics metrics;
    std::string cost = {};  // "32 sectors a load, 4 would do" (record/costs.h); empty: it costs what it must
};

struct Kernel {  // one launch
    std::string name;
    Place at;
    Dim3 grid, block;
    std::optional<Dim3> asked_grid;  // what the program asked for, where an experiment played another grid
    uint64_t shared_bytes = 0;
    std::string status, error;  // status: ok, fault, refused, stopped; error: CUDA's name for it
    Metrics metrics;
    std::vector<LineCost> lines;
    int launch = 0;
    int case_index = -1;
};

struct Case {  // one doctest case of a grader
    std::string name;
    bool passed = false;
    std::string message;  // why it failed: what was expected, what came, in a few lines; empty if it passed
    double seconds = 0;
    std::string trace;  // path of the trace file of its first order; empty: none
};

struct Diagnostic {     // a compiler message, placed in the learner's file
    std::string level;  // error, warning, note
    Place at;
    std::string message;      // the compiler's own
    std::string plain;        // the same in plain words, for common CUDA slips; may be empty
    std::string source_line;  // the learner's line
};

// What a GPU said of the same file, beside the CPU machine's verdict.
struct SecondVerdict {
    std::string device;  // "NVIDIA H200"
    bool passed = false;
    std::string headline;  // empty when it passed
    size_t cases = 0, failed = 0;
    double seconds = 0;  // nvcc and all cases together
};

enum class Status { ok, failed, findings, crashed, timeout, compile_error };

struct Run {
    std::string backend = "cpu";  // or "cuda"
    std::string device;           // the card's name; empty: the CPU machine
    std::optional<SecondVerdict> second;
    std::optional<Times> times;       // on a GPU where all cases pass, of a lesson whose grader has a timing
    std::vector<GoalResult> further;  // of the lesson's goals beyond a pass, in their order
    std::string lesson;               // slug; empty for `cudalab run`
    std::string source;               // path of the learner's file
    std::string source_hash;
    Status status = Status::ok;
    int exit_code = 0;  // of the program (`cudalab run`)
    bool passed = false;
    std::string headline;     // the one sentence to read first
    std::string next_action;  // one thing to try next
    std::vector<Diagnostic> diagnostics;
    std::vector<Case> cases;
    std::vector<Finding> findings;  // the cause first
    std::vector<Buffer> buffers;
    std::vector<DeviceLimits> devices;  // one a case at most
    std::vector<ArrayValues> arrays;
    std::vector<Kernel> kernels;
    std::vector<Timeline> timelines;  // one a case at most
    std::vector<Series> series;       // what a case reported while it ran, most_series a case at most
    std::string output;               // what the program printed, capped
    bool output_cut = false;
    double compile_seconds = 0, run_seconds = 0, total_seconds = 0;
};

const char* name_of(Status status);      // "ok", "failed", ...
const char* name_of(Severity severity);  // "error", "advice"

// The JSON form ends with the record "closed": true. from_json throws std::runtime_error with a sentence when the
// text is not a Run or was cut off.
std::string to_json(const Run& run, int indent = 1);
Run from_json(const std::string& text);

}  // namespace lab
