#include "simt/runtime/errors.h"

#include "simt/host/queue.h"

#include <fmt/format.h>

#include <mutex>
#include <vector>

namespace simt {
namespace {

// A launch that failed, and whether the program can know.
struct FailedLaunch {
    int code = 0;
    bool sticky = false;
    Where where;
    std::string sentence;
    bool asked = false;     // cudaGetLastError or cudaPeekAtLastError was called after it
    bool returned = false;  // sticky: an API call has returned the code
    bool looked = false;    // the code was put into words, or read as the last error, after that
    bool ignored = false;   // the program had the code in hand and went on working
};

struct State {
    std::mutex mutex;
    int sticky = 0;
    std::vector<FailedLaunch> failed;
};

State& state() {
    static State& s = *new State;
    return s;
}

thread_local int last_error = 0;

void note_question(State& s) {
    for (FailedLaunch& f : s.failed) {
        f.asked = true;
        if (f.returned) f.looked = true;
    }
}

struct ErrorText {
    int code;
    const char* name;
    const char* text;
};
constexpr ErrorText error_texts[] = {
#define SIMT_CUDA_ERROR(name, number, text) {number, #name, text},
#include "simt/include/simt/cuda/errors.inc"
#undef SIMT_CUDA_ERROR
};

const ErrorText* find_text(int code) {
    for (const ErrorText& e : error_texts)
        if (e.code == code) return &e;
    return nullptr;
}

// A program that puts the broken context's error into words has looked at it.
void note_look(int code) {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    if (s.sticky == 0 || s.sticky != code) return;
    for (FailedLaunch& f : s.failed)
        if (f.sticky && f.returned) f.looked = true;
}

}  // namespace

void raise_error(int code, bool sticky, Where where, const std::string& sentence) {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    if (s.sticky != 0) {
        last_error = s.sticky;
        return;
    }
    if (sticky) {
        s.sticky = code;
    } else {
        last_error = code;
    }
    s.failed.push_back({.code = code, .sticky = sticky, .where = where, .sentence = sentence});
}

// The machine asks before a launch: one that is not made because of the sticky error leaves it as the last
// error.
int current_error() {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    if (s.sticky != 0) last_error = s.sticky;
    return s.sticky;
}

const char* error_name(int code) {
    const ErrorText* e = find_text(code);
    return e != nullptr ? e->name : "unrecognized error code";
}

void report_unchecked_errors() {
    State& s = state();
    std::vector<FailedLaunch> failed;
    {
        const std::lock_guard lock(s.mutex);
        failed.swap(s.failed);
    }
    for (const FailedLaunch& f : failed) {
        // The code of a refused launch is in the last error only. That of a kernel that faulted comes back
        // from the calls after it; whether the program looks at a returned value cannot be seen, but that it
        // goes on working all the same can.
        const bool unchecked = f.sticky ? f.ignored || (!f.returned && !f.asked) : !f.asked;
        if (!unchecked) continue;
        report_finding({.kind = "unchecked-error",
                        .message = fmt::format(
                            "the launch at line {} failed with {} ({}), and nothing checked it", f.where.line,
                            error_name(f.code), cudaGetErrorString(cudaError_t(f.code))),
                        .fix = "Check cudaGetLastError() after the launch and the result of the next "
                               "cudaDeviceSynchronize(); "
                               "stop at the first error.",
                        .where = f.where});
    }
}

namespace runtime {

int take_last_error() {
    const int code = last_error;
    last_error = 0;
    return code;
}
void set_last_error(int code) {
    last_error = code;
}

cudaError_t enter(Call kind) {
    if (const queue::Operation* function = queue::host_function)
        return fail(
            cudaErrorNotPermitted,
            {.kind = "api-misuse",
             .message = fmt::format("the host function that line {} queued calls the CUDA API, which CUDA "
                                    "forbids: it might wait for its own stream",
                                    function->where.line),
             .fix = "Let it set a flag or wake a host thread, and call the API from there.",
             .where = function->where});
    State& s = state();
    const std::lock_guard lock(s.mutex);
    if (s.sticky == 0) return cudaSuccess;
    for (FailedLaunch& f : s.failed) {
        if (!f.sticky) continue;
        if (kind == Call::work && f.returned && !f.looked) f.ignored = true;
        f.returned = true;
    }
    last_error = s.sticky;
    return static_cast<cudaError_t>(s.sticky);
}

cudaError_t fail(cudaError_t code) {
    last_error = code;
    return code;
}

cudaError_t fail(cudaError_t code, const FindingDraft& finding) {
    report_finding(finding);
    return fail(code);
}

}  // namespace runtime

namespace cuda {

cudaError_t begin_launch() {
    const auto before = static_cast<cudaError_t>(last_error);
    last_error = 0;
    return before;
}

cudaError_t end_launch(cudaError_t before) {
    const auto code = static_cast<cudaError_t>(last_error);
    if (code == cudaSuccess) {
        last_error = before;
        return cudaSuccess;
    }
    // The call returns the code: that counts as asking.
    State& s = state();
    const std::lock_guard lock(s.mutex);
    note_question(s);
    return code;
}

}  // namespace cuda
}  // namespace simt

cudaError_t cudaGetLastError() {
    const cudaError_t code = cudaPeekAtLastError();
    simt::last_error = 0;
    return code;
}

cudaError_t cudaPeekAtLastError() {
    simt::State& s = simt::state();
    const std::lock_guard lock(s.mutex);
    simt::note_question(s);
    return static_cast<cudaError_t>(simt::last_error);
}

const char* cudaGetErrorName(cudaError_t error) {
    simt::note_look(error);
    return simt::error_name(error);
}

const char* cudaGetErrorString(cudaError_t error) {
    simt::note_look(error);
    const simt::ErrorText* e = simt::find_text(error);
    return e != nullptr ? e->text : "unrecognized error code";
}
