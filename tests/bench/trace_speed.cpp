// What a trace costs: ten million accesses, run checked without and with one, and the time to open its file.
// Medians of five.
//
//     build/trace_speed
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <vector>

#include "simt/include/simt/trace.h"
#include "simt/toolchain/compile.h"
#include "workbench/lessons/text.h"
#include "workbench/play/player.h"
#include "workbench/play/tools.h"

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

// 256 blocks: a larger grid is sampled.
constexpr const char* program_text = R"(#include <cuda_runtime.h>
__global__ void copy(const float* in, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
int main() {
    const int n = 5'000'000;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
    copy<<<256, 256>>>(in, out, n);
    return cudaDeviceSynchronize();
}
)";

double seconds_of(const std::function<void()>& work) {
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

lab::PlayRequest request(const std::string& program, uint64_t records) {
    lab::PlayRequest play;
    play.program = program;
    play.session.trace_records = records;
    play.limits.seconds = 60;
    play.limits.trace_bytes = records == 0 ? 0 : uint64_t{1} << 30;
    play.body = [](const lab::LoadedProgram& loaded) {
        return reinterpret_cast<int (*)()>(lab::resolve_or_end(loaded, "main"))();
    };
    return play;
}

}  // namespace

int main() {
    const lab::Home home = lab::find_home();
    const lab::Tools tools = lab::find_tools(home);
    const fs::path folder = fs::temp_directory_path() / fmt::format("cudalab-trace-speed-{}", getpid());
    fs::create_directories(folder);
    lab::write_file(folder / "copy.cu", program_text);
    simt::toolchain::CompileOptions options;
    options.sources = {(folder / "copy.cu").string()};
    options.simt_library = tools.machine.string();
    options.simt_include = tools.simt_include.string();
    const auto program = simt::toolchain::compile(options);
    if (!program.ok) {
        fmt::print(stderr, "The program does not compile.\n");
        return 1;
    }
    const lab::Machine machine = lab::load_machine(tools.machine.string());
    std::vector<double> without, sampled, whole, opening;
    const fs::path file = folder / "whole.trace";
    const auto play = [&](uint64_t records) {
        lab::PlayResult result = lab::play(machine, request(program.shared_object, records));
        if (result.ended_well() && result.returned == 0) return result;
        fmt::print(stderr, "The program did not end well. {}\n", result.reason);
        exit(1);
    };
    for (int i = 0; i < 5; ++i) {
        without.push_back(play(0).seconds);
        sampled.push_back(play(200'000).seconds);
        const lab::PlayResult all = play(1'000'000);
        whole.push_back(all.seconds);
        lab::write_file(file, std::string(all.trace.begin(), all.trace.end()));
        opening.push_back(seconds_of([&] {
            const auto reader = simt::trace::Reader::open(file.string());
            if (reader.size() == 0) fmt::print(stderr, "The trace is empty: {}\n", reader.error());
        }));
    }
    const auto reader = simt::trace::Reader::open(file.string());
    fmt::print("ten million accesses, checked, one order\n");
    fmt::print("without a trace          {:.3f} s\n", median(without));
    fmt::print("with the usual budget    {:.3f} s ({:.2f} times)\n", median(sampled),
               median(sampled) / median(without));
    fmt::print("with room for a million  {:.3f} s ({:.2f} times; wanted: 2 at most), {} records, {:.1f} MB\n",
               median(whole), median(whole) / median(without), reader.size(),
               static_cast<double>(fs::file_size(file)) / 1e6);
    fmt::print("opening that             {:.3f} s (wanted: under 1)\n", median(opening));
    fs::remove_all(folder);
    return 0;
}
