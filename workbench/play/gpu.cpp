#include "workbench/play/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <regex>
#include <set>
#include <stdexcept>

#include "simt/toolchain/files.h"
#include "simt/toolchain/process.h"
#include "workbench/lessons/text.h"
#include "workbench/play/registers.h"
#include "workbench/progress/progress.h"

namespace fs = std::filesystem;
using simt::toolchain::Hash;
using simt::toolchain::Outcome;

namespace lab {

namespace {

constexpr double compile_limit = 180;  // seconds

std::string named_or(const char* variable, const std::string& other) {
    const char* value = std::getenv(variable);
    return value && *value ? value : other;
}

std::string find_nvidia_smi() {
    const std::string named = named_or("CUDALAB_NVIDIA_SMI", "");
    if (!named.empty()) return simt::toolchain::find_program(named);
    const std::string on_path = simt::toolchain::find_program("nvidia-smi");
    return on_path.empty() ? simt::toolchain::find_program("/usr/lib/wsl/lib/nvidia-smi") : on_path;
}

std::string first_words(const std::string& text) {
    for (const std::string_view line : split_lines(text))
        if (!trimmed(line).empty()) return std::string(trimmed(line));
    return "it said nothing";
}

// "release 13.0, V13.0.48" -> "13.0"
std::string release_of(const std::string& version_text) {
    std::smatch found;
    return std::regex_search(version_text, found, std::regex("release ([0-9]+\\.[0-9]+)")) ? found[1].str()
                                                                                           : "";
}

// The newest driver branch that each toolkit needs at least, from NVIDIA's compatibility table (minor versions of one
// toolkit run on the first one's driver).
struct Needs {
    int toolkit, driver;
};
constexpr Needs driver_needs[] = {{11, 450}, {12, 525}, {13, 580}};

int leading_number(const std::string& text) {
    return std::atoi(text.c_str());
}

GpuSetup with_problem(GpuSetup setup, const std::string& problem, const std::string& remedy) {
    setup.problem = problem;
    setup.remedy = remedy;
    return setup;
}

}  // namespace

std::vector<GpuCard> read_cards(const std::string& csv) {
    std::vector<GpuCard> cards;
    static const std::regex form("\\s*(.+?)\\s*,\\s*([0-9.]+)\\s*,\\s*([0-9]+)\\.([0-9]+)\\s*");
    for (const std::string_view line : split_lines(csv)) {
        std::smatch part;
        const std::string text(line);
        if (!std::regex_match(text, part, form)) continue;
        cards.push_back(
            {part[1], part[2], std::atoi(part[3].str().c_str()), std::atoi(part[4].str().c_str())});
    }
    return cards;
}

std::vector<std::string> code_options(const std::vector<GpuCard>& cards, const std::string& known,
                                      std::string& problem) {
    std::set<int> architectures;
    static const std::regex form("compute_([0-9]+)\\b");
    for (std::sregex_iterator it(known.begin(), known.end(), form), end; it != end; ++it)
        architectures.insert(std::atoi((*it)[1].str().c_str()));
    std::set<std::string> options;
    for (const GpuCard& card : cards) {
        const int own = card.major * 10 + card.minor;
        const auto above = architectures.upper_bound(own);
        if (above == architectures.begin()) {
            problem = fmt::format(
                "{} has compute capability {}.{}, and this CUDA Toolkit compiles for {}.{} and newer.",
                card.name, card.major, card.minor, architectures.empty() ? 0 : *architectures.begin() / 10,
                architectures.empty() ? 0 : *architectures.begin() % 10);
            return {};
        }
        const int best = *std::prev(above);
        // Newer than nvcc: the driver compiles the last step itself.
        const char* kind = best == own ? "sm" : "compute";
        options.insert(fmt::format("-gencode=arch=compute_{},code={}_{}", best, kind, best));
    }
    return {options.begin(), options.end()};
}

GpuSetup find_gpu() {
    GpuSetup setup;
    const std::string smi = find_nvidia_smi();
    if (smi.empty())
        return with_problem(
            setup, "There is no NVIDIA driver here: nvidia-smi is missing.",
            "With an NVIDIA GPU, install its driver; without one, the CPU machine grades every lesson.");
    const Outcome listed = simt::toolchain::run(
        {smi, "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"}, "", 30);
    setup.cards = read_cards(listed.output);
    if (!listed.ok() || setup.cards.empty())
        return with_problem(
            setup, fmt::format("The NVIDIA driver shows no GPU: {}.", first_words(listed.output)),
            "`nvidia-smi` says more. After an update of the driver, start the computer again.");
    setup.nvcc = named_or("CUDALAB_NVCC", find_nvcc());
    if (setup.nvcc.empty())
        return with_problem(
            setup, fmt::format("There is a GPU ({}), but no nvcc to compile for it.", setup.cards[0].name),
            "Install the CUDA Toolkit 12 or later, or put its bin folder on PATH.");
    setup.toolkit = release_of(simt::toolchain::run({setup.nvcc, "--version"}, "", 30).output);
    for (const Needs& needs : driver_needs) {
        if (leading_number(setup.toolkit) != needs.toolkit ||
            leading_number(setup.cards[0].driver) >= needs.driver)
            continue;
        return with_problem(setup,
                            fmt::format("The driver ({}) is older than CUDA Toolkit {} needs ({}).",
                                        setup.cards[0].driver, setup.toolkit, needs.driver),
                            "Update the driver, or use an older CUDA Toolkit.");
    }
    const std::string parameters = simt::toolchain::read_file("/proc/driver/nvidia/params").value_or("");
    setup.counters_for_all = parameters.find("RmProfilingAdminOnly: 1") == std::string::npos;
    std::string problem;
    setup.code = code_options(setup.cards,
                              simt::toolchain::run({setup.nvcc, "--list-gpu-arch"}, "", 30).output, problem);
    if (!problem.empty())
        return with_problem(setup, problem, "Install an older CUDA Toolkit, one that still knows this card.");
    return setup;
}

std::string host_compiler_for(const std::string& nvcc) {
    const std::string work = simt::toolchain::make_temporary_folder((cache_folder() / "work").string());
    const fs::path file = fs::path(work) / "empty.cu";
    if (work.empty() || !simt::toolchain::write_file(file.string(), "\n")) return "";
    const auto takes = [&](const std::string& compiler) {
        std::vector<std::string> words = {nvcc, "-E", file.string(), "-o", "/dev/null"};
        if (!compiler.empty()) words.push_back("-ccbin=" + compiler);
        return simt::toolchain::run(words, "", 60).output.find("unsupported GNU version") ==
               std::string::npos;
    };
    std::string found;
    bool taken = takes("");
    for (int version = 15; !taken && version >= 9; --version) {
        found = fmt::format("g++-{}", version);
        taken = !simt::toolchain::find_program(found).empty() && takes(found);
    }
    std::error_code none;
    fs::remove_all(work, none);
    if (taken) return found;
    throw std::runtime_error(
        "g++ is newer than this CUDA Toolkit takes. Install an older one beside it (such as g++-13; it is "
        "found by "
        "itself), or a newer toolkit.");
}

// ---- messages

std::vector<Diagnostic> read_nvcc_messages(const std::string& output) {
    static const std::regex of_front_end("(.+)\\(([0-9]+)\\): (error|warning|remark)(?: #[^:]*)?: (.*)");
    static const std::regex of_gcc(
        "([^:\\s][^:]*):([0-9]+):(?:([0-9]+):)? (?:fatal )?(error|warning|note): (.*)");
    static const std::regex of_driver("nvcc (error|fatal|warning)\\s*: (.*)");
    std::vector<Diagnostic> found;
    for (const std::string_view line : split_lines(output)) {
        const std::string text(line);
        std::smatch part;
        Diagnostic one;
        if (std::regex_match(text, part, of_front_end)) {
            one = {part[3], {part[1], std::atoi(part[2].str().c_str()), 0}, part[4], "", ""};
        } else if (std::regex_match(text, part, of_gcc)) {
            one = {part[4],
                   {part[1], std::atoi(part[2].str().c_str()), std::atoi(part[3].str().c_str())},
                   part[5],
                   "",
                   ""};
        } else if (std::regex_match(text, part, of_driver)) {
            one = {part[1] == "warning" ? "warning" : "error", {}, part[2], "", ""};
        } else if (text.find("undefined reference to") != std::string::npos) {
            one = {
                "error", {}, std::string(trimmed(text.substr(text.find("undefined reference to")))), "", ""};
        } else {
            continue;
        }
        found.push_back(std::move(one));
    }
    std::stable_sort(found.begin(), found.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return a.level == "error" && b.level != "error";
    });
    return found;
}

