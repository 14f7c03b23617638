// Pages of managed memory: who faults, what moves, and under which line.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/unit/scratch.h"
#include "workbench/lessons/text.h"
#include "workbench/play/run_program.h"

using namespace lab;

namespace {

// 4 MiB: 64 pages of 64 KiB. `body` stands in main, which begins on line 10; `x` is managed.
Run run_body(const std::string& body, uint64_t device_memory = 0) {
    const Scratch scratch;
    const std::string file = (scratch / "program.cu").string();
    write_file(
        file,
        "#include <cuda_runtime.h>\n#include <cstdio>\n"
        "constexpr int n = 1 << 20;\n"
        "constexpr size_t bytes = n * sizeof(int);\n"
        "constexpr cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};\n"
        "__global__ void add(int* x) { x[(blockIdx.x * blockDim.x + threadIdx.x) * 1024] += 1; }\n"
        "__global__ void fill(int* x) { x[(blockIdx.x * blockDim.x + threadIdx.x) * 1024] = 1; } "
        "__global__ void look(const int* x, int* out) { if (x[threadIdx.x * 16384] < 0) *out = 1; }\n"
        "void touch(int* x) { for (int i = 0; i < n; i += 1024) x[i] = i; }\n"
        "long sum(const int* x) { long s = 0; for (int i = 0; i < n; i += 1024) s += x[i]; return s; }\n"
        "int main() {\n    int *x, *out; cudaMallocManaged(&x, bytes);\n    cudaMalloc(&out, "
        "sizeof(int));\n" +
            body + "\n    cudaDeviceSynchronize();\n    cudaFree(x); cudaFree(out);\n}\n");
    ProgramRequest request;
    request.files = {file};
    request.streams = Streams::captured;
    request.device_memory = device_memory;
    ProgramRun done = run_program(find_home(), request);
    for (const Finding& f : done.run.findings) FAIL_CHECK(f.message);
    return std::move(done.run);
}

double metric(const Run& run, const std::string& name) {
    REQUIRE(run.timelines.size() == 1);
    return run.timelines.front().metric(name);
}

constexpr double all = 4 << 20;
const std::string launch = "    add<<<4, 256>>>(x);\n";
const std::string wait = "    cudaDeviceSynchronize();\n";

}  // namespace

TEST_SUITE_BEGIN("managed");

TEST_CASE("pages that the host filled move to the kernel that touches them, and back, a fault each") {
    const Run run = run_body("    touch(x);\n" + launch + wait + "    printf(\"%ld\", sum(x));");
    CHECK(run.output == "536347648");
    CHECK(metric(run, "host_page_faults") == 64 + 64);
    CHECK(metric(run, "device_page_faults") == 64);
    CHECK(metric(run, "migrated_to_device_bytes") == all);
    CHECK(metric(run, "migrated_to_host_bytes") == all);
    CHECK(run.kernels.front().metrics.at("page_faults") == 64);
    CHECK(run.kernels.front().metrics.at("page_bytes") == all);
    const auto& pages = run.timelines.front().pages;
    const auto kernel =
        std::find_if(pages.begin(), pages.end(), [](const PageLine& p) { return p.side == "device"; });
    REQUIRE(kernel != pages.end());
    CHECK(kernel->line == 6);
    CHECK(kernel->buffer == "x");
    CHECK(kernel->to_device_bytes == all);
    const auto back = std::find_if(pages.begin(), pages.end(), [](const PageLine& p) { return p.line == 9; });
    REQUIRE(back != pages.end());
    CHECK(back->to_host_bytes == all);
}

TEST_CASE("pages that a kernel touches first cost faults, but no bytes") {
    const Run run = run_body("    fill<<<4, 256>>>(x);\n");
    CHECK(metric(run, "device_page_faults") == 64);
    CHECK(metric(run, "migrated_to_device_bytes") == 0);
}

TEST_CASE("what a memset or a copy to the device writes is on the device afterwards") {
    for (const char* call : {"cudaMemset(x, 0, bytes);", "cudaMemcpy(x, y, bytes, cudaMemcpyDeviceToDevice);",
                             "cudaMemcpy(x, y, bytes, cudaMemcpyDefault);",
                             "touch(x); cudaMemcpyAsync(x, y, bytes, cudaMemcpyDeviceToDevice);"}) {
        CAPTURE(call);
        const Run run = run_body("    int* y; cudaMalloc(&y, bytes); cudaMemset(y, 0, bytes);\n    " +
                                 std::string(call) + "\n" + launch + wait + "    cudaFree(y);");
        CHECK(metric(run, "device_page_faults") == 0);
        CHECK(metric(run, "migrated_to_device_bytes") == 0);  // overwritten whole: there is nothing to bring
    }
}

