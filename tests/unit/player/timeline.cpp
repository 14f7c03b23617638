// The simulated timeline of whole programs: what overlaps, what waits, and that it says the same each time.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/unit/scratch.h"
#include "workbench/lessons/text.h"
#include "workbench/play/run_program.h"
#include "workbench/record/wait_graph.h"

using namespace lab;

namespace {

Run run_file(const std::string& file) {
    ProgramRequest request;
    request.files = {file};
    request.streams = Streams::captured;
    ProgramRun done = run_program(find_home(), request);
    REQUIRE_MESSAGE(done.run.status != Status::compile_error, file);
    return std::move(done.run);
}

std::string example(const std::string& name) {
    return (find_home().content / "assets/examples" / (name + ".cu")).string();
}

// `body` of main, with what all of these programs need before it.
Run run_body(const std::string& body) {
    const Scratch scratch;
    const std::string source =
        "#include <cuda_runtime.h>\n#include <cstdio>\n"
        "__global__ void spin(float* x, int rounds) {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n    float v = x[i];\n"
        "    for (int k = 0; k < rounds; ++k) v = v * 0.5f + 1;\n"
        "    x[i] = v;\n}\n"
        "constexpr int n = 1 << 20, bytes = n * sizeof(float);\n"
        "int main() {\n"
        "    float *h, *d; cudaStream_t s[4];\n"
        "    cudaMallocHost(&h, 4 * bytes); cudaMalloc(&d, 4 * bytes);\n"
        "    for (auto& one : s) cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);\n"
        "    for (int i = 0; i < 4 * n; ++i) h[i] = 1;\n" +
        body + "\n    cudaDeviceSynchronize();\n}\n";
    const std::string file = (scratch / "program.cu").string();
    write_file(file, source);
    return run_file(file);
}

const Timeline& timeline_of(const Run& run) {
    REQUIRE(run.timelines.size() == 1);
    return run.timelines.front();
}

std::vector<const TimelineTask*> tasks_of(const Timeline& timeline, const std::string& kind) {
    std::vector<const TimelineTask*> found;
    for (const TimelineTask& task : timeline.tasks)
        if (task.kind == kind) found.push_back(&task);
    return found;
}

const std::string pieces =
    "    for (int i = 0; i < 4; ++i) {\n"
    "        cudaStream_t at = s[STREAM];\n"
    "        cudaMemcpyAsync(d + i * n, h + i * n, bytes, cudaMemcpyHostToDevice, at);\n"
    "        spin<<<1, 32, 0, at>>>(d + i * n, 30000);\n"
    "        cudaMemcpyAsync(h + i * n, d + i * n, bytes, cudaMemcpyDeviceToHost, at);\n    }\n";

std::string in_streams(const std::string& index) {
    std::string body = pieces;
    body.replace(body.find("STREAM"), 6, index);
    return body;
}

}  // namespace

TEST_SUITE_BEGIN("timeline");

TEST_CASE("a copy follows its kernel, and the host that waits goes on when the copy is done") {
    const Run run = run_file(example("pinned_wait"));
    CHECK(run.output == "before the wait: -1\nafter the wait:  100\n");
    const Timeline& t = timeline_of(run);
    const auto kernels = tasks_of(t, "kernel"), copies = tasks_of(t, "copy");
    REQUIRE(kernels.size() == 1);
    REQUIRE(copies.size() == 1);
    CHECK(copies[0]->begin >= kernels[0]->end);
    CHECK(copies[0]->engine == "copies_to_host");
    const auto wait =
        std::find_if(t.host.begin(), t.host.end(), [](const HostStep& s) { return s.what == "waits"; });
    REQUIRE(wait != t.host.end());
    CHECK(wait->begin < copies[0]->end);
    CHECK(wait->end > copies[0]->end);
    CHECK(t.metrics.count("overlap_pct") == 1);
    CHECK(t.metric("overlap_us") == 0);
}

