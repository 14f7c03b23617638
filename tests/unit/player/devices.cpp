// Several devices: what belongs to which, what is advice, what runs beside what.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/unit/scratch.h"
#include "workbench/lessons/text.h"
#include "workbench/play/run_program.h"

using namespace lab;

namespace {

// `body` stands in main, which begins on line 13; `before` on line 12.
Run run_body(const std::string& body, int devices, const std::string& before = "") {
    const Scratch scratch;
    const std::string file = (scratch / "program.cu").string();
    write_file(file,
               "#include <cuda_runtime.h>\n#include <cstdio>\n"
               "constexpr int n = 1 << 20;\n"
               "constexpr size_t bytes = n * sizeof(int);\n"
               "__device__ int table[4];\n"
               "__global__ void add(int* x) { x[(blockIdx.x * blockDim.x + threadIdx.x) * 1024] += 1; }\n"
               "__global__ void look(const int* x, int* out) { if (x[threadIdx.x * 16384] < 0) *out = 1; }\n"
               "__global__ void spin(int* x) { int v = *x; for (int k = 0; k < 20000; ++k) v = v * 3 + 1; *x "
               "= v; }\n"
               "__global__ void name_and_pointer(int* p) { table[0] += 1; p[0] += 1; }\n"
               "__global__ void other_words(int* p) { table[0] += 1; p[1] += 1; }\n"
               "void show(cudaError_t code) { printf(\"%d \", int(code)); cudaGetLastError(); }\n" +
                   before + "\nint main() {\n" + body + "\n}\n");
    ProgramRequest request;
    request.files = {file};
    request.streams = Streams::captured;
    request.devices = devices;
    ProgramRun done = run_program(find_home(), request);
    REQUIRE(done.run.status != Status::compile_error);
    return std::move(done.run);
}

const Finding* find(const Run& run, const std::string& kind) {
    const auto it = std::find_if(run.findings.begin(), run.findings.end(),
                                 [&](const Finding& f) { return f.kind == kind; });
    return it == run.findings.end() ? nullptr : &*it;
}

const Timeline& timeline_of(const Run& run) {
    REQUIRE(run.timelines.size() == 1);
    return run.timelines.front();
}

std::vector<TimelineTask> tasks_of(const Run& run, const std::string& kind) {
    std::vector<TimelineTask> found;
    for (const TimelineTask& task : timeline_of(run).tasks)
        if (task.kind == kind) found.push_back(task);
    return found;
}

// A kernel that takes long, in the default stream of each of these devices.
std::string spin_on(const std::vector<int>& devices) {
    std::string body = "    int* d[4];\n";
    for (size_t i = 0; i < devices.size(); ++i) {
        const std::string k = std::to_string(i);
        body += "    cudaSetDevice(" + std::to_string(devices[i]) + "); cudaMalloc(&d[" + k +
                "], 4); cudaMemset(d[" + k + "], 0, 4);\n";
    }
    for (size_t i = 0; i < devices.size(); ++i)
        body += "    cudaSetDevice(" + std::to_string(devices[i]) + "); spin<<<1, 1>>>(d[" +
                std::to_string(i) + "] );\n";
    return body + "    for (int k = 0; k < 4; ++k) { cudaSetDevice(k); cudaDeviceSynchronize(); }";
}

}  // namespace

TEST_SUITE_BEGIN("devices");

TEST_CASE(
    "a variable that is used by its name and by its pointer in one launch is refused, other words are not") {
    const std::string body =
        "    void* p; cudaGetSymbolAddress(&p, table);\n    KERNEL<<<1, 1>>>((int*)p);\n"
        "    int h[4]; cudaMemcpyFromSymbol(h, table, sizeof h); printf(\"%d %d\", h[0], h[1]);";
    const auto with = [&](const std::string& kernel) {
        std::string text = body;
        return text.replace(text.find("KERNEL"), 6, kernel);
    };
    const Run refused = run_body(with("name_and_pointer"), 2);
    const Finding* f = find(refused, "wrong-device");
    REQUIRE(f != nullptr);
    CHECK(f->severity == Severity::error);
    CHECK(f->at.line == 9);
    CHECK(f->buffer == "table");
    CHECK(f->message.find("table") != std::string::npos);
    const Run fine = run_body(with("other_words"), 2);
    CHECK(find(fine, "wrong-device") == nullptr);
    CHECK(fine.output == "1 1");
    // One device has one place for it.
    const Run one = run_body(with("name_and_pointer"), 1);
    CHECK(find(one, "wrong-device") == nullptr);
    CHECK(one.output == "2 0");
}