TEST_CASE(
    "what a copy to the host writes is with the host afterwards, and the rest of its page comes along") {
    const Run run = run_body(
        "    int* y; cudaMalloc(&y, bytes); cudaMemset(y, 0, bytes);\n    fill<<<4, 256>>>(x);\n"
        "    cudaMemcpy(x, y, 65536 + 4, cudaMemcpyDeviceToHost);\n    cudaDeviceSynchronize();\n    "
        "printf(\"%d\", x[0] + x[16384]);\n    "
        "cudaFree(y);");
    CHECK(run.output == "0");
    CHECK(metric(run, "host_page_faults") == 0);
    CHECK(metric(run, "migrated_to_host_bytes") == 65536);
}

// As an H200 did.
TEST_CASE(
    "a copy to device memory brings the pages that it reads to the device, but those that should stay") {
    const auto copied = [](const std::string& before) {
        return run_body("    int* y; cudaMalloc(&y, bytes);\n    touch(x);\n    " + before +
                        "\n    cudaMemcpy(y, x, bytes, cudaMemcpyDefault);\n    cudaDeviceSynchronize();\n   "
                        " printf(\"%ld\", sum(x));\n   "
                        " cudaFree(y);");
    };
    const Run run = copied("");
    CHECK(metric(run, "migrated_to_device_bytes") == all);
    CHECK(metric(run, "migrated_to_host_bytes") == all);  // sum
    CHECK(metric(run, "device_page_faults") == 0);
    for (const char* advice :
         {"cudaMemAdviseSetPreferredLocation, host", "cudaMemAdviseSetAccessedBy, device"}) {
        const Run stayed = copied("cudaMemAdvise(x, bytes, " + std::string(advice) + ");");
        CHECK(metric(stayed, "migrated_to_device_bytes") == 0);
    }
}

TEST_CASE("the page map tells act by act where pages went, in runs of neighbours, with lines") {
    const Run run = run_body("    touch(x);\n    cudaMemPrefetchAsync(x, bytes / 2, device, 0);\n" + launch +
                             wait + "    sum(x);");
    const PageMap& map = run.timelines.front().page_map;
    REQUIRE(map.buffers.size() == 1);
    CHECK(map.buffers[0].name == "x");
    CHECK(map.pages_of(map.buffers[0]) == 64);
    std::vector<std::string> kinds;
    for (const PageAct& act : map.acts) kinds.push_back(act.kind);
    CHECK(kinds == std::vector<std::string>{"host", "prefetch", "kernel", "host", "call"});
    REQUIRE(map.events.size() == 5);
    const auto check = [&](size_t i, int act, const char* change, uint32_t first, uint32_t count, int line) {
        CAPTURE(i);
        CHECK(map.events[i].act == act);
        CHECK(map.events[i].change == change);
        CHECK(map.events[i].first == first);
        CHECK(map.events[i].count == count);
        if (line != 0) CHECK(map.events[i].line == line);
    };
    check(0, 0, "made", 0, 64, 8);  // before anything was launched
    check(1, 1, "moved", 0, 32, 0);
    check(2, 2, "moved", 32, 32, 6);
    check(3, 3, "moved", 0, 64, 9);
    check(4, 4, "freed", 0, 64, 0);
    CHECK(map.events[0].on_host);
    CHECK(map.events[1].on_devices == 1);
    CHECK_FALSE(map.events[1].is_fault);
    CHECK(map.events[2].is_fault);
    CHECK(map.acts[2].launch == 0);
    CHECK(map.left_out == 0);
    const PageMap again = to_page_map(from_page_map(map));
    CHECK(from_page_map(again) == from_page_map(map));
}

