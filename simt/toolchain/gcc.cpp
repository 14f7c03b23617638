#include "simt/toolchain/gcc.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "simt/toolchain/files.h"
#include "simt/toolchain/process.h"

namespace simt::toolchain {
namespace fs = std::filesystem;
namespace {

// What every program gets without asking, in the precompiled header. The special functions of C++17
// (std::beta and its kin) make <cmath> twice as large, 27 ms in each compilation, so that only files which
// name one have them.
constexpr const char* without_special_functions =
    "#include <bits/c++config.h>\n"
    "#undef _GLIBCXX_USE_STD_SPEC_FUNCS\n";
constexpr const char* header_text =
    "#include <cmath>\n"
    "#include <cstdio>\n"
    "#include <cstdlib>\n"
    "#include <cuda_runtime.h>\n";

std::string header_of(bool special_functions) {
    return std::string(special_functions ? "" : without_special_functions) + header_text;
}

std::string absolute(const std::string& path) {
    std::error_code error;
    const fs::path full = fs::weakly_canonical(path, error);
    return error ? path : full.string();
}

// c++20 and above as they are; older ones are raised, since the machine's headers need c++20.
std::string standard_flag(const std::string& standard) {
    std::string name = standard.empty() ? "c++20" : standard;
    for (const char* old : {"98", "03", "0x", "11", "1y", "14", "1z", "17"})
        if (name.ends_with(old)) name = name.substr(0, name.size() - 2) + "20";
    if (name.rfind("c++", 0) == 0)
        name = "gnu" + name.substr(1);  // nvcc's host compiler has its extensions on
    return "-std=" + name;
}

std::vector<std::string> mode_flags(Mode mode) {
    if (mode == Mode::fast)
        return {"-O3", "-march=native",   "-fno-plt",     "-fno-semantic-interposition",
                "-g1", "-fno-gnu-unique", "-DSIMT_FAST=1"};
    return {"-O1",
            "-g1",
            "-fno-thread-jumps",
            "-fno-reorder-blocks",
            "-fno-tree-cselim",  // would make one store of two in the branches of an if
            "-fno-tree-sink",    // the same, and would move loads into branches
            "-fsanitize=thread",
            "--param",
            "tsan-distinguish-volatile=1",
            "-fsanitize=bounds-strict",
            "-fsanitize-coverage=trace-pc",
            "-ftrivial-auto-var-init=pattern",
            "-fno-builtin-memcpy",
            "-fno-builtin-memset",
            "-fno-builtin-memmove",
            "-fstack-reuse=none",        // what is known of an array must not be taken for another's
            "-fstack-clash-protection",  // a big frame meets a guard, not another thread's stack
            "-fno-gnu-unique",
            "-DSIMT_CHECKED=1"};
}

// A line of `g++ -###`: words, some in double quotes with backslashes.
std::vector<std::string> split_command(const std::string& line) {
    std::vector<std::string> words;
    std::string word;
    bool inside = false, quoted = false;
    for (size_t i = 0; i < line.size(); i++) {
        const char c = line[i];
        if (c == '\\' && i + 1 < line.size()) {
            word += line[++i];
            inside = true;
        } else if (c == '"') {
            quoted = !quoted;
            inside = true;
        } else if (c == ' ' && !quoted) {
            if (inside) words.push_back(word);
            word.clear();
            inside = false;
        } else {
            word += c;
            inside = true;
        }
    }
    if (inside) words.push_back(word);
    return words;
}

// The command that `g++ -### arguments` would run whose program is `program`; empty when there is none.
std::vector<std::string> command_of(const std::vector<std::string>& arguments, const std::string& program) {
    const Outcome outcome = run(arguments);
    size_t at = 0;
    while (at < outcome.output.size()) {
        const size_t end = std::min(outcome.output.find('\n', at), outcome.output.size());
        const std::string line = outcome.output.substr(at, end - at);
        at = end + 1;
        if (line.empty() || line[0] != ' ') continue;
        std::vector<std::string> words = split_command(line);
        if (words.empty()) continue;
        const std::string& name = words[0];
        if (name.substr(name.rfind('/') + 1) == program) return words;
    }
    return {};
}

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

void replace_word(std::vector<std::string>& words, const std::string& from, const std::string& to) {
    for (std::string& w : words)
        if (w == from) w = to;
}

void drop_pairs(std::vector<std::string>& words, const std::string& first, size_t count) {
    for (size_t i = 0; i < words.size();)
        if (words[i] == first)
            words.erase(words.begin() + static_cast<ptrdiff_t>(i),
                        words.begin() + static_cast<ptrdiff_t>(std::min(i + count, words.size())));
        else
            i++;
}

std::vector<std::string> compile_command(const CompileOptions& options, const std::vector<std::string>& flags,
                                         const std::string& folder) {
    const std::vector<std::string> arguments =
        joined(joined({options.compiler}, flags), {"-include", folder + "/simt_pch.h", "-S"});
    std::vector<std::string> direct = command_of(
        joined(arguments, {"-###", "-x", "c++", "/dev/null", "-o", "/dev/simt_output"}), "cc1plus");
    if (direct.empty()) return joined(arguments, {"-x", "c++", input_word, "-o", output_word});
    drop_pairs(direct, "-dumpdir", 2);
    drop_pairs(direct, "-dumpbase", 2);
    drop_pairs(direct, "-dumpbase-ext", 2);
    drop_pairs(direct, "-quiet", 1);
    replace_word(direct, "/dev/null", input_word);
    replace_word(direct, "/dev/simt_output", output_word);
    direct.insert(direct.begin() + 1, "-quiet");
    return direct;
}

// machine/host_only.cpp looks at these calls: a kernel that makes one must not leave its thread. runtime/c_library.cpp
// looks at those that read or write memory past the hooks; the last two are std::ostream::write and std::istream::read.
constexpr const char* wrapped_calls[] = {
    "exit",          "_exit",  "_Exit", "abort", "longjmp", "__cxa_allocate_exception",
    "memmove",       "fwrite", "fread", "write", "read",    "_ZNSo5writeEPKcl",
    "_ZNSi4readEPcl"};

std::vector<std::string> link_command(const CompileOptions& options) {
    const std::string library = options.simt_library.empty() ? "" : absolute(options.simt_library);
    std::vector<std::string> tail{"-Wl,-Bsymbolic", "-Wl,-z,start-stop-visibility=hidden"};
    for (const char* name : wrapped_calls) tail.push_back(std::string("-Wl,--wrap=") + name);
    if (!library.empty()) {
        tail.push_back(library);
        tail.push_back("-Wl,-rpath," + fs::path(library).parent_path().string());
    }
    const std::vector<std::string> by_driver =
        joined({options.compiler, "-shared", "-fPIC", input_word, "-o", output_word}, tail);
    std::vector<std::string> direct = command_of(
        joined({options.compiler, "-shared", "-fPIC", "-###", "/dev/null", "-o", "/dev/simt_output"}, tail),
        "collect2");
    const Outcome ld = run({options.compiler, "-print-prog-name=ld"});
    if (direct.empty() || !ld.ok() || library.empty()) return by_driver;
    drop_pairs(direct, "-plugin", 2);
    // libsimt.so brings the C++ and C libraries along; reading them here would take ten times as long as the
    // rest.
    std::erase_if(direct, [](const std::string& w) {
        return w.rfind("-plugin-opt", 0) == 0 || w.rfind("-L", 0) == 0 || w.rfind("-l", 0) == 0 ||
               w == "--as-needed" || w == "--build-id";
    });
    direct[0] = first_line(ld.output);
    replace_word(direct, "/dev/null", input_word);
    replace_word(direct, "/dev/simt_output", output_word);
    return direct;
}

std::vector<std::string> assemble_command(const CompileOptions& options) {
    std::vector<std::string> direct = command_of(
        {options.compiler, "-c", "-###", "-x", "assembler", "/dev/null", "-o", "/dev/simt_output"}, "as");
    if (direct.empty()) return {options.compiler, "-c", "-x", "assembler", input_word, "-o", output_word};
    replace_word(direct, "/dev/null", input_word);
    replace_word(direct, "/dev/simt_output", output_word);
    return direct;
}

// Builds everything in `folder`; a sentence when that fails.
std::string build(const CompileOptions& options, bool special_functions, const std::string& folder,
                  const std::string& final_folder) {
    if (find_program(options.compiler).empty())
        return "There is no compiler: " + options.compiler +
               " was not found. Install it (on Debian and Ubuntu: sudo apt install g++).";
    if (!write_file(folder + "/simt_pch.h", header_of(special_functions)))
        return "The cache folder " + folder +
               " can't be written to: is the disk full? Set XDG_CACHE_HOME to use another one.";
    const std::vector<std::string> flags = compile_flags(options);
    const Outcome header =
        run(joined(joined({options.compiler}, flags),
                   {"-x", "c++-header", folder + "/simt_pch.h", "-o", folder + "/simt_pch.h.gch"}));
    if (!header.ok()) {
        const std::string why =
            !header.started ? header.error
            : header.timed_out
                ? "it took too long"
                : first_line(header.output.substr(
                      header.output.find("error:") == std::string::npos ? 0 : header.output.find("error:")));
        return "The machine's own headers don't compile with " + options.compiler + ": " + why;
    }
    const nlohmann::json commands{{"compile", compile_command(options, flags, final_folder)},
                                  {"assemble", assemble_command(options)},
                                  {"link", link_command(options)}};
    if (!write_file(folder + "/commands.json", commands.dump(1)))
        return "The cache folder " + folder + " can't be written to: is the disk full?";
    return "";
}

bool read_commands(Toolset& tools) {
    const auto text = read_file(tools.folder + "/commands.json");
    if (!text) return false;
    const nlohmann::json commands = nlohmann::json::parse(*text, nullptr, false);
    if (!commands.is_object()) return false;
    tools.compile = commands.value("compile", std::vector<std::string>{});
    tools.assemble = commands.value("assemble", std::vector<std::string>{});
    tools.link = commands.value("link", std::vector<std::string>{});
    return !tools.compile.empty() && !tools.assemble.empty() && !tools.link.empty();
}

constexpr size_t most_toolsets = 6;  // each is 20 MB; headers that change leave old ones behind

void keep_newest(const std::string& folder) {
    std::error_code error;
    std::vector<std::pair<fs::file_time_type, fs::path>> entries;
    for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
        std::error_code unfinished;
        const auto time = fs::last_write_time(i->path() / "commands.json", unfinished);
        if (!unfinished) entries.emplace_back(time, i->path());
    }
    std::sort(entries.begin(), entries.end());
    for (size_t k = 0; k + most_toolsets < entries.size(); k++) fs::remove_all(entries[k].second, error);
}

}  // namespace

