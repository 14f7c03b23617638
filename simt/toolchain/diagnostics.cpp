#include "simt/toolchain/diagnostics.h"

#include <algorithm>
#include <charconv>

namespace simt::toolchain {
namespace {

// "FILE:LINE:COLUMN: REST"
struct Located {
    std::string file, rest;
    int line = 0, column = 0;
    bool found = false;
};

bool take_number(std::string_view& s, int& value) {
    const auto end = std::from_chars(s.data(), s.data() + s.size(), value);
    if (end.ptr == s.data() || end.ptr == s.data() + s.size() || *end.ptr != ':') return false;
    s.remove_prefix(static_cast<size_t>(end.ptr - s.data()) + 1);
    return true;
}

Located locate(const std::string& line) {
    for (size_t colon = line.find(':'); colon != std::string::npos; colon = line.find(':', colon + 1)) {
        std::string_view rest = std::string_view(line).substr(colon + 1);
        Located l;
        if (!take_number(rest, l.line)) continue;
        if (!take_number(rest, l.column)) l.column = 0;
        l.file = line.substr(0, colon);
        while (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
        l.rest = std::string(rest);
        l.found = true;
        return l;
    }
    return {};
}

// Takes "error: " and its kin off the front.
std::string take_level(std::string& message) {
    for (const char* level : {"fatal error", "error", "warning", "note"}) {
        const std::string prefix = std::string(level) + ": ";
        if (message.rfind(prefix, 0) != 0) continue;
        message.erase(0, prefix.size());
        return std::string(level) == "fatal error" ? "error" : level;
    }
    return "";
}

bool is_context(const std::string& rest) {
    return rest.rfind("required from", 0) == 0 || rest.rfind("required by", 0) == 0 ||
           rest.rfind("recursively required", 0) == 0;
}

// The machine's names mean nothing to the learner.
std::string without_our_names(std::string message) {
    static const std::pair<const char*, const char*> names[] = {{"::simt::", ""},
                                                                {"simt::cuda::", ""},
                                                                {"simt::", ""},
                                                                {", Where)", ")"},
                                                                {"(Where)", "()"},
                                                                {"to_uint3(thread_index())", "threadIdx"},
                                                                {"to_uint3(block_index())", "blockIdx"},
                                                                {"to_dim3(block_extent())", "blockDim"},
                                                                {"to_dim3(grid_extent())", "gridDim"},
                                                                {"'Extent'", "a grid or block size"}};
    for (const auto& [ours, theirs] : names)
        for (size_t at = message.find(ours); at != std::string::npos; at = message.find(ours, at))
            message.replace(at, std::string(ours).size(), theirs);
    // no match for call to '(Launcher<float*, int>) (float*&)'
    if (message.find("call to 'shared<") != std::string::npos)
        return "the size or the type of this __shared__ variable is no constant";
    const size_t launcher = message.find("call to '(Launcher<"), close = message.find(">) (");
    if (launcher != std::string::npos && close != std::string::npos)
        message = "the kernel's parameters '(" + message.substr(launcher + 19, close - launcher - 19) +
                  ")' don't match the launch's arguments '" + message.substr(close + 3);
    return message;
}

class Reader {
  public:
    explicit Reader(const Sources& sources) : sources_(sources) {}

    void line(const std::string& text) {
        Located l = locate(text);
        if (!l.found) return unlocated(text);
        if (is_context(l.rest)) {
            if (sources_.by_message_path(l.file) != nullptr) context_ = l;
            return;
        }
        const std::string level = take_level(l.rest);
        if (level.empty()) return;
        add(level, l);
    }

    std::vector<Diagnostic> take() { return errors_first(std::move(found_)); }

  private:
    void add(const std::string& level, const Located& l) {
        if (level != "note") return add_message(level, l);
        const SourceFile* file = sources_.by_message_path(l.file);
        if (file == nullptr) return learn_from_note(l.rest);
        if (!kept_ || found_.empty()) return;
        Diagnostic& about = found_.back();
        if (l.rest.rfind("in expansion of macro", 0) == 0 && sources_.by_message_path(about.file) == nullptr)
            return place(about, l, *file);
        learn_from_note(l.rest);
        const bool same_line = about.line == l.line && about.file == file->path;
        if (same_line || l.rest.find("template argument deduction") != std::string::npos ||
            l.rest.rfind("  ", 0) == 0)
            return;
        Diagnostic note{level, "", 0, 0, without_our_names(l.rest), "", ""};
        place(note, l, *file);
        found_.push_back(std::move(note));
    }

    void add_message(const std::string& level, const Located& l) {
        kept_ = l.rest.find("trying to instantiate") == std::string::npos;
        if (!kept_) return;
        const SourceFile* file = sources_.by_message_path(l.file);
        Diagnostic d{level, l.file, l.line, l.column, without_our_names(l.rest), "", ""};
        if (file == nullptr && context_.found) {
            if (const SourceFile* user = sources_.by_message_path(context_.file)) place(d, context_, *user);
        } else if (file != nullptr) {
            place(d, l, *file);
        }
        context_ = {};
        d.plain = plain_words(l.rest, d.source_line);
        if (d.plain.empty() && file != nullptr) d.plain = declared_later(l, *file);
        kept_ = std::none_of(found_.begin(), found_.end(), [&](const Diagnostic& f) {
            if (f.level != d.level || f.file != d.file || f.line != d.line) return false;
            return f.message == d.message || (!d.plain.empty() && f.plain == d.plain) ||
                   is_echo(l.rest, d.source_line);
        });
        if (kept_) found_.push_back(std::move(d));
    }

    // What gcc says about our own text around a __shared__ declaration, once it has said what is wrong in it.
    static bool is_echo(const std::string& message, const std::string& line) {
        if (line.find("__shared__") == std::string::npos) return false;
        for (const char* part : {"shared<<expression error>", "template argument 1 is invalid",
                                 "parse error in template argument list", "unable to deduce 'auto"})
            if (message.find(part) != std::string::npos) return true;
        return false;
    }

    static void place(Diagnostic& d, const Located& at, const SourceFile& file) {
        d.file = file.path;
        d.line = at.line;
        d.column = at.column > 0 ? file.rewritten.positions.original(at.line, at.column).column : 0;
        d.source_line = line_of_text(file.text, at.line);
    }

    // 'add' was not declared in this scope: but it is, further down.
    static std::string declared_later(const Located& l, const SourceFile& file) {
        const size_t end = l.rest.find("' was not declared");
        if (l.rest.empty() || l.rest[0] != '\'' || end == std::string::npos) return "";
        const std::string name = l.rest.substr(1, end - 1);
        for (const frontend::Function& f : file.scan->functions) {
            const int line = file.scan->code[f.name_token].line;
            if (f.name == name && line > l.line)
                return name + " is defined further down, on line " + std::to_string(line) +
                       ": move it above this line, or declare it there.";
        }
        if (line_of_text(file.text, l.line).find(name + "<<<") != std::string::npos)
            return "There is no kernel named " + name +
                   " above this line: check the spelling, and that it is declared __global__.";
        return "";
    }

    // A note may explain the error before it, even one in the machine's headers, which is not shown.
    void learn_from_note(const std::string& note) {
        if (!kept_) return;
        for (auto d = found_.rbegin(); d != found_.rend(); ++d) {
            if (d->level == "note") continue;
            if (d->plain.empty()) d->plain = plain_words(note, d->source_line);
            return;
        }
    }

    // "cc1plus: out of memory", an internal error of the compiler
    void unlocated(const std::string& text) {
        const size_t error = text.find("error: ");
        if (error == std::string::npos ||
            (text.rfind("cc1plus", 0) != 0 && text.rfind("g++", 0) != 0 && text.rfind("ld", 0) != 0))
            return;
        found_.push_back({"error", "", 0, 0, text.substr(error + 7), "", ""});
    }

    const Sources& sources_;
    Located context_;
    bool kept_ = false;
    std::vector<Diagnostic> found_;
};

std::string caret_line(const Diagnostic& d) {
    std::string out;
    for (int i = 0; i + 1 < d.column && i < static_cast<int>(d.source_line.size()); i++) {
        const char c = d.source_line[static_cast<size_t>(i)];
        if ((c & 0xc0) == 0x80) continue;  // the rest of a UTF-8 character takes no room
        out += c == '\t' ? '\t' : ' ';
    }
    return out + "^";
}

std::string place_text(const Diagnostic& d) {
    if (d.file.empty()) return "cudalab: ";
    std::string out = d.file + ":";
    if (d.line > 0) out += std::to_string(d.line) + ":";
    if (d.column > 0) out += std::to_string(d.column) + ":";
    return out + " ";
}

}  // namespace

std::vector<Diagnostic> errors_first(std::vector<Diagnostic> all) {
    std::vector<Diagnostic> errors, others;
    bool to_errors = false;
    for (Diagnostic& d : all) {
        if (d.level != "note") to_errors = d.level == "error";
        (to_errors ? errors : others).push_back(std::move(d));
    }
    errors.insert(errors.end(), std::make_move_iterator(others.begin()),
                  std::make_move_iterator(others.end()));
    return errors;
}

std::vector<Diagnostic> read_diagnostics(const std::string& output, const Sources& sources) {
    Reader reader(sources);
    size_t at = 0;
    while (at < output.size()) {
        const size_t end = std::min(output.find('\n', at), output.size());
        reader.line(output.substr(at, end - at));
        at = end + 1;
    }
    return reader.take();
}

std::string to_text(const std::vector<Diagnostic>& diagnostics) {
    std::string out;
    for (const Diagnostic& d : diagnostics) {
        out += place_text(d) + d.level + ": " + d.message + "\n";
        if (!d.source_line.empty()) {
            std::string number = std::to_string(d.line);
            if (number.size() < 5) number.insert(0, 5 - number.size(), ' ');
            out += number + " | " + d.source_line + "\n";
            if (d.column > 0) out += std::string(number.size(), ' ') + " | " + caret_line(d) + "\n";
        }
        if (!d.plain.empty()) out += place_text(d) + "note: " + d.plain + "\n";
    }
    return out;
}

}  // namespace simt::toolchain