TEST_CASE("a page map whose numbers lead nowhere is read without them") {
    const auto record = nlohmann::ordered_json::parse(
        R"({"page_bytes":65536,"buffers":[{"name":"x","bytes":131072}],"acts":[{"kind":"host"}],"events":[
        {"act":0,"buffer":0,"first":1,"count":1,"change":"made"},{"act":0,"buffer":0,"first":1,"count":2},
        {"act":1,"buffer":0},{"act":0,"buffer":7},{"act":-1},{"act":0,"buffer":0,"count":0},5,
        {"act":0,"buffer":0,"first":1,"count":4294967295}]})");
    const PageMap map = to_page_map(record);
    REQUIRE(map.events.size() == 1);
    CHECK(map.events[0].first == 1);
    CHECK(to_page_map(nlohmann::ordered_json::parse(R"({"page_bytes":-3,"events":[{}]})")).events.empty());
}

TEST_CASE("a page map stays small, however much happens") {
    const Run run = run_body(
        "    for (int i = 0; i < 3000; ++i) { touch(x); cudaMemPrefetchAsync(x, bytes, 0); "
        "cudaDeviceSynchronize(); }");
    const PageMap& map = run.timelines.front().page_map;
    CHECK(map.acts.size() <= 501);
    CHECK(map.events.size() <= 4000);
    CHECK(map.left_out > 1000);
}

TEST_CASE("a prefetch brings the pages in one copy, in the forms of CUDA 12 and of CUDA 13") {
    for (const char* call : {"cudaMemPrefetchAsync(x, bytes, device, 0);",
                             "cudaMemPrefetchAsync(x, bytes, 0);", "cudaMemPrefetchAsync(x, bytes, 0, 0);"}) {
        const Run run =
            run_body("    touch(x);\n    " + std::string(call) + "\n" + launch + wait +
                     "    cudaMemPrefetchAsync(x, bytes, cudaCpuDeviceId);\n" + wait + "    sum(x);");
        CHECK(metric(run, "device_page_faults") == 0);
        CHECK(metric(run, "host_page_faults") == 64);
        CHECK(metric(run, "prefetched_bytes") == 2 * all);
        const auto& tasks = run.timelines.front().tasks;
        const auto prefetch = std::find_if(tasks.begin(), tasks.end(),
                                           [](const TimelineTask& t) { return t.kind == "prefetch"; });
        REQUIRE(prefetch != tasks.end());
        CHECK(prefetch->bytes == all);
        CHECK(prefetch->engine == "copies_to_device");
    }
}

TEST_CASE("with faults the same kernel takes longer on the timeline than after a prefetch") {
    const Run slow = run_body("    touch(x);\n" + launch),
              fast = run_body("    touch(x);\n    cudaMemPrefetchAsync(x, bytes, 0);\n" + launch);
    CHECK(metric(slow, "kernels_us") > 50 * metric(fast, "kernels_us"));
    CHECK(metric(slow, "total_us") > metric(fast, "total_us"));
}

TEST_CASE("mostly read pages are copied once, and a write takes the other copy away") {
    const Run run = run_body(
        "    touch(x);\n    cudaMemAdvise(x, bytes, cudaMemAdviseSetReadMostly, device);\n"
        "    look<<<1, 64>>>(x, out);\n" +
        wait + "    sum(x);\n    look<<<1, 64>>>(x, out);\n" + wait +
        "    x[0] = 1;\n    look<<<1, 64>>>(x, out);");
    CHECK(metric(run, "device_page_faults") == 64 + 1);
    CHECK(metric(run, "host_page_faults") == 64 + 1);
    CHECK(metric(run, "migrated_to_device_bytes") == all + 65536);
    CHECK(metric(run, "migrated_to_host_bytes") == 0);
}

TEST_CASE("pages that prefer the host or are mapped stay there") {
    const Run mapped =
        run_body("    touch(x);\n    cudaMemAdvise(x, bytes, cudaMemAdviseSetAccessedBy, 0);\n" + launch +
                 wait + "    sum(x);");
    CHECK(metric(mapped, "device_page_faults") == 0);
    CHECK(metric(mapped, "migrated_to_device_bytes") == 0);
    const Run prefers =
        run_body("    touch(x);\n    cudaMemAdvise(x, bytes, cudaMemAdviseSetPreferredLocation, host);\n" +
                 launch + wait + "    sum(x);");
    CHECK(metric(prefers, "device_page_faults") == 64);
    CHECK(metric(prefers, "remote_pages") == 64);
    CHECK(metric(prefers, "migrated_to_device_bytes") == 0);
    CHECK(metric(prefers, "host_page_faults") == 64);
}

