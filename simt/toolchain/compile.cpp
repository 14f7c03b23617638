#include "simt/toolchain/compile.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>

#include "simt/frontend/asm_tables.h"
#include "simt/toolchain/diagnostics.h"
#include "simt/toolchain/elf.h"
#include "simt/toolchain/files.h"
#include "simt/toolchain/gcc.h"
#include "simt/toolchain/process.h"
#include "simt/toolchain/sources.h"

namespace simt::toolchain {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

constexpr size_t most_programs = 400;  // in the cache; the oldest go

class Compilation {
  public:
    explicit Compilation(const CompileOptions& options) : options_(options) {
        std::error_code error;
        cache_ =
            fs::absolute(options.cache_dir.empty() ? default_cache_dir() : options.cache_dir, error).string();
    }

    CompileResult run() {
        const auto begin = Clock::now();
        result_.ok = steps();
        if (!working_.empty()) {
            std::error_code ignored;
            fs::remove_all(working_, ignored);
        }
        result_.seconds = since(begin);
        return std::move(result_);
    }

  private:
    bool steps() {
        if (options_.sources.empty()) return fail("There is no source file to compile.");
        auto begin = Clock::now();
        sources_ = load_sources(options_, cache_ + "/headers");
        describe_sources();
        result_.steps.rewrite = since(begin);
        if (!sources_.problems.empty()) {
            result_.diagnostics = sources_.problems;
            return false;
        }
        const std::string tools = toolset_key(options_, sources_.special_functions);
        program_ = cache_ + "/programs/" + program_key(tools) + ".so";
        if (options_.use_cache && take_from_cache()) return deliver();
        begin = Clock::now();
        tools_ = find_toolset(options_, cache_, sources_.special_functions, tools);
        result_.steps.header = since(begin);
        if (!tools_.error.empty()) return fail(tools_.error);
        working_ = make_temporary_folder(cache_ + "/work");
        if (working_.empty())
            return fail("The cache folder " + cache_ +
                        " can't be written to. Set XDG_CACHE_HOME to a folder of yours.");
        return compile_sources() && assemble_sources() && link() && deliver();
    }

    bool fail(const std::string& sentence, const std::string& file = "") {
        result_.diagnostics.push_back({"error", file, 0, 0, sentence, "", ""});
        return false;
    }

    void describe_sources() {
        for (const auto& file : sources_.files) {
            if (file->rewritten.changed) result_.positions[file->path] = file->rewritten.positions;
            for (const frontend::Kernel& k : file->scan->kernels)
                if (std::find(result_.kernels.begin(), result_.kernels.end(), k.name) ==
                    result_.kernels.end())
                    result_.kernels.push_back(k.name);
            for (const frontend::Function& f : file->scan->functions)
                if (f.name == "main" && f.body_open != frontend::none && f.scope.empty() && !f.in_class)
                    result_.has_main = true;
        }
    }

    std::string program_key(const std::string& tools) const {
        Hash hash;
        hash.add(tools);
        for (const std::string& d : options_.defines) hash.add("-D" + d);
        for (const std::string& d : options_.include_dirs) hash.add("-I" + d);
        for (const auto& file : sources_.files)
            hash.add(file->path).add(file->full_path).add(file->rewritten.text);
        return hash.hex();
    }

    std::string notes_path() const { return program_ + ".warnings.json"; }

    bool take_from_cache() {
        std::error_code error;
        if (!fs::is_regular_file(program_, error)) return false;
        if (const auto text = read_file(notes_path())) {
            const nlohmann::json notes = nlohmann::json::parse(*text, nullptr, false);
            if (!notes.is_array()) return false;
            for (const auto& n : notes)
                result_.diagnostics.push_back({n.value("level", ""), n.value("file", ""), n.value("line", 0),
                                               n.value("column", 0), n.value("message", ""),
                                               n.value("plain", ""), n.value("source_line", "")});
        }
        fs::last_write_time(program_, fs::file_time_type::clock::now(), error);  // used lately
        result_.cache_hit = true;
        return true;
    }

    std::string work_path(size_t i, const char* ending) const {
        return working_ + "/" + std::to_string(i) + ending;
    }

    size_t main_count() const {
        return static_cast<size_t>(std::count_if(sources_.files.begin(), sources_.files.end(),
                                                 [](const auto& f) { return f->is_main; }));
    }

