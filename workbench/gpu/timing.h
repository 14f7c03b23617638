// How machine.cpp measures time: CUDA events around whole calls of the learner's function, after a warm-up, and then
// around each launch of a few more calls, kernel by kernel. Included by machine.cpp alone.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace timing {

// At least `fewest_calls` are timed, and no more are begun when `enough_seconds` are over; a call that is slow is timed
// `slow_calls` times alone.
constexpr int warm_up_calls = 3, fewest_calls = 9, slow_calls = 3, most_calls = 100, kernel_calls = 5;
constexpr double warm_up_seconds = 0.05, enough_seconds = 0.3, slow_seconds = 0.5;
constexpr size_t most_launches = 2000;  // of one call, that get events of their own

inline double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Two events on the default stream, and what passed between them.
class Stopwatch {
  public:
    Stopwatch() {
        cudaEventCreate(&from_);
        cudaEventCreate(&to_);
    }
    ~Stopwatch() {
        cudaEventDestroy(from_);
        cudaEventDestroy(to_);
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    void start(cudaStream_t stream = nullptr) { cudaEventRecord(from_, stream); }
    void stop(cudaStream_t stream = nullptr) { cudaEventRecord(to_, stream); }
    // Waits for the second event. 0: one of them was never recorded.
    double microseconds() const {
        float milliseconds = 0;
        cudaEventSynchronize(to_);
        return cudaEventElapsedTime(&milliseconds, from_, to_) == cudaSuccess ? milliseconds * 1000.0 : 0;
    }

  private:
    cudaEvent_t from_ = nullptr, to_ = nullptr;
};

// The launches of one call, while events are put around each.
class Launches {
  public:
    bool wanted() const { return on_ && used_ < most_launches; }
    void begin() {
        on_ = true;
        used_ = 0;
        names_.clear();
    }
    // Of one call: name -> microseconds and launches.
    struct Sum {
        double us = 0;
        int launches = 0;
    };
    std::map<std::string, Sum> end() {
        on_ = false;
        std::map<std::string, Sum> sums;
        for (size_t i = 0; i < used_; ++i) {
            sums[names_[i]].us += watches_[i]->microseconds();
            ++sums[names_[i]].launches;
        }
        return sums;
    }
    // A graph that is being captured takes no events of ours.
    static bool captures(cudaStream_t stream) {
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        return cudaStreamIsCapturing(stream, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone;
    }
    Stopwatch* next(const std::string& name) {
        if (used_ == watches_.size()) watches_.push_back(new Stopwatch);  // kept until the process ends
        names_.push_back(name);
        return watches_[used_++];
    }

  private:
    bool on_ = false;
    size_t used_ = 0;
    std::vector<Stopwatch*> watches_;
    std::vector<std::string> names_;
};

inline double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace timing