// ---- compiling

namespace {

// The text of a file and, one after the other, of what it includes by "...".
void add_texts(Hash& hash, const fs::path& file, const std::vector<std::string>& include_dirs,
               std::set<std::string>& seen) {
    if (!seen.insert(file.lexically_normal().string()).second) return;
    const auto text = simt::toolchain::read_file(file.string());
    if (!text) return;
    hash.add(*text);
    static const std::regex include("^[ \t]*#[ \t]*include[ \t]*\"([^\"]+)\"");
    for (const std::string_view line : split_lines(*text)) {
        std::smatch part;
        const std::string words(line);
        if (!std::regex_search(words, part, include)) continue;
        std::vector<fs::path> folders{file.parent_path()};
        folders.insert(folders.end(), include_dirs.begin(), include_dirs.end());
        for (const fs::path& folder : folders) {
            std::error_code none;
            if (!fs::is_regular_file(folder / part[1].str(), none)) continue;
            add_texts(hash, folder / part[1].str(), include_dirs, seen);
            break;
        }
    }
}

std::vector<std::string> common_options(const GpuSetup& setup) {
    const fs::path toolkit = fs::path(setup.nvcc).parent_path().parent_path();
    std::vector<std::string> words = {setup.nvcc, "-O3", "-shared", "-cudart=shared",
                                      // Without unique symbols a player can unload the program again.
                                      "-Xcompiler=-fPIC,-fno-gnu-unique",
                                      "-Xlinker=-rpath," + (toolkit / "lib64").string()};
    return words;
}

// Compiles into the cache, unless it is there. What another process puts there meanwhile is as good.
Outcome compile_into(const fs::path& object, std::vector<std::string> words,
                     const std::vector<std::string>& sources, bool use_cache) {
    std::error_code none;
    Outcome done;
    done.started = true;
    done.exit_code = 0;
    if (use_cache && fs::exists(object, none)) return done;
    const std::string work = simt::toolchain::make_temporary_folder((cache_folder() / "work").string());
    if (work.empty())
        throw std::runtime_error(
            fmt::format("The cache folder {} can't be written to. Set XDG_CACHE_HOME to a folder of yours.",
                        cache_folder().string()));
    const fs::path made = fs::path(work) / "program.so";
    words.insert(words.end(), {"-o", made.string()});
    words.insert(words.end(), sources.begin(), sources.end());
    done = simt::toolchain::run(words, "", compile_limit);
    fs::create_directories(object.parent_path(), none);
    std::error_code failed;
    if (done.ok()) fs::rename(made, object, failed);
    fs::remove_all(work, none);
    if (failed)
        throw std::runtime_error(fmt::format("{} can't be written: {}.", object.string(), failed.message()));
    return done;
}

bool is_too_new(const Outcome& outcome) {
    return !outcome.ok() && outcome.output.find("unsupported GNU version") != std::string::npos;
}

}  // namespace

