// A stand-in for `cudalab grade SLUG [FILE] --json` and `cudalab try SLUG n=N block=B [grid=G] --json`, for
// the UI tests: it reads a version of lesson 01's exercise by a few words in its text and makes the Run and
// the traces that such a file would give. No compiler, no machine: what the window does with a Run is tested
// here, not the grading.
#include <simt/include/simt/trace.h>

#include <fmt/format.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "workbench/lessons/lesson.h"
#include "workbench/record/run.h"

namespace {

struct Program {
    bool round_up = false, guard = false, global_index = false, writes = false;
    int line_of_write = 0;
};

struct Trial {
    int n, threads;
    int grid = 0;  // chosen by the reader; 0: the program's own
};
constexpr Trial trials[] = {{8, 4}, {10, 4}, {1000, 256}, {40000, 32}};

bool has(const std::string& text, const char* words) {
    return text.find(words) != std::string::npos;
}

Program read_program(const std::string& text) {
    Program program;
    program.round_up = has(text, "(n + threads_per_block - 1) / threads_per_block");
    program.guard = has(text, "if (i < n)");
    program.global_index = has(text, "blockIdx.x * blockDim.x + threadIdx.x");
    program.writes = has(text, "d_out[i] = i * i");
    const size_t at = text.find("d_out[i] = i * i");
    for (size_t i = 0; i < std::min(at, text.size()); ++i) program.line_of_write += text[i] == '\n';
    ++program.line_of_write;
    return program;
}

void write_trace(const std::string& path, const Program& program, const Trial& trial, int blocks,
                 uint64_t address) {
    using namespace simt::trace;
    std::string records;
    uint64_t count = 0;
    for (int block = 0; block < blocks && program.writes; ++block)
        for (int warp = 0; warp * 32 < trial.threads; ++warp) {
            RecordHeader head{};
            head.block = uint32_t(block);
            head.warp = uint16_t(warp);
            head.line = uint32_t(program.line_of_write);
            head.bytes = 4;
            head.op = Op::store;
            head.affine = 1;
            const int base = (program.global_index ? block * trial.threads : 0) + warp * 32;
            for (int lane = 0; lane < 32 && warp * 32 + lane < trial.threads; ++lane)
                if (!program.guard || base + lane < trial.n) head.mask |= 1u << lane;
            if (!head.mask) continue;
            const int64_t affine[2] = {int64_t(address) + base * 4, 4};
            records.append(reinterpret_cast<const char*>(&head), sizeof head);
            records.append(reinterpret_cast<const char*>(affine), sizeof affine);
            ++count;
        }
    FileHeader header{{'S', 'I', 'M', 'T', 'T', 'R', 'C', '1'}, records.size(), count, 0};
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(&header), sizeof header);
    out << records;
}

lab::Finding finding_of(const char* kind, int index, const std::string& message, const std::string& fix) {
    lab::Finding finding;
    finding.kind = kind;
    finding.message = message;
    finding.fix = fix;
    finding.buffer = "out";
    finding.case_index = index;
    finding.launch = 0;
    return finding;
}