TEST_CASE("kernel 2 waits for the event of stream 1, and kernel 3 runs on beside it") {
    const Run run = run_file(example("event_between_streams"));
    CHECK(run.passed);
    const Timeline& t = timeline_of(run);
    const auto kernels = tasks_of(t, "kernel");  // in the order of the launches: 1, 3, 2
    REQUIRE(kernels.size() == 3);
    const TimelineTask &first = *kernels[0], &third = *kernels[1], &second = *kernels[2];
    CHECK(second.begin > first.end);
    CHECK(third.begin >= first.end);
    CHECK(second.begin < third.end);
    CHECK(second.end > third.begin);
    CHECK(t.metric("kernels_together_us") > 0.9 * double(second.end - second.begin) / 1000);
    CHECK(first.is_critical);
    CHECK(third.is_critical);
    CHECK_FALSE(second.is_critical);
}

TEST_CASE("pieces in one stream take turns; in four streams copies run behind kernels and both ways") {
    const Run one = run_body(in_streams("0")), four = run_body(in_streams("i"));
    CHECK(timeline_of(one).metric("overlap_us") == 0);
    const Timeline& t = timeline_of(four);
    CHECK(t.metric("overlap_pct") > 60);
    CHECK(t.metric("copies_beside_kernels_us") > 40);
    CHECK(t.metric("total_us") < 0.7 * timeline_of(one).metric("total_us"));
    CHECK(t.metric("critical_kernels_us") > 0);
    const auto copies = tasks_of(t, "copy"), kernels = tasks_of(t, "kernel");
    CHECK(kernels[0]->held_by == copies[0]->id);  // before it in its stream
    CHECK(copies[2]->held_by == copies[0]->id);   // on the engine
    CHECK(copies[0]->held_by == -1);              // nothing: it was called
}

TEST_CASE("a kernel that races with a copy in a million places is told once, and soon") {
    const Run run = run_body(
        "    cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, s[0]);\n"
        "    spin<<<n / 256, 256, 0, s[1]>>>(d, 1);\n");
    const auto race = std::find_if(run.findings.begin(), run.findings.end(),
                                   [](const Finding& f) { return f.kind == "stream-race"; });
    REQUIRE(race != run.findings.end());
    CHECK(race->count == 2);  // a read and a write
}

TEST_CASE("copies from pageable memory do not overlap: the host waits for each") {
    const Run run = run_body(
        "    float* p = (float*)malloc(4 * bytes);\n    for (int i = 0; i < 4 * n; ++i) p[i] = 1;\n"
        "    for (int i = 0; i < 4; ++i) {\n"
        "        cudaMemcpyAsync(d + i * n, p + i * n, bytes, cudaMemcpyHostToDevice, s[i]);\n"
        "        cudaMemcpyAsync(p + i * n, d + i * n, bytes, cudaMemcpyDeviceToHost, s[i]);\n    }\n    "
        "free(p);");
    const Timeline& t = timeline_of(run);
    CHECK(t.metric("overlap_us") == 0);
    CHECK(std::all_of(t.tasks.begin(), t.tasks.end(),
                      [](const TimelineTask& task) { return task.bytes == 0 || task.is_pageable; }));
}

TEST_CASE("a kernel that fills the device makes the next one wait; two small ones run together") {
    const std::string two =
        "    spin<<<{0}, 1024, 0, s[0]>>>(d, 100);\n    spin<<<{0}, 1024, 0, s[1]>>>(d + n, 100);\n";
    const Run small = run_body(fmt::format(fmt::runtime(two), 2));
    CHECK(timeline_of(small).metric("kernels_together_us") == 0);  // over before the next is launched
    const std::string longer =
        "    spin<<<1, 32, 0, s[0]>>>(d, 60000);\n    spin<<<1, 32, 0, s[1]>>>(d + n, 60000);\n";
    const Run both = run_body(longer);
    CHECK(timeline_of(both).metric("kernels_together_us") > 100);
}

