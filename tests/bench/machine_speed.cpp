// The speed of the CPU machine: the jobs of machine_speed.cu, first without checks beside the same jobs as
// plain loops with one thread a core, then checked. Medians of seven (checked: five) after two to warm up.
//
//     build/machine_speed
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "workbench/lessons/lesson.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Job {
    const char *name, *unit;
    double scale;   // of work a second in units of 1e6
    double wanted;  // issue 4's number in that unit; for launches: microseconds at most
};
const std::vector<Job> jobs = {
    {"add", "GB/s", 1e-3, 14.5},     {"matmul", "GFLOP/s", 1e-3, 2.3},
    {"reduce", "Melem/s", 1, 17},    {"shuffle", "Melem/s", 1, 30},
    {"histogram", "Melem/s", 1, 64}, {"histogram_shared", "Melem/s", 1, 170},
    {"launch_and_wait", "us", 1, 5}, {"launch_back_to_back", "us", 1, 0.4},
};

// ---- plain loops ----

template <class Work>
void on_all_cores(size_t count, Work work) {
    const size_t cores = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> threads;
    for (size_t c = 0; c < cores; ++c)
        threads.emplace_back([=] { work(count * c / cores, count * (c + 1) / cores); });
    for (std::thread& t : threads) t.join();
}

template <class Work>
double median_seconds(Work work) {
    std::vector<double> times;
    for (int i = -2; i < 7; ++i) {
        const auto start = Clock::now();
        work();
        if (i >= 0) times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

volatile double sink;

double plain_add() {
    constexpr size_t n = 1 << 24;
    std::vector<float> a(n, 1), b(n, 2), c(n);
    const float *pa = a.data(), *pb = b.data();
    float* pc = c.data();
    const double s = median_seconds([=] {
        on_all_cores(n, [=](size_t first, size_t last) {
            for (size_t i = first; i < last; ++i) pc[i] = pa[i] + pb[i];
        });
    });
    sink = c[n / 3];
    return 12.0 * n / s / 1e6;
}

double plain_matmul() {
    constexpr size_t n = 512;
    std::vector<float> a(n * n, 1), b(n * n, 2), c(n * n);
    const float *pa = a.data(), *pb = b.data();
    float* pc = c.data();
    const double s = median_seconds([=] {
        on_all_cores(n, [=](size_t first, size_t last) {
            for (size_t i = first; i < last; ++i) {
                float* row = pc + i * n;
                std::fill_n(row, n, 0.0f);
                for (size_t k = 0; k < n; ++k) {
                    const float v = pa[i * n + k];
                    for (size_t j = 0; j < n; ++j) row[j] += v * pb[k * n + j];
                }
            }
        });
    });
    sink = c[n];
    return 2.0 * n * n * n / s / 1e6;
}

double plain_sums(size_t group) {
    constexpr size_t n = 1 << 22;
    std::vector<float> in(n, 1), out(n / group);
    const float* pi = in.data();
    float* po = out.data();
    const double s = median_seconds([=] {
        on_all_cores(n / group, [=](size_t first, size_t last) {
            for (size_t k = first; k < last; ++k) {
                std::array<float, 8> part{};
                for (size_t j = 0; j < group; ++j) part[j % 8] += pi[k * group + j];
                float sum = 0;
                for (const float v : part) sum += v;
                po[k] = sum;
            }
        });
    });
    sink = out[1];
    return n / s / 1e6;
}

double plain_histogram(bool bins_of_their_own) {
    constexpr size_t n = 1 << 22;
    std::vector<unsigned char> in(n);
    unsigned x = 1;
    for (auto& v : in) v = static_cast<unsigned char>((x = x * 1664525u + 1013904223u) >> 24);
    std::vector<unsigned> bins(256);
    const unsigned char* pi = in.data();
    unsigned* pb = bins.data();
    const double s = median_seconds([=] {
        std::fill_n(pb, 256, 0u);
        on_all_cores(n, [=](size_t first, size_t last) {
            if (!bins_of_their_own) {
                for (size_t i = first; i < last; ++i) __atomic_fetch_add(&pb[pi[i]], 1u, __ATOMIC_RELAXED);
                return;
            }
            std::array<unsigned, 256> mine{};
            for (size_t i = first; i < last; ++i) ++mine[pi[i]];
            for (size_t i = 0; i < 256; ++i) __atomic_fetch_add(&pb[i], mine[i], __ATOMIC_RELAXED);
        });
    });
    sink = bins[7];
    return n / s / 1e6;
}

std::map<std::string, double> plain_loops() {
    return {{"add", plain_add()},
            {"matmul", plain_matmul()},
            {"reduce", plain_sums(256)},
            {"shuffle", plain_sums(32)},
            {"histogram", plain_histogram(false)},
            {"histogram_shared", plain_histogram(true)}};
}

// ---- the CPU machine ----

// What `cudalab run` printed: name -> work a second in units of 1e6. Ends the program if a result is wrong.
std::map<std::string, double> machine(const std::string& command) {
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) {
        fmt::print(stderr, "`{}` could not be started.\n", command);
        std::exit(1);
    }
    std::string text;
    std::array<char, 4096> buffer;
    for (size_t got; (got = fread(buffer.data(), 1, buffer.size(), pipe)) != 0;)
        text.append(buffer.data(), got);
    const int status = pclose(pipe);
    std::map<std::string, double> rates;
    std::istringstream words(text);
    std::string name, verdict;
    for (double rate; words >> name >> rate >> verdict;) {
        rates[name] = rate;
        if (verdict != "right") fmt::print(stderr, "The result of {} is wrong.\n", name);
        if (verdict != "right") std::exit(1);
    }
    if (status != 0 || rates.empty()) {
        fmt::print(stderr, "`{}` ended with status {} and printed:\n{}\n", command, status, text);
        std::exit(1);
    }
    return rates;
}

}  // namespace

int main() {
    const lab::Home home = lab::find_home();
    const std::string run =
        fmt::format("'{}' run '{}/tests/bench/machine_speed.cu'", CUDALAB, home.content.string());
    const auto fast = machine(run + " --fast 2>/dev/null");
    const auto plain = plain_loops();
    fmt::print("without checks, {} cores\n", std::thread::hardware_concurrency());
    fmt::print("{:<22} {:>12} {:>12} {:<8} {:>24}\n", "job", "wanted", "measured", "", "of the plain loop's");
    for (const Job& job : jobs) {
        const double rate = fast.at(job.name);
        const bool launches = job.unit == std::string("us");
        fmt::print("{:<22} {:>12} {:>12.2f} {:<8}", job.name, job.wanted,
                   launches ? 1 / rate : rate * job.scale, job.unit);
        if (plain.count(job.name) != 0)
            fmt::print(" {:>10.3f} ({:.1f})", rate / plain.at(job.name), plain.at(job.name) * job.scale);
        fmt::print("\n");
    }
    const auto checked = machine(run + " -- small 2>/dev/null");
    // A tile of 16 steps reads 32 elements of shared memory, fills two from global memory, and does 32
    // operations.
    const double accesses = checked.at("matmul") * (32 + 4) / 32;
    fmt::print("\nchecked: races, bounds and initialisation on; one core for each of two thread orders\n");
    fmt::print("tiled matmul 128: {:.1f} million checked accesses a second (wanted: 40)\n", accesses);
    for (const auto& [name, rate] : checked) fmt::print("{:<22} {:>12.2f} million a second\n", name, rate);
    return 0;
}