TEST_CASE(
    "on a device that is too small the pages that came first make way, and the result is right all the "
    "same") {
    const std::string twice = "    touch(x);\n" + launch + launch + wait + "    printf(\"%ld\", sum(x));";
    const Run small = run_body(twice, 2 << 20), large = run_body(twice);
    CHECK(small.output == large.output);
    CHECK(metric(large, "evicted_bytes") == 0);
    CHECK(metric(large, "device_page_faults") == 64);
    // 31 pages fit beside the buffer of cudaMalloc: the second launch finds none of what it touches first.
    CHECK(metric(small, "device_page_faults") == 128);
    CHECK(metric(small, "evicted_bytes") == (128 - 31) * 65536);
    CHECK(metric(small, "total_us") > metric(large, "total_us"));
    const Run made_way = run_body("    cudaMemPrefetchAsync(x, bytes, 0);\n" + launch + wait +
                                      "    void* more; cudaMalloc(&more, 3 << 20);\n    cudaFree(more);",
                                  5 << 20);
    CHECK(metric(made_way, "evicted_bytes") >= 2 << 20);
}

TEST_CASE("a __managed__ variable has pages, too") {
    const Scratch scratch;
    const std::string file = (scratch / "program.cu").string();
    write_file(file,
               "#include <cuda_runtime.h>\n#include <cstdio>\n__managed__ int numbers[65536];\n"
               "__global__ void add() { numbers[threadIdx.x * 256] += 1; }\n"
               "int main() {\n    numbers[256] = 41;\n    add<<<1, 256>>>();\n    cudaDeviceSynchronize();\n"
               "    printf(\"%d\", numbers[256]);\n}\n");
    ProgramRequest request;
    request.files = {file};
    request.streams = Streams::captured;
    const Run run = run_program(find_home(), request).run;
    CHECK(run.output == "42");
    CHECK(metric(run, "device_page_faults") == 4);
    CHECK(metric(run, "migrated_to_device_bytes") == 262144);
    CHECK(metric(run, "migrated_to_host_bytes") == 65536);
}

TEST_CASE("managed memory that was freed is the host's no longer, and a variable is never freed") {
    const Scratch scratch;
    const std::string file = (scratch / "program.cu").string();
    write_file(file,
               "#include <cuda_runtime.h>\n#include <cstdio>\n__managed__ int number;\n"
               "int main() {\n    int* x;\n    cudaMallocManaged(&x, 40);\n    x[3] = 1;\n    cudaFree(x);\n"
               "    printf(\"%d\", x[3]);\n    printf(\"%d\", cudaFree(&number));\n}\n");
    ProgramRequest request;
    request.files = {file};
    request.streams = Streams::captured;
    const Run run = run_program(find_home(), request).run;
    REQUIRE(run.findings.size() == 2);
    CHECK(run.findings[0].kind == "use-after-free");
    CHECK(run.findings[0].at.line == 9);
    CHECK(run.findings[0].element == 3);
    REQUIRE(run.findings[0].other);
    CHECK(run.findings[0].other->at.line == 8);
    CHECK(run.findings[1].kind == "invalid-free");
    CHECK(run.findings[1].buffer == "number");
}

TEST_CASE("attributes say what was advised, as on an H200") {
    const Run run = run_body(
        "    auto ask = [&](cudaMemRangeAttribute a) { int v = 77; cudaMemRangeGetAttribute(&v, 4, a, x, "
        "bytes); printf(\"%d \", v); };\n"
        "    auto all = [&] { for (int a : {1, 2, 4, 5, 6, 7, 8}) ask((cudaMemRangeAttribute)a); };\n    "
        "all();\n"
        "    cudaMemAdvise(x, bytes, cudaMemAdviseSetPreferredLocation, host); cudaMemPrefetchAsync(x, "
        "bytes, host, 0);\n    all();\n"
        "    cudaMemAdvise(x, bytes / 2, cudaMemAdviseSetPreferredLocation, device);\n    all();");
    CHECK(run.output == "0 -2 -2 0 -2 0 -2 0 -1 -1 2 -1 2 -1 0 -2 -1 0 -2 2 -1 ");
}

TEST_SUITE_END();