GpuProgram compile_for_gpu(const GpuSetup& setup, const GpuSources& sources, bool use_cache) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::string> words = common_options(setup);
    words.insert(words.end(), setup.code.begin(), setup.code.end());
    words.insert(words.end(), {"-std=" + sources.standard, "-lineinfo"});
    // The driver's library, for programs that call it (cuda.h); the others do without.
    const fs::path stubs = fs::path(setup.nvcc).parent_path().parent_path() / "lib64" / "stubs";
    std::error_code none;
    if (fs::exists(stubs / "libcuda.so", none))
        words.insert(words.end(), {"-L", stubs.string(), "-Xlinker=--as-needed", "-lcuda"});
    // NVIDIA's libraries, for programs that use them.
    for (const std::string library : {"cublas", "curand", "cusolver"})
        if (fs::exists(stubs.parent_path() / ("lib" + library + ".so"), none))
            words.insert(words.end(), {"-Xlinker=--as-needed", "-l" + library});
    for (const std::string& folder : sources.include_dirs) words.insert(words.end(), {"-I", folder});
    for (const std::string& define : sources.defines) words.insert(words.end(), {"-D", define});
    Hash hash;
    for (const std::string& word : words) hash.add(word);
    hash.add_stamp(setup.nvcc);
    std::set<std::string> seen;
    for (const std::string& file : sources.files) add_texts(hash.add(file), file, sources.include_dirs, seen);
    GpuProgram program;
    program.shared_object = (cache_folder() / "gpu" / (hash.hex() + ".so")).string();
    Outcome outcome = compile_into(program.shared_object, words, sources.files, use_cache);
    if (is_too_new(outcome)) {
        words.push_back("-ccbin=" + host_compiler_for(setup.nvcc));
        outcome = compile_into(program.shared_object, words, sources.files, use_cache);
    }
    program.ok = outcome.ok();
    program.diagnostics = read_nvcc_messages(outcome.output);
    const bool has_error = std::any_of(program.diagnostics.begin(), program.diagnostics.end(),
                                       [](const Diagnostic& d) { return d.level == "error"; });
    if (!program.ok && !has_error) {
        const std::string why = !outcome.started ? outcome.error
                                : outcome.timed_out
                                    ? fmt::format("nvcc did not end within {:.0f} s.", compile_limit)
                                    : "nvcc failed: " + first_words(outcome.output);
        program.diagnostics.insert(program.diagnostics.begin(), Diagnostic{"error", {}, why, "", ""});
    }
    program.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return program;
}

