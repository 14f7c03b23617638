#include "workbench/play/build.h"

#include <fmt/format.h>

#include <filesystem>

#include "workbench/play/gpu.h"

namespace lab {

namespace {

void put_failure(Run& run) {
    run.status = Status::compile_error;
    run.passed = false;
    run.headline = "It does not compile.";
    run.next_action = "Mend the first error first; the others may go with it.";
    for (const Diagnostic& d : run.diagnostics) {
        if (d.level != "error") continue;
        const std::string file = std::filesystem::path(d.at.file).filename().string();
        run.headline = d.at.line > 0 ? fmt::format("{}, line {}: {}", file, d.at.line, d.message) : d.message;
        if (!d.plain.empty()) run.next_action = d.plain;
        break;
    }
}

}  // namespace

void put_compilation(Run& run, const simt::toolchain::CompileResult& result) {
    run.compile_seconds = result.seconds;
    for (const auto& d : result.diagnostics) {
        run.diagnostics.push_back({d.level, {d.file, d.line, d.column}, d.message, d.plain, d.source_line});
    }
    if (!result.ok) put_failure(run);
}

void put_compilation(Run& run, const GpuProgram& program) {
    run.compile_seconds = program.seconds;
    run.diagnostics = program.diagnostics;
    if (!program.ok) put_failure(run);
}

void map_columns(Run& run, const simt::toolchain::CompileResult& result) {
    const auto map = [&](Place& at) {
        if (at.line > 0 && at.column > 0)
            at.column = simt::toolchain::learner_column(result, at.file, at.line, at.column);
    };
    for (Finding& finding : run.findings) {
        map(finding.at);
        if (finding.other) map(finding.other->at);
    }
    for (Kernel& kernel : run.kernels) {
        map(kernel.at);
        for (LineCost& cost : kernel.lines) map(cost.at);
    }
    for (Buffer& buffer : run.buffers) map(buffer.at);
}

}  // namespace lab