std::vector<std::string> compile_flags(const CompileOptions& options) {
    std::vector<std::string> flags = mode_flags(options.mode);
    flags.insert(flags.end(), {"-fPIC", standard_flag(options.standard), "-Wno-unknown-pragmas", "-Wno-tsan",
                               "-fno-diagnostics-show-caret", "-fdiagnostics-color=never",
                               "-fdiagnostics-column-unit=byte", "-fmessage-length=0", "-fmax-errors=30"});
    if (!options.simt_include.empty()) flags.push_back("-I" + absolute(options.simt_include));
    flags.insert(flags.end(), options.extra_flags.begin(), options.extra_flags.end());
    return flags;
}

std::vector<std::string> source_flags(const CompileOptions& options, const std::string& source) {
    std::vector<std::string> flags;
    for (const std::string& d : options.defines) flags.insert(flags.end(), {"-D", d});
    const size_t slash = source.rfind('/');
    flags.insert(
        flags.end(),
        {"-iquote", slash == std::string::npos ? "." : source.substr(0, std::max<size_t>(slash, 1))});
    for (const std::string& d : options.include_dirs) flags.insert(flags.end(), {"-I", d});
    return flags;
}

std::string toolset_key(const CompileOptions& options, bool special_functions) {
    Hash hash;
    hash.add("toolset 46").add(header_of(special_functions));
    const std::string compiler = find_program(options.compiler);
    hash.add_stamp(compiler.empty() ? options.compiler : absolute(compiler));
    for (const std::string& flag : compile_flags(options)) hash.add(flag);
    hash.add(options.simt_library.empty() ? "" : absolute(options.simt_library));
    std::vector<std::string> headers;
    std::error_code error;
    for (fs::recursive_directory_iterator i(options.simt_include, error), end; !error && i != end;
         i.increment(error))
        headers.push_back(i->path().string());
    std::sort(headers.begin(), headers.end());
    for (const std::string& h : headers)
        if (!fs::is_directory(h, error)) hash.add_stamp(h);
    return hash.hex();
}