TEST_CASE("a peer copy that names the wrong device, or none that there is, is told so") {
    const Run run = run_body(
        "    int *a, *b; cudaMalloc(&a, 16); cudaMemset(a, 0, 16);\n    cudaSetDevice(1); cudaMalloc(&b, "
        "16);\n"
        "    show(cudaMemcpyPeer(b, 1, a, 1, 16));\n    show(cudaMemcpyPeer(b, 2, a, 0, 16));\n"
        "    show(cudaMemcpyPeer(b, 1, a, 0, 16));",
        2);
    CHECK(run.output == "0 101 0 ");
    const Finding* f = find(run, "wrong-device");
    REQUIRE(f != nullptr);
    CHECK(f->severity == Severity::advice);
    CHECK(f->at.line == 16);
    CHECK(f->buffer == "a");
}

TEST_CASE(
    "cudaDeviceReset takes the memory, streams and variables of one device, and leaves those of others") {
    const std::string body =
        "    int *a, *b, four = 4; cudaStream_t s; cudaMalloc(&a, 16);\n    cudaSetDevice(1); cudaMalloc(&b, "
        "16);\n"
        "    cudaStreamCreate(&s); cudaMemcpyToSymbol(table, &four, 4);\n"
        "    show(cudaDeviceReset()); show(cudaStreamSynchronize(s)); show(cudaMemset(a, 0, 16));\n"
        "    cudaMemcpyFromSymbol(&four, table, 4); printf(\"%d \", four);\n    show(cudaMemset(b, 0, 16));";
    const Run run = run_body(body, 2);
    CHECK(run.output == "0 400 0 0 1 ");
    const Finding* f = find(run, "use-after-free");
    REQUIRE(f != nullptr);
    CHECK(f->at.line == 19);
    CHECK(f->buffer == "b");
}

TEST_CASE("each device has memory of its own to give, and says so") {
    const std::string body =
        "    size_t before, after, total; void* p; cudaMemGetInfo(&before, &total);\n"
        "    cudaSetDevice(1); cudaMalloc(&p, 1 << 20); cudaMemGetInfo(&after, &total);\n"
        "    printf(\"%zu \", total - after); cudaSetDevice(0); cudaMemGetInfo(&after, &total);\n"
        "    printf(\"%d\", before == after);";
    CHECK(run_body(body, 2).output == "1048576 1");
}

TEST_CASE("kernels of two devices run side by side, those of one device take turns") {
    const Run two = run_body(spin_on({0, 1}), 4), one = run_body(spin_on({0, 0}), 4);
    CHECK(find(two, "stream-race") == nullptr);
    const auto on_two = tasks_of(two, "kernel"), on_one = tasks_of(one, "kernel");
    REQUIRE(on_two.size() == 2);
    REQUIRE(on_one.size() == 2);
    CHECK(on_two[0].device == 0);
    CHECK(on_two[1].device == 1);
    CHECK(on_two[1].begin < on_two[0].end);
    CHECK(on_one[1].begin >= on_one[0].end);
    CHECK(timeline_of(two).devices == 4);
    CHECK(timeline_of(two).metric("kernels_together_us") > 0);
    const std::string text = timeline_text(timeline_of(two), 100);
    CHECK_MESSAGE(text.find("4 devices, each an") != std::string::npos, text);
    CHECK_MESSAGE(text.find("device 1's default stream") != std::string::npos, text);
    const Timeline again = to_timeline(from_timeline(timeline_of(two)));
    CHECK(again.devices == 4);
    CHECK(again.tasks[size_t(on_two[1].id)].device == 1);
}

