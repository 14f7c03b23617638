#include "workbench/play/registers.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "simt/toolchain/files.h"
#include "simt/toolchain/process.h"
#include "workbench/lessons/text.h"

namespace lab {

namespace {

std::string demangled(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 ? name.get() : symbol;
}

// The number in front of `word`; 0: it is not there.
int number_before(std::string_view line, std::string_view word) {
    const size_t at = line.find(word);
    if (at == std::string_view::npos) return 0;
    size_t first = at;
    while (first > 0 && line[first - 1] >= '0' && line[first - 1] <= '9') --first;
    return std::atoi(std::string(line.substr(first, at - first)).c_str());
}

}  // namespace

std::string find_nvcc() {
    const std::string on_path = simt::toolchain::find_program("nvcc");
    return on_path.empty() ? simt::toolchain::find_program("/usr/local/cuda/bin/nvcc") : on_path;
}

std::map<std::string, KernelResources> read_resources(const std::string& text) {
    std::map<std::string, KernelResources> kernels;
    KernelResources* current = nullptr;
    for (const std::string_view line : split_lines(text)) {
        constexpr std::string_view compiling = "Compiling entry function '";
        if (const size_t at = line.find(compiling); at != std::string_view::npos) {
            const std::string_view rest = line.substr(at + compiling.size());
            current = &kernels[kernel_base_name(demangled(std::string(rest.substr(0, rest.find('\'')))))];
        } else if (current != nullptr) {
            current->registers = std::max(current->registers, number_before(line, " registers"));
            current->stack_bytes = std::max(current->stack_bytes, number_before(line, " bytes stack frame"));
        }
    }
    return kernels;
}

CompiledKernels compiled_kernels(const std::vector<std::string>& files,
                                 const std::vector<std::string>& include_dirs,
                                 const std::vector<std::string>& defines, const std::string& standard,
                                 const std::string& architecture) {
    CompiledKernels found;
    found.compiler = find_nvcc();
    if (found.compiler.empty()) return found;
    std::vector<std::string> words = {
        found.compiler, "-O3", "-arch=" + architecture, "-cubin", "-Xptxas", "-v", "-o", "/dev/null"};
    words.push_back(standard.empty() ? "-std=c++20" : "-std=" + standard);
    for (const std::string& folder : include_dirs) words.insert(words.end(), {"-I", folder});
    for (const std::string& define : defines) words.insert(words.end(), {"-D", define});
    words.push_back(files.front());
    const auto outcome = simt::toolchain::run(words);
    if (outcome.ok())
        found.kernels = read_resources(outcome.output);
    else
        found.error = outcome.started ? outcome.output : outcome.error;
    return found;
}

}  // namespace lab