void play(lab::Run& run, const Program& program, int index, const Trial& trial, const std::string& folder) {
    const int asked = program.round_up ? (trial.n + trial.threads - 1) / trial.threads : 1;
    const int blocks = trial.grid != 0 ? trial.grid : asked;
    const int threads = blocks * trial.threads;
    const uint64_t address = 0x7f0000000000u + uint64_t(index) * 0x1000000u;
    lab::Case one{fmt::format("{} elements, blocks of {}", trial.n, trial.threads), true, "", 0.01,
                  fmt::format("{}/{}.trace", folder, index)};
    write_trace(one.trace, program, trial, blocks, address);
    run.buffers.push_back({"out", "global", address, uint64_t(trial.n) * 4, 4, {run.source, 24, 5}, index});
    lab::Kernel kernel;
    kernel.name = "square_kernel";
    kernel.at = {run.source, 24, 5};
    kernel.grid.x = unsigned(blocks);
    if (trial.grid != 0) kernel.asked_grid = lab::Dim3{unsigned(asked), 1, 1};
    kernel.block.x = unsigned(trial.threads);
    kernel.status = "ok";
    kernel.case_index = index;
    if (program.writes)
        kernel.lines.push_back(
            {{run.source, program.line_of_write, 9},
             {{"global_store_requests", threads / 32}, {"global_store_sectors", threads / 8}}});
    run.kernels.push_back(kernel);
    const int written =
        !program.writes ? 0 : std::min(trial.n, program.global_index ? threads : trial.threads);
    if (written < trial.n) {
        lab::Finding finding = finding_of(
            "never-written", index, fmt::format("out[{}..{}] were never written.", written, trial.n - 1),
            program.writes ? "The grid is too small: divide n by threads_per_block, rounding up."
                           : "Write i * i to d_out[i].");
        finding.at = {run.source, 24, 5};
        finding.element = written;
        finding.last_element = trial.n - 1;
        run.findings.push_back(finding);
        one.message = fmt::format("out[{}..{}] were never written: expected {} in out[{}].", written,
                                  trial.n - 1, written * written, written);
    } else if (!program.guard && threads > trial.n) {
        const int thread = trial.n % trial.threads, block = trial.n / trial.threads;
        lab::Finding finding =
            finding_of("oob-global", index,
                       fmt::format("Thread {} of block {} wrote out[{}], but out has {} elements (line {}).",
                                   thread, block, trial.n, trial.n, program.line_of_write),
                       "Let a thread without an element do nothing: if (i < n).");
        finding.at = {run.source, program.line_of_write, 5};
        finding.block = lab::Dim3{unsigned(block), 0, 0};
        finding.thread = lab::Dim3{unsigned(thread), 0, 0};
        finding.element = finding.last_element = trial.n;
        run.findings.push_back(finding);
        one.message = finding.message;
    }
    one.passed = one.message.empty();
    run.cases.push_back(one);
}

}  // namespace

int main(int argc, char** argv) {
    const bool tried = argc > 2 && std::strcmp(argv[1], "try") == 0;
    if (argc < 3 || (!tried && std::strcmp(argv[1], "grade") != 0)) return 2;
    const lab::Home home = lab::find_home();
    lab::Run run;
    run.lesson = argv[2];
    run.source = (home.exercises / (run.lesson + ".cu")).string();
    Trial wanted{10, 4};
    bool both = false;
    for (int i = 3; i < argc; ++i) {
        const std::string word = argv[i];
        if (word.rfind("n=", 0) == 0) wanted.n = std::atoi(word.c_str() + 2);
        if (word.rfind("block=", 0) == 0) wanted.threads = std::atoi(word.c_str() + 6);
        if (word.rfind("grid=", 0) == 0) wanted.grid = std::atoi(word.c_str() + 5);
        if (word == "--backend") {
            both = std::strcmp(argv[++i], "auto") == 0;
            continue;
        }
        if (word.rfind("--", 0) != 0 && word.find('=') == std::string::npos) run.source = word;
    }
    std::ifstream in(run.source);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const char* data = std::getenv("CUDALAB_CACHE");
    const std::string folder = fmt::format("{}/traces-{}{}", data ? data : "/tmp", tried ? "try-" : "",
                                           std::hash<std::string>{}(text));
    std::filesystem::create_directories(folder);
    if (has(text, "return cudaGetLastError()\n")) {
        run.status = lab::Status::compile_error;
        run.headline = "Your file does not compile.";
        run.next_action = "Put a semicolon at the end of line 28.";
        run.diagnostics.push_back({"error",
                                   {run.source, 28, 30},
                                   "expected ‘;’ before ‘}’ token",
                                   "A semicolon is missing at the end of this line.",
                                   "    return cudaGetLastError()"});
    } else {
        const Program program = read_program(text);
        if (tried) play(run, program, 0, wanted, folder);
        for (int i = 0; i < 4 && !tried; ++i) play(run, program, i, trials[i], folder);
        run.passed = run.findings.empty();
        run.status = run.passed ? lab::Status::ok : lab::Status::findings;
        run.headline = run.passed ? "Passed: all 4 cases." : run.findings.front().message;
        run.next_action = run.passed ? "Answer the questions that are left, then go on to lesson 02."
                                     : run.findings.front().fix;
        run.compile_seconds = 0.12;
        run.run_seconds = 0.05;
    }
    run.source_hash = std::to_string(std::hash<std::string>{}(text));
    if (both && run.status != lab::Status::compile_error) {
        run.second = lab::SecondVerdict{"NVIDIA H200", true, "", 4, 0, 2.31};
        if (run.passed)
            run.times = lab::Times{"NVIDIA H200",        "580.159",
                                   "16,777,216 numbers", "",
                                   {4.21e12, 0},         {{"fill_squares", 21.5, 20, 6.7e7, 0, 20.9, {}}}};
    }
    fmt::print("{}\n", lab::to_json(run));
    return run.passed ? 0 : 1;
}
