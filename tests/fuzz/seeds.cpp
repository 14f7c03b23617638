// fuzz-seeds SOURCE OUT: the corpora of the fuzz targets, made from the repository's own lessons and kernels.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "simt/include/simt/trace.h"
#include "simt/toolchain/compile.h"
#include "simt/toolchain/files.h"
#include "simt/toolchain/process.h"
#include "workbench/record/run.h"

namespace {

namespace fs = std::filesystem;

struct Corpus {
    fs::path folder;
    int count = 0;
    explicit Corpus(const fs::path& where) : folder(where) {
        fs::remove_all(folder);
        fs::create_directories(folder);
    }
    void add(const std::string& text) {
        std::ofstream(folder / ("seed" + std::to_string(count++)), std::ios::binary) << text;
    }
};

std::string text_of(const fs::path& path) {
    return simt::toolchain::read_file(path.string()).value_or("");
}

void lesson_seeds(const fs::path& source, Corpus corpus) {
    for (const auto& lesson : fs::directory_iterator(source / "lessons")) {
        if (!lesson.is_directory()) continue;
        const std::string text = text_of(lesson.path() / "lesson.md");
        corpus.add(text);
        corpus.add("#mutants\n" + text_of(lesson.path() / "mutants.toml"));
        // One quiz alone is small, and small inputs are tried more often.
        const size_t front = text.find("\n+++\n", 3), quiz = text.find("\n```quiz", front);
        if (quiz == text.npos) continue;
        corpus.add(text.substr(0, front + 5) + text.substr(quiz, text.find("\n```\n", quiz) + 5 - quiz));
    }
    for (const auto& file : fs::directory_iterator(source / "solutions")) corpus.add(text_of(file.path()));
}

// What g++ makes of a small file, with and without debugging text.
std::string assembler_of(const std::string& code, const char* debug, const fs::path& scratch) {
    const std::string input = (scratch / "seed.cpp").string(), output = (scratch / "seed.s").string();
    std::ofstream(input) << code;
    const auto made = simt::toolchain::run({SIMT_GXX, "-S", "-O1", debug, "-fsanitize=thread",
                                            "-fsanitize-coverage=trace-pc", input, "-o", output});
    const std::string text = text_of(output);
    fs::remove(input);
    fs::remove(output);
    return made.ok() ? text : "";
}

void frontend_seeds(const fs::path& source, Corpus corpus) {
    for (const char* folder :
         {"solutions", "tests/unit/frontend", "tests/fidelity/faults", "tests/fidelity/kernels"})
        for (const auto& file : fs::directory_iterator(source / folder))
            if (file.path().extension() == ".cu") corpus.add(text_of(file.path()));
    corpus.add(
        "#define RUN(k, ...) k<T><<<1, \\\n 2>>>(__VA_ARGS__)\ntemplate <class T, int N = (3 > 2)> "
        "__global__ "
        "void q(T* p = nullptr);\nvoid f() { a::q<int, 3><<<dim3(x<y<z>>()), b>>>(p); }\n");
    corpus.add(
        "int plain(int a) { return a < 3 ? a << 2 : a >> 1; }\nconst char* s = R\"x(text)x\" \"more\";\n");
    for (const char* debug : {"-g0", "-g1"}) {
        const std::string text = assembler_of(
            "inline int twice(int a) { return a + a; }\nint f(int* a, int n) {\n int s = 0;\n for (int i = "
            "0; i < n; "
            "i++)\n  for (int j = 0; j < i; j++) s += twice(a[j]);\n switch (s) { case 1: return 2; case 2: "
            "return 9; "
            "case 3: return 4; case 4: return 1; case 5: return 7; }\n return s;\n}\n",
            debug, corpus.folder.parent_path());
        if (text.rfind("\t.file", 0) == 0)
            corpus.add(text);
        else
            std::cerr << "fuzz-seeds: g++ made no assembler text with " << debug << "\n";
    }
}

template <class T>
void append(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::string trace_seed() {
    std::string records;
    for (uint32_t step = 0; step < 4; ++step) {
        simt::trace::RecordHeader header{};
        header.step = step;
        header.mask = step == 3 ? 0u : 0xffu << step;
        header.bytes = 4;
        header.affine = step % 2;
        append(records, header);
        const int words = header.affine ? 2 : __builtin_popcount(header.mask);
        for (int i = 0; i < words; ++i) append(records, static_cast<uint64_t>(4096 + 4 * i));
    }
    simt::trace::FileHeader header{{}, records.size(), 4, 0};
    std::memcpy(header.magic, "SIMTTRC1", 8);
    std::string bytes;
    append(bytes, header);
    return bytes + records;
}

lab::Run full_run() {
    lab::Run run;
    run.lesson = "05_shared_memory";
    run.status = lab::Status::findings;
    run.headline = "thread (1,0,0) read s[32]";
    run.diagnostics.push_back({"error", {"a.cu", 3, 4}, "expected ;", "Put a ; there.", "int a"});
    run.cases.push_back({"Ten elements", false, "out[3] is 0, expected 9.", 0.25, "a.trace"});
    lab::Finding finding;
    finding.kind = "shared-race";
    finding.severity = lab::Severity::advice;
    finding.message = "two threads";
    finding.at = {"a.cu", 7, 1};
    finding.block = lab::Dim3{1, 2, 3};
    finding.thread = lab::Dim3{4, 5, 6};
    finding.other = lab::OtherParty{"wrote", {"a.cu", 6, 1}, finding.block, {}};
    finding.buffer = "s";
    finding.element = 3;
    finding.launch = finding.case_index = 0;
    run.findings.push_back(finding);
    run.buffers.push_back({"d_out", "global", 1u << 20, 400, 4, {"a.cu", 9, 2}, 0});
    lab::Kernel kernel;
    kernel.name = "fill";
    kernel.metrics["global_load_sectors"] = 12.5;
    kernel.lines.push_back({{"a.cu", 7, 0}, kernel.metrics, "32 sectors a load, 4 would do"});
    run.kernels.push_back(kernel);
    lab::Timeline timeline;
    timeline.page_map.buffers.push_back({"x", "a.cu", 3, 3u << 16, true});
    timeline.page_map.acts.push_back({"kernel", "fill", "a.cu", 9, 0});
    timeline.page_map.events.push_back({0, 0, 1, 2, "moved", true, true, false, 1, "a.cu", 7});
    run.timelines.push_back(timeline);
    run.output = "hello\n";
    return run;
}

void record_seeds(Corpus corpus) {
    corpus.add(trace_seed());
    corpus.add(lab::to_json(full_run()));
    corpus.add(lab::to_json(lab::Run{}, -1));
    corpus.add(
        R"({"type":"buffer","id":1,"name":"d_out","space":"global","address":4096,"bytes":400,"element_bytes":4,"file":"a.cu","line":3}
{"type":"launch","index":0,"kernel":"fill","file":"a.cu","line":9,"grid":[1,2,3],"block":[32,1,1],"shared_bytes":0,"status":"ok","error":"cudaSuccess","seconds":0.01,"metrics":{"warps":1},"lines":[{"file":"a.cu","line":12,"metrics":{"warps":1}}]}
{"type":"finding","id":3,"kind":"oob-global","severity":"error","message":"m","fix":"f","file":"a.cu","line":5,"column":2,"launch":0,"kernel":"fill","block":[0,0,0],"thread":[1,0,0],"buffer":"d_out","element":256,"last_element":256,"count":1,"other":{"action":"wrote","file":"a.cu","line":4,"column":1,"block":[0,0,0],"thread":[2,0,0]}}
{"type":"note","message":"n"}
{"type":"end","exit":"returned","host_line":0}
)");
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        std::cerr << "fuzz-seeds SOURCE OUT: the repository, and the folder to make the corpora in\n";
        return 2;
    }
    const fs::path source = arguments[1], out = arguments[2];
    lesson_seeds(source, Corpus(out / "lesson"));
    frontend_seeds(source, Corpus(out / "frontend"));
    record_seeds(Corpus(out / "record"));
    return 0;
}
