#include "simt/toolchain/sources.h"

#include <filesystem>

#include "simt/frontend/elision.h"
#include "simt/toolchain/files.h"

namespace simt::toolchain {
namespace fs = std::filesystem;
namespace {

std::string canonical(const std::string& path) {
    std::error_code error;
    const fs::path full = fs::weakly_canonical(path, error);
    return error ? path : full.string();
}

std::string folder_of(const std::string& path) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

bool names_special_function(const frontend::Scan& scan) {
    static constexpr std::string_view prefixes[] = {"assoc_l",  "beta",         "comp_ellint", "cyl_",
                                                    "ellint",   "expint",       "hermite",     "laguerre",
                                                    "legendre", "riemann_zeta", "sph_"};
    for (size_t i = 0; i < scan.code.size(); i++) {
        if (!scan.code.is_identifier(i)) continue;
        const std::string_view s = scan.code.spelling(i);
        for (const std::string_view prefix : prefixes)
            if (s.substr(0, prefix.size()) == prefix &&
                (scan.code.is(i + 1, "(") || scan.code.is(i + 1, "<")))
                return true;
    }
    return false;
}

class Loader {
  public:
    Loader(const CompileOptions& options, const std::string& folder) : options_(options), folder_(folder) {}

    Sources run() {
        simt_include_ = options_.simt_include.empty() ? "" : canonical(options_.simt_include);
        for (const std::string& path : options_.sources) {
            SourceFile* file = load(path);
            if (file == nullptr) {
                out_.problems.push_back(
                    {"error", path, 0, 0,
                     "This file can't be read: check its name and that it is a text file.", "", ""});
                continue;
            }
            file->is_main = true;
        }
        for (size_t i = 0; i < out_.files.size(); i++) load_includes(*out_.files[i]);
        rewrite_all();
        return std::move(out_);
    }

  private:
    SourceFile* load(const std::string& path) {
        const std::string full = canonical(path);
        for (const auto& f : out_.files)
            if (f->full_path == full) return f.get();
        auto text = read_file(path);
        if (!text || text->find('\0') != std::string::npos) return nullptr;
        if (text->rfind("\xef\xbb\xbf", 0) == 0) text->erase(0, 3);  // a byte order mark
        auto file = std::make_unique<SourceFile>();
        file->path = path;
        file->full_path = full;
        file->text = std::move(*text);
        file->scan = std::make_unique<frontend::Scan>(file->text);
        if (names_special_function(*file->scan)) out_.special_functions = true;
        if (frontend::relies_on_elision(*file->scan)) out_.relies_on_elision = true;
        out_.files.push_back(std::move(file));
        return out_.files.back().get();
    }

    // Files of the learner's that `file` includes; headers of the system and of the machine are left to the
    // compiler.
    void load_includes(SourceFile& file) {
        for (const frontend::Include& include : file.scan->includes) {
            std::vector<std::string> folders;
            if (include.quoted) folders.push_back(folder_of(file.path));
            for (const std::string& d : options_.include_dirs) folders.push_back(d + "/");
            for (const std::string& folder : folders) {
                const std::string path = include.name[0] == '/' ? include.name : folder + include.name;
                std::error_code error;
                if (!fs::is_regular_file(path, error)) continue;
                const std::string full = canonical(path);
                if (!simt_include_.empty() && full.rfind(simt_include_ + "/", 0) == 0) break;
                if (out_.files.size() > 2000) break;
                const SourceFile* found = load(path);
                const std::string name =
                    include.quoted ? "\"" + include.name + "\"" : "<" + include.name + ">";
                if (found != nullptr) file.includes[name] = found->full_path;
                break;
            }
        }
    }

    void rewrite_all() {
        frontend::Known known;
        Hash headers;
        for (const auto& file : out_.files) {
            if (file->is_main) continue;
            known.add(*file->scan);
            headers.add(file->full_path).add(file->text);
        }
        // Replacements of headers are kept, and those without checks differ.
        const bool fast = options_.mode == Mode::fast;
        const std::string generation = headers.add(fast ? "fast" : "checked").hex();
        for (const auto& file : out_.files) {
            rewrite_one(*file, known);
            file->replaced = !file->is_main && file->rewritten.changed;
        }
        spread_replacement();
        for (const auto& file : out_.files)
            if (file->replaced)
                file->replacement =
                    folder_ + "/" + Hash().add(file->full_path).add(generation).hex() + ".cuh";
        for (const auto& file : out_.files) {
            rewrite_one(*file, known);
            if (file->replaced) store(*file);
        }
        for (const auto& file : out_.files)
            for (const frontend::Problem& p : file->rewritten.problems)
                out_.problems.push_back(
                    {"error", file->path, p.line, p.column, p.message, "", line_of_text(file->text, p.line)});
    }

    void rewrite_one(SourceFile& file, const frontend::Known& known) {
        frontend::Options options;
        options.path = file.path;
        options.known = known;
        options.fast = options_.mode == Mode::fast;
        if (!file.is_main) options.known.dynamic_shared.clear();  // a header would find its own
        for (const auto& [name, full] : file.includes) {
            const SourceFile* included = out_.find(full);
            if (included != nullptr && included->replaced)
                options.includes[name] = "\"" + included->replacement + "\"";
            else if (file.replaced)  // it moves away from its neighbours
                options.includes[name] = "\"" + full + "\"";
        }
        file.rewritten = frontend::rewrite(*file.scan, options);
    }

    // A header that includes a replaced one is replaced too, and so on.
    void spread_replacement() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const auto& file : out_.files)
                for (const auto& [name, full] : file->includes) {
                    const SourceFile* included = out_.find(full);
                    if (file->replaced || file->is_main || included == nullptr || !included->replaced)
                        continue;
                    file->replaced = changed = true;
                }
        }
    }

    void store(const SourceFile& file) const {
        std::error_code error;
        if (fs::exists(file.replacement, error)) return;
        fs::create_directories(folder_, error);
        write_file(file.replacement, "#line 1 \"" + quoted(file.path) + "\"\n" + file.rewritten.text);
    }

    static std::string quoted(const std::string& path) {
        std::string out;
        for (const char c : path) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        return out;
    }

    const CompileOptions& options_;
    std::string folder_, simt_include_;
    Sources out_;
};

}  // namespace

const SourceFile* Sources::find(const std::string& full_path) const {
    for (const auto& file : files)
        if (file->full_path == full_path) return file.get();
    return nullptr;
}

const SourceFile* Sources::by_message_path(const std::string& path) const {
    for (const auto& file : files)
        if (file->path == path) return file.get();
    for (const auto& file : files)
        if (file->full_path == path) return file.get();
    return find(canonical(path));
}

std::string line_of_text(const std::string& text, int line) {
    size_t begin = 0;
    for (int i = 1; i < line; i++) {
        begin = text.find('\n', begin);
        if (begin == std::string::npos) return "";
        begin++;
    }
    if (line < 1) return "";
    std::string out = text.substr(begin, text.find('\n', begin) - begin);
    if (!out.empty() && out.back() == '\r') out.pop_back();
    return out;
}

Sources load_sources(const CompileOptions& options, const std::string& folder) {
    return Loader(options, folder).run();
}

}  // namespace simt::toolchain