TEST_CASE("twenty small kernels in a graph cost the host one call, and end sooner than twenty launches") {
    const std::string kernels = "    for (int i = 0; i < 20; ++i) spin<<<1, 32, 0, s[0]>>>(d, 1);\n";
    const Run launched = run_body(kernels);
    const Run graph = run_body(
        "    cudaGraph_t graph; cudaGraphExec_t exec;\n"
        "    cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal);\n" +
        kernels +
        "    cudaStreamEndCapture(s[0], &graph);\n"
        "    cudaGraphInstantiate(&exec, graph, 0);\n"
        "    cudaGraphLaunch(exec, s[0]); cudaGraphLaunch(exec, s[0]);\n");
    const Timeline &a = timeline_of(launched), &b = timeline_of(graph);
    const auto nodes = tasks_of(b, "kernel");
    REQUIRE(nodes.size() == 40);
    CHECK(nodes.front()->graph == 1);
    CHECK(nodes.back()->graph == 2);
    CHECK(nodes.back()->graph_line == nodes.front()->graph_line);
    CHECK(nodes.back()->graph_line > nodes.back()->line);
    CHECK(tasks_of(a, "kernel").front()->graph == 0);
    const auto host_us = [](const Timeline& t) {
        double ns = 0;
        for (const HostStep& step : t.host)
            if (step.what == "queues") ns += double(step.end - step.begin);
        return ns / 1000;
    };
    CHECK(host_us(a) > 80);
    CHECK(host_us(b) < 10);
    CHECK(b.metric("total_us") < 0.7 * a.metric("total_us"));  // though it does twice the work
}

TEST_CASE("every executable graph that is made takes the host time, on its line, and is counted") {
    const auto made = [](int times, int nodes) {
        return run_body(fmt::format(
            "    cudaGraph_t graph; cudaGraphExec_t exec;\n    cudaMemsetAsync(d, 0, bytes, s[0]);\n"
            "    cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal);\n"
            "    for (int i = 0; i < {}; ++i) spin<<<1, 32, 0, s[0]>>>(d, 1);\n"
            "    cudaStreamEndCapture(s[0], &graph);\n"
            "    for (int i = 0; i < {}; ++i) {{\n"
            "        cudaGraphInstantiate(&exec, graph, 0); cudaGraphLaunch(exec, s[0]); "
            "cudaGraphExecDestroy(exec);\n    }}\n    cudaGraphDestroy(graph);\n",
            nodes, times));
    };
    const auto works_of = [](const Run& run, const char* call = "cudaGraphInstantiate") {
        std::vector<HostStep> steps;
        for (const HostStep& step : timeline_of(run).host)
            if (step.call == call) steps.push_back(step);
        return steps;
    };
    const Run once = made(1, 4), often = made(5, 4), longer = made(1, 40);
    CHECK(timeline_of(once).metric("graphs_instantiated") == 1);
    CHECK(timeline_of(often).metric("graphs_instantiated") == 5);
    const auto steps = works_of(often);
    REQUIRE(steps.size() == 5);
    CHECK(steps[0].what == "works");
    CHECK(steps[0].line == steps[4].line);
    CHECK(steps[0].line == timeline_of(often).tasks.back().graph_line);
    REQUIRE(works_of(once).size() == 1);
    REQUIRE(works_of(longer).size() == 1);
    const auto ns = [](const HostStep& step) { return step.end - step.begin; };
    CHECK(ns(works_of(longer)[0]) > 3 * ns(works_of(once)[0]));  // each node has its part
    const auto ends = works_of(often, "cudaGraphExecDestroy");
    REQUIRE(ends.size() == 5);
    CHECK(ends[0].what == "works");
    CHECK(ends[0].line == steps[0].line);
    CHECK(ns(ends[0]) < ns(steps[0]));
    REQUIRE(works_of(longer, "cudaGraphExecDestroy").size() == 1);
    CHECK(ns(works_of(longer, "cudaGraphExecDestroy")[0]) > ns(ends[0]));
    CHECK(timeline_of(often).metric("total_us") > timeline_of(once).metric("total_us") + 4 * 4);
    CHECK(
        timeline_of(run_body("    spin<<<1, 32, 0, s[0]>>>(d, 1);\n")).metrics.count("graphs_instantiated") ==
        0);
}

