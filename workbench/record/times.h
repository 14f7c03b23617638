// What a GPU was timed with, once a lesson's cases had passed there.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace lab {

struct KernelTime {
    std::string name;
    double us = 0;     // all its launches of one call, together
    int launches = 0;  // of one call
};

struct TimedCall {
    std::string name;        // what the grader calls it: the learner's function, mostly
    double us = 0;           // of one call; the median of `calls`
    int calls = 0;           // that were timed
    double bytes = 0;        // of device memory that a call must move at least; 0: not said
    double flops = 0;        // floating-point operations of a call, a multiply-add counting two; 0: not said
    double solution_us = 0;  // the same call of the lesson's solution; 0: not measured
    std::vector<KernelTime> kernels;
};

// What the card reaches in programs that do nothing else. 0: not known.
struct Ceilings {
    double copy = 0;     // bytes a second, read and written, of a copy of 1 GiB in device memory
    double product = 0;  // FP32 operations a second of cuBLAS's product of two 4096 x 4096 matrices, TF32 off
};

struct Times {
    std::string device;   // "NVIDIA H200"
    std::string driver;   // "580.159"
    std::string title;    // the timing's, "4096 x 4096"
    std::string problem;  // a sentence where it could not be measured; empty: it was
    Ceilings ceilings;
    std::vector<TimedCall> calls;
};

// "3.17 ms  43.4 TFLOP/s, 85 % of cuBLAS here; the solution: 3.20 ms". Without the name.
std::string describe(const TimedCall& call, const Ceilings& ceilings);
// A line for the whole, and one a call; kernels below a call that launches several.
std::vector<std::string> lines_of(const Times& times);

nlohmann::ordered_json from_times(const Times& times);
Times to_times(const nlohmann::ordered_json& record);  // what is missing or of another type stays 0 or empty

}  // namespace lab