Toolset find_toolset(const CompileOptions& options, const std::string& cache, bool special_functions,
                     const std::string& key) {
    Toolset tools;
    tools.folder = cache + "/toolsets/" + key;
    std::error_code error;
    if (read_commands(tools)) {
        fs::last_write_time(tools.folder + "/commands.json", fs::file_time_type::clock::now(),
                            error);  // used lately
        return tools;
    }
    const auto begin = std::chrono::steady_clock::now();
    const std::string building = make_temporary_folder(cache + "/toolsets");
    if (building.empty()) {
        tools.error =
            "The cache folder " + cache + " can't be written to. Set XDG_CACHE_HOME to a folder of yours.";
        return tools;
    }
    tools.error = build(options, special_functions, building, tools.folder);
    if (tools.error.empty()) {
        fs::rename(building, tools.folder, error);
        if (error && !read_commands(tools)) {  // a broken one stands there
            fs::remove_all(tools.folder, error);
            fs::rename(building, tools.folder, error);
        }
        if (!read_commands(tools))
            tools.error = "The cache folder " + cache + " can't be written to: is the disk full?";
    }
    fs::remove_all(building, error);
    keep_newest(cache + "/toolsets");
    tools.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return tools;
}

std::vector<std::string> filled(const std::vector<std::string>& command,
                                const std::vector<std::string>& inputs, const std::string& output) {
    std::vector<std::string> out;
    for (const std::string& word : command) {
        if (word == input_word)
            out.insert(out.end(), inputs.begin(), inputs.end());
        else
            out.push_back(word == output_word ? output : word);
    }
    return out;
}

}  // namespace simt::toolchain