TEST_CASE("branches of a graph run side by side, and what joins them comes after all") {
    const Run run = run_body(
        "    cudaGraph_t graph; cudaGraphExec_t exec; cudaEvent_t forked, joined;\n"
        "    cudaEventCreate(&forked); cudaEventCreate(&joined);\n"
        "    cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal);\n"
        "    cudaEventRecord(forked, s[0]); cudaStreamWaitEvent(s[1], forked, 0);\n"
        "    spin<<<1, 32, 0, s[0]>>>(d, 30000); spin<<<1, 32, 0, s[1]>>>(d + n, 30000);\n"
        "    cudaEventRecord(joined, s[1]); cudaStreamWaitEvent(s[0], joined, 0);\n"
        "    spin<<<1, 32, 0, s[0]>>>(d + n, 1);\n"
        "    cudaStreamEndCapture(s[0], &graph); cudaGraphInstantiate(&exec, graph, 0);\n"
        "    cudaGraphLaunch(exec, s[2]);\n");
    const Timeline& t = timeline_of(run);
    const auto kernels = tasks_of(t, "kernel");
    REQUIRE(kernels.size() == 3);
    CHECK(t.metric("kernels_together_us") > 50);
    CHECK(kernels[2]->begin >= std::max(kernels[0]->end, kernels[1]->end));
    CHECK(kernels[0]->stream != kernels[1]->stream);
    const auto branch = std::find_if(t.streams.begin(), t.streams.end(), [&](const TimelineStream& stream) {
        return stream.index == kernels[1]->stream;
    });
    REQUIRE(branch != t.streams.end());
    CHECK(branch->name == "graph 1, branch 2");
}

TEST_CASE("of kernels that wait for room the one of the higher priority goes first") {
    // 132 blocks with 200,000 bytes of shared memory: one an SM, and no room for another.
    const Run run = run_body(
        "    int least, greatest; cudaDeviceGetStreamPriorityRange(&least, &greatest);\n"
        "    cudaStream_t high; cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, greatest);\n"
        "    cudaFuncSetAttribute(spin, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000);\n"
        "    cudaMemset(d, 0, 4 * bytes);\n    cudaDeviceSynchronize();\n"
        "    spin<<<132, 1, 200000, s[0]>>>(d, 20000);\n    spin<<<132, 1, 200000, s[1]>>>(d + n, 1000);\n"
        "    spin<<<132, 1, 200000, high>>>(d + 2 * n, 1000);");
    CHECK(run.passed);
    const auto kernels = tasks_of(timeline_of(run), "kernel");
    REQUIRE(kernels.size() == 3);
    CHECK(kernels[2]->begin >= kernels[0]->end);
    CHECK(kernels[1]->begin >= kernels[2]->end);
}

TEST_CASE("events measure on the timeline: the same time in every run, and what the record says") {
    const std::string body =
        "    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);\n"
        "    cudaMemset(d, 0, bytes); cudaEventRecord(a, s[0]);\n    spin<<<1, 32, 0, s[0]>>>(d, 20000);\n"
        "    cudaEventRecord(b, s[0]); cudaEventSynchronize(b);\n    float ms; cudaEventElapsedTime(&ms, a, "
        "b);\n"
        "    printf(\"%.9f\", ms * 1000);";
    const Run first = run_body(body), second = run_body(body);
    CHECK(first.output == second.output);
    CHECK(to_json(first).find("\"metrics\"") != std::string::npos);
    CHECK(nlohmann::json(from_timeline(timeline_of(first))["metrics"]) ==
          nlohmann::json(from_timeline(timeline_of(second))["metrics"]));
    const auto records = tasks_of(timeline_of(first), "record");
    REQUIRE(records.size() == 2);
    CHECK(std::stod(first.output) ==
          doctest::Approx(double(records[1]->end - records[0]->end) / 1000).epsilon(1e-3));
    CHECK(std::stod(first.output) > 40);
}