    Outcome compile_one(size_t i) const {
        const SourceFile& file = *sources_.files[i];
        std::string name;
        for (const char c : file.path)
            name += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
        if (!write_file(work_path(i, ".cpp"), "#line 1 \"" + name + "\"\n" + file.rewritten.text)) {
            Outcome outcome;
            outcome.error = "the cache folder can't be written to";
            return outcome;
        }
        std::vector<std::string> command = filled(tools_.compile, {work_path(i, ".cpp")}, work_path(i, ".s"));
        std::vector<std::string> flags = source_flags(options_, file.path);
        // A struct that a call returns into memory, or takes by value from there, is then copied by itself, and so
        // has a hook.
        if (options_.mode == Mode::checked && !sources_.relies_on_elision)
            flags.emplace_back("-fno-elide-constructors");
        command.insert(command.begin() + 1, flags.begin(), flags.end());
        return simt::toolchain::run(command);
    }

    bool compile_sources() {
        const auto begin = Clock::now();
        const size_t count = main_count();
        const size_t at_once = std::max(2u, std::thread::hardware_concurrency());
        std::vector<Outcome> outcomes(count);
        for (size_t first = 0; first < count; first += at_once) {
            std::vector<std::future<Outcome>> running;
            for (size_t i = first + 1; i < std::min(count, first + at_once); i++)
                running.push_back(std::async(std::launch::async, [this, i] { return compile_one(i); }));
            outcomes[first] = compile_one(first);
            for (size_t k = 0; k < running.size(); k++) outcomes[first + 1 + k] = running[k].get();
        }
        result_.steps.compile = since(begin);
        bool good = true;
        for (size_t i = 0; i < count; i++) good = judge(outcomes[i], sources_.files[i]->path) && good;
        result_.diagnostics = errors_first(std::move(result_.diagnostics));
        return good;
    }

    bool judge(const Outcome& outcome, const std::string& path) {
        if (!outcome.started) return fail("The compiler could not be started: " + outcome.error + ".", path);
        std::vector<Diagnostic> messages = read_diagnostics(outcome.output, sources_);
        const bool told = std::any_of(messages.begin(), messages.end(),
                                      [](const Diagnostic& d) { return d.level == "error"; });
        result_.diagnostics.insert(result_.diagnostics.end(), messages.begin(), messages.end());
        if (outcome.timed_out)
            return fail("The compiler did not finish within two minutes and was stopped.", path);
        if (outcome.exit_code != 0 && !told)
            return fail("The compiler stopped without saying why: " + outcome.output.substr(0, 300), path);
        return outcome.exit_code == 0;
    }

    std::vector<std::string> foreign_prefixes() const {
        std::error_code error;
        std::vector<std::string> prefixes{"/usr/include/", "/usr/lib/", "/usr/local/include/c++/",
                                          cache_ + "/toolsets/"};
        if (!options_.simt_include.empty())
            prefixes.push_back(fs::weakly_canonical(options_.simt_include, error).string() + "/");
        return prefixes;
    }

    bool assemble_sources() {
        frontend::FileTable files;
        frontend::TableOptions table;
        table.foreign_prefixes = foreign_prefixes();
        const size_t count = main_count();
        for (size_t i = 0; i < count; i++) {
            auto begin = Clock::now();
            const auto text = read_file(work_path(i, ".s"));
            if (!text) return fail("The compiler wrote nothing.", sources_.files[i]->path);
            table.last = i + 1 == count;
            const frontend::TableResult tables = frontend::add_tables(*text, files, table);
            if (!write_file(work_path(i, ".t.s"), tables.text))
                return fail("The cache folder can't be written to: is the disk full?");
            result_.steps.tables += since(begin);
            begin = Clock::now();
            const Outcome outcome =
                simt::toolchain::run(filled(tools_.assemble, {work_path(i, ".t.s")}, work_path(i, ".o")));
            result_.steps.assemble += since(begin);
            if (!outcome.ok())
                return fail("The assembler failed: " +
                                (outcome.started ? outcome.output.substr(0, 500) : outcome.error),
                            sources_.files[i]->path);
        }
        return true;
    }

    bool link() {
        const auto begin = Clock::now();
        std::vector<std::string> objects;
        for (size_t i = 0; i < main_count(); i++) objects.push_back(work_path(i, ".o"));
        const std::string linked = working_ + "/program.so";
        const Outcome outcome = simt::toolchain::run(filled(tools_.link, objects, linked));
        result_.steps.link = since(begin);
        if (!outcome.ok())
            return fail("The linker failed: " +
                        (outcome.started ? link_sentence(outcome.output) : outcome.error));
        const std::vector<std::string> missing = undefined_functions(linked, options_.simt_library);
        for (const std::string& name : missing) fail(missing_sentence(name));
        return missing.empty() && store(linked);
    }