TEST_CASE("a copy between devices takes an engine of each, and is faster where one reaches the other") {
    const auto copied = [](const std::string& enable) {
        return run_body(
            "    int *a, *b; cudaMalloc(&a, bytes); cudaMemset(a, 0, bytes); cudaSetDevice(1); "
            "cudaMalloc(&b, bytes);\n" +
                enable + "    cudaMemcpyPeer(b, 1, a, 0, bytes); cudaDeviceSynchronize();",
            2);
    };
    const Run through_host = copied(""), direct = copied("    cudaDeviceEnablePeerAccess(0, 0);\n");
    const auto slow = tasks_of(through_host, "copy"), fast = tasks_of(direct, "copy");
    REQUIRE(slow.size() == 1);
    REQUIRE(fast.size() == 1);
    CHECK(slow[0].device == 0);
    CHECK(slow[0].to_device == 1);
    CHECK(slow[0].engine == "copies_to_host");
    CHECK(fast[0].end - fast[0].begin < (slow[0].end - slow[0].begin) / 3);
    const Timeline& t = timeline_of(direct);
    CHECK(t.metric("copies_to_host_us") == doctest::Approx(t.metric("copies_to_device_us")));
}

TEST_CASE(
    "managed pages go from device to device, are copied where they are mostly read, and stay where advice "
    "holds them") {
    const std::string first =
        "    int *x, *out; cudaMallocManaged(&x, bytes); cudaMalloc(&out, 4);\n"
        "    add<<<4, 256>>>(x); cudaDeviceSynchronize();\n";
    const std::string second = "    cudaSetDevice(1); add<<<4, 256>>>(x); cudaDeviceSynchronize();\n";
    const auto faults = [](const Run& run) { return timeline_of(run).metric("device_page_faults"); };
    const auto moved = [](const Run& run) { return timeline_of(run).metric("migrated_to_device_bytes"); };
    const Run moves = run_body(first + second, 2);
    CHECK(faults(moves) == 64 + 64);
    CHECK(moved(moves) == 4 << 20);
    const Run stays = run_body(first +
                                   "    cudaMemAdvise(x, bytes, cudaMemAdviseSetPreferredLocation, "
                                   "cudaMemLocation{cudaMemLocationTypeDevice, 0});\n" +
                                   second,
                               2);
    CHECK(moved(stays) == 0);
    CHECK(timeline_of(stays).metric("remote_pages") == 64);
    const std::string read =
        "    cudaSetDevice(1); cudaMalloc(&out, 4); look<<<1, 64>>>(x, out); cudaDeviceSynchronize();\n"
        "    cudaSetDevice(0); add<<<4, 256>>>(x); cudaDeviceSynchronize();\n";
    const std::string mostly =
        "    cudaMemAdvise(x, bytes, cudaMemAdviseSetReadMostly, cudaMemLocation{});\n";
    const Run copies = run_body(first + mostly + read, 2);
    CHECK(moved(copies) == 4 << 20);  // to device 1 and not back: device 0 kept its copies
    CHECK(faults(copies) == 64 + 64 + 64);
    CHECK(moved(run_body(first + read, 2)) == 2 * (4 << 20));
}

TEST_CASE(
    "a macro for the default stream that a .cu file defines itself has no effect, as with nvcc, and is "
    "named") {
    const std::string body =
        "    int *d; cudaMalloc(&d, 16); unsigned long long a, b;\n"
        "    cudaStreamGetId(0, &a); cudaStreamGetId(cudaStreamLegacy, &b); printf(\"%d\", a == b);";
    const Run run = run_body(body, 1, "#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1");
    CHECK(run.output == "1");
    const Finding* f = find(run, "api-misuse");
    REQUIRE(f != nullptr);
    CHECK(f->severity == Severity::advice);
    CHECK(f->at.line == 12);
    CHECK(find(run_body(body, 1), "api-misuse") == nullptr);
}

TEST_SUITE_END();