TEST_CASE("a kernel that reads registered host memory takes as long as one that reads pinned memory") {
    const Run run = run_body(
        "    float* r = static_cast<float*>(aligned_alloc(4096, bytes));\n"
        "    for (int i = 0; i < n; ++i) r[i] = 1;\n"
        "    cudaHostRegister(r, bytes, cudaHostRegisterDefault); cudaMemset(d, 0, bytes);\n"
        "    spin<<<n / 256, 256, 0, s[0]>>>(h, 1); cudaDeviceSynchronize();\n"
        "    spin<<<n / 256, 256, 0, s[0]>>>(r, 1); cudaDeviceSynchronize();\n"
        "    spin<<<n / 256, 256, 0, s[0]>>>(d, 1); cudaDeviceSynchronize();\n"
        "    cudaHostUnregister(r);\n");
    const auto kernels = tasks_of(timeline_of(run), "kernel");
    REQUIRE(kernels.size() == 3);
    const auto ns = [&](size_t i) { return double(kernels[i]->end - kernels[i]->begin); };
    CHECK(ns(1) == doctest::Approx(ns(0)).epsilon(0.01));
    CHECK(ns(1) > 4 * ns(2));
}

TEST_CASE("a device that waits for the host is idle in between, and says so") {
    const Run run = run_body(
        "    for (int i = 0; i < 4; ++i) {\n        spin<<<1, 32, 0, s[0]>>>(d, 5000);\n        "
        "cudaDeviceSynchronize();\n    }");
    const Timeline& t = timeline_of(run);
    CHECK(t.metric("idle_gaps") == 3);
    CHECK(t.metric("idle_us") > 3 * 7);
    CHECK(t.metric("critical_host_us") > 3 * 7);
}

TEST_CASE("what no one waited for is on the timeline, too, and the host has no part in it") {
    const Scratch scratch;
    write_file(scratch / "program.cu",
               "#include <cuda_runtime.h>\n__global__ void work(int* x) { *x = 1; }\n"
               "int main() { int* x; cudaMalloc(&x, 4); work<<<1, 1>>>(x); }\n");
    const Run run = run_file((scratch / "program.cu").string());
    const Timeline& t = timeline_of(run);
    REQUIRE(tasks_of(t, "kernel").size() == 1);
    CHECK(tasks_of(t, "kernel")[0]->takes_time());
    CHECK(std::none_of(t.host.begin(), t.host.end(), [](const HostStep& s) { return s.what == "waits"; }));
}

TEST_CASE("the text has a row for the host and for each stream that did something") {
    const Run run = run_body(in_streams("i"));
    const std::string text = timeline_text(timeline_of(run), 100);
    CHECK(text.find("not a measurement") != std::string::npos);
    for (const char* row : {"\nhost ", "\none  ", "\nstream 4 (one)"})
        CHECK_MESSAGE(text.find(row) != std::string::npos, text);
    CHECK(text.find("The end waited for") != std::string::npos);
    for (const std::string_view line : split_lines(text)) CHECK(line.size() <= 130);
}

TEST_CASE("a timeline that somebody damaged is read as far as it makes sense") {
    const auto damaged = nlohmann::ordered_json::parse(
        R"({"device":3,"streams":[1,{"index":"x"}],"tasks":[{"id":99,"after":[5,-1,0],"begin":9,"end":3},{"after":[0,1]}],)"
        R"("host":[{"what":"waits","task":77}],"count":-4,"metrics":{"total_us":"much"}})");
    const Timeline t = to_timeline(damaged);
    REQUIRE(t.tasks.size() == 2);
    CHECK(t.tasks[0].id == 0);
    CHECK(t.tasks[0].after.empty());
    CHECK(t.tasks[1].after == std::vector<int>{0});
    CHECK_FALSE(t.tasks[0].takes_time());
    CHECK(t.host[0].task == -1);
    CHECK(t.metrics.empty());
    CHECK(to_timeline(from_timeline(t)).tasks.size() == 2);
    CHECK_FALSE(timeline_text(t, 80).empty());
}