    std::string missing_sentence(const std::string& name) const {
        if (name.rfind("simt", 0) == 0 || name.rfind("__tsan_", 0) == 0)
            return "The machine's headers and " + options_.simt_library + " don't belong together (" + name +
                   " is missing): build cudalab again.";
        return name +
               " is declared and used, but no source file defines it. Write its body, or add the file that "
               "has it.";
    }

    // "multiple definition of `f(int)'" without the linker's file names
    static std::string link_sentence(const std::string& output) {
        const size_t twice = output.find("multiple definition of ");
        if (twice == std::string::npos) return output.substr(0, 500);
        return output.substr(twice, output.find(';', twice) - twice) +
               ": two of the source files define it. Keep one, or make it static or inline.";
    }

    bool store(const std::string& linked) {
        std::error_code error;
        fs::create_directories(cache_ + "/programs", error);
        if (!result_.diagnostics.empty()) {
            nlohmann::json notes = nlohmann::json::array();
            for (const Diagnostic& d : result_.diagnostics)
                notes.push_back({{"level", d.level},
                                 {"file", d.file},
                                 {"line", d.line},
                                 {"column", d.column},
                                 {"message", d.message},
                                 {"plain", d.plain},
                                 {"source_line", d.source_line}});
            write_file(notes_path(), notes.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
        }
        fs::rename(linked, program_, error);
        if (error)
            return fail("The cache folder " + cache_ + " can't be written to: " + error.message() + ".");
        prune();
        return true;
    }

    // Keeps the cache small: when there are too many programs, the half that was not used for longest goes;
    // so do the remains of compilations that were killed, and rewritten headers of a month ago.
    void prune() const {
        const auto entries = by_age(cache_ + "/programs");
        std::error_code error;
        for (size_t k = 0; entries.size() > most_programs && k < entries.size() / 2; k++)
            fs::remove(entries[k].second, error);
        drop_older(cache_ + "/work", std::chrono::hours(24));
        drop_older(cache_ + "/headers", std::chrono::hours(24 * 30));
    }

    using Aged = std::pair<fs::file_time_type, fs::path>;
    static std::vector<Aged> by_age(const std::string& folder) {
        std::error_code error;
        std::vector<Aged> entries;
        for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
            std::error_code gone;
            const auto time = fs::last_write_time(i->path(), gone);
            if (!gone) entries.emplace_back(time, i->path());
        }
        std::sort(entries.begin(), entries.end());
        return entries;
    }

    static void drop_older(const std::string& folder, std::chrono::hours age) {
        const auto limit = fs::file_time_type::clock::now() - age;
        std::error_code error;
        for (const auto& [time, path] : by_age(folder))
            if (time < limit) fs::remove_all(path, error);
    }

    bool deliver() {
        result_.shared_object = program_;
        if (options_.output.empty()) return true;
        std::error_code error;
        const std::string output = fs::absolute(options_.output, error).string();
        const std::string beside = output + ".tmp" + std::to_string(getpid());
        fs::copy_file(program_, beside, fs::copy_options::overwrite_existing, error);
        if (!error) fs::rename(beside, output, error);
        if (error)
            return fail("The program can't be written to " + options_.output + ": " + error.message() + ".");
        result_.shared_object = output;
        return true;
    }

    const CompileOptions& options_;
    CompileResult result_;
    std::string cache_, working_, program_;
    Sources sources_;
    Toolset tools_;
};

}  // namespace

CompileResult compile(const CompileOptions& options) {
    return Compilation(options).run();
}

int learner_column(const CompileResult& result, const std::string& file, int line, int column) {
    const auto found = result.positions.find(file);
    return found == result.positions.end() || column <= 0 ? column
                                                          : found->second.original(line, column).column;
}

std::string default_cache_dir() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && cache[0] == '/') return std::string(cache) + "/cudalab";
    const char* home = std::getenv("HOME");
    if (home != nullptr && home[0] == '/' && access(home, W_OK) == 0)
        return std::string(home) + "/.cache/cudalab";
    return "/tmp/cudalab-" + std::to_string(getuid());
}

bool warm_up(const CompileOptions& options) {
    std::error_code error;
    const std::string cache =
        fs::absolute(options.cache_dir.empty() ? default_cache_dir() : options.cache_dir, error).string();
    return find_toolset(options, cache, false, toolset_key(options, false)).error.empty();
}

}  // namespace simt::toolchain