namespace {

// A file of workbench/gpu, from what is installed or from the sources.
fs::path own_source(const Home& home, const char* name) {
    std::error_code none;
    fs::path file = home.content / "workbench" / "gpu" / name;
    if (!fs::exists(file, none)) file = fs::path(CUDALAB_SOURCE_DIR) / "workbench" / "gpu" / name;
    if (fs::exists(file, none)) return file;
    throw std::runtime_error(
        fmt::format("{} is missing, which runs exercises on the GPU. Install again, or let CUDALAB_HOME "
                    "name the folder that holds lessons/ and workbench/.",
                    file.string()));
}

// Compiles a file of workbench/gpu into the cache, where it is `prefix`, a fingerprint and `ending`.
Outcome compile_own(const GpuSetup& setup, const fs::path& source, const fs::path& content,
                    std::vector<std::string> words, const char* prefix, const char* ending, fs::path& made) {
    Hash hash;
    for (const std::string& word : words) hash.add(word);
    std::set<std::string> seen;
    add_texts(hash, source, {content.string()}, seen);
    hash.add_stamp(setup.nvcc);
    made = cache_folder() / "gpu" / (prefix + hash.hex() + ending);
    Outcome outcome = compile_into(made, words, {source.string()}, true);
    if (!is_too_new(outcome)) return outcome;
    words.push_back("-ccbin=" + host_compiler_for(setup.nvcc));
    return compile_into(made, words, {source.string()}, true);
}

}  // namespace

std::string machine_for_gpu(const GpuSetup& setup, const Home& home) {
    const fs::path source = own_source(home, "machine.cpp");
    const fs::path content = source.parent_path().parent_path().parent_path();
    std::vector<std::string> words = common_options(setup);
    words.insert(words.end(), {"-std=c++17", "-I", content.string()});
    fs::path library;
    const Outcome outcome = compile_own(setup, source, content, words, "machine-", ".so", library);
    if (!outcome.ok())
        throw std::runtime_error("nvcc could not compile the library that runs exercises on the GPU: " +
                                 first_words(outcome.output));
    return library.string();
}

std::string ceilings_program(const GpuSetup& setup, const Home& home, bool with_cublas) {
    const fs::path source = own_source(home, "ceilings.cu");
    const fs::path toolkit = fs::path(setup.nvcc).parent_path().parent_path();
    std::vector<std::string> words = {setup.nvcc, "-O3", "-std=c++17",
                                      "-Xlinker=-rpath," + (toolkit / "lib64").string()};
    words.insert(words.end(), setup.code.begin(), setup.code.end());
    if (with_cublas) words.insert(words.end(), {"-DWITH_CUBLAS", "-lcublas"});
    fs::path program;
    const Outcome outcome = compile_own(setup, source, home.content, words, "ceilings-", "", program);
    return outcome.ok() ? program.string() : "";
}

}  // namespace lab