TEST_CASE("a wait of the host says in which call and at which line it waited") {
    const Run run = run_body(
        "    cudaEvent_t e; cudaEventCreate(&e);\n"
        "    spin<<<1, 32, 0, s[0]>>>(d, 3000); cudaEventRecord(e, s[0]);\n"
        "    spin<<<1, 32, 0, s[0]>>>(d, 3000);\n"
        "    cudaEventSynchronize(e);\n"
        "    cudaStreamSynchronize(s[0]);\n"
        "    spin<<<1, 32, 0, s[1]>>>(d + n, 3000); cudaEventRecord(e, s[1]);\n"
        "    while (cudaEventQuery(e) == cudaErrorNotReady) {}\n"
        "    spin<<<1, 32, 0, s[1]>>>(d + n, 3000);\n");
    std::vector<std::pair<std::string, int>> waits;
    int asked = 0;
    for (const HostStep& step : timeline_of(run).host) {
        if (step.what == "waits") waits.emplace_back(step.call, step.line);
        asked += step.what == "works" && step.call == "cudaEventQuery";
    }
    REQUIRE(waits.size() == 4);
    const int line = waits[0].second;
    CHECK(line > 0);
    CHECK(waits[0].first == "cudaEventSynchronize");
    CHECK(waits[1] == std::pair<std::string, int>("cudaStreamSynchronize", line + 1));
    CHECK(waits[2] == std::pair<std::string, int>("cudaEventQuery", line + 3));
    CHECK(waits[3].first == "cudaDeviceSynchronize");
    CHECK(asked > 0);
}

TEST_CASE("a wait for an event that nobody has recorded stays in its stream, and waits for nothing") {
    const Run run = run_body(
        "    cudaEvent_t e; cudaEventCreate(&e);\n"
        "    cudaStreamWaitEvent(s[1], e, 0);\n"
        "    spin<<<1, 32, 0, s[0]>>>(d, 3000); cudaEventRecord(e, s[0]);\n"
        "    cudaStreamWaitEvent(s[2], e, 0);\n");
    const auto waits = tasks_of(timeline_of(run), "wait");
    REQUIRE(waits.size() == 2);
    CHECK(waits[0]->after.empty());
    CHECK(waits[0]->stream != waits[1]->stream);
    REQUIRE(waits[1]->after.size() == 1);
    CHECK(timeline_of(run).tasks[size_t(waits[1]->after[0])].kind == "record");
}

TEST_CASE(
    "what happens before what follows from streams, events and waits of the host, and from nothing else") {
    const Run run = run_body(
        "    cudaEvent_t e; cudaEventCreate(&e);\n"
        "    spin<<<1, 32, 0, s[0]>>>(d, 3000); cudaEventRecord(e, s[0]);\n"             // kernel 0
        "    spin<<<1, 32, 0, s[0]>>>(d, 3000);\n"                                       // 1
        "    spin<<<1, 32, 0, s[1]>>>(d + n, 3000); cudaStreamWaitEvent(s[1], e, 0);\n"  // 2
        "    spin<<<1, 32, 0, s[1]>>>(d + n, 3000);\n"                                   // 3
        "    cudaStreamSynchronize(s[0]);\n"
        "    spin<<<1, 32, 0, s[2]>>>(d + 2 * n, 3000);\n");  // 4
    const Timeline& timeline = timeline_of(run);
    const WaitGraph graph(timeline);
    const auto kernels = tasks_of(timeline, "kernel");
    REQUIRE(kernels.size() == 5);
    const auto before = [&](int a, int b) {
        return graph.is_before(kernels[size_t(a)]->id, kernels[size_t(b)]->id);
    };
    CHECK(before(0, 1));
    CHECK(before(0, 3));
    CHECK(before(2, 3));
    CHECK(before(1, 4));  // the host waited for the one before it queued the other
    CHECK_FALSE(before(0, 2));
    CHECK_FALSE(before(1, 3));
    CHECK_FALSE(before(3, 1));
    CHECK_FALSE(before(3, 4));
    CHECK_FALSE(before(0, 0));
    const std::vector<WaitEdge> path = graph.path(kernels[0]->id, kernels[3]->id);
    REQUIRE(path.size() == 3);  // record, wait, kernel
    CHECK(path[0].why == WaitEdge::Why::stream_order);
    CHECK(path[1].why == WaitEdge::Why::event);
    CHECK(graph.path(kernels[3]->id, kernels[1]->id).empty());
    CHECK(graph.all_after(kernels[1]->id)[size_t(kernels[4]->id)]);
}

TEST_SUITE_END();
