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
    for (const char* name : {"::simt::", "simt::cuda::", "simt::"})
        for (size_t at = message.find(name); at != std::string::npos; at = message.find(name, at))
            message.erase(at, std::string(name).size());
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
        const SourceFile* file = sources_.by_message_path(l.file);
        if (level != "note") kept_ = true;
        if (file == nullptr && level == "note") return learn_from_note(l.rest);
        Located at = l;
        if (file == nullptr && context_.found) {
            at.file = context_.file;
            at.line = context_.line;
            at.column = context_.column;
            file = sources_.by_message_path(at.file);
        }
        if (level != "note") context_ = {};
        if (level == "note" && !kept_) return;
        Diagnostic d{level, at.file, at.line, at.column, l.rest, "", ""};
        if (file != nullptr) {
            d.file = file->path;
            if (at.column > 0) d.column = file->rewritten.positions.original(at.line, at.column).column;
            d.source_line = line_of_text(file->text, at.line);
        }
        if (level != "note") d.plain = plain_words(l.rest, d.source_line);
        d.message = without_our_names(d.message);
        const bool again = std::any_of(found_.begin(), found_.end(), [&](const Diagnostic& f) {
            return f.level == d.level && f.file == d.file && f.line == d.line && f.message == d.message;
        });
        if (again && level != "note") kept_ = false;
        if (!again) found_.push_back(std::move(d));
    }

    // A note in the machine's headers is not shown, but may explain the error before it.
    void learn_from_note(const std::string& note) {
        if (found_.empty() || !found_.back().plain.empty() || found_.back().level == "note") return;
        found_.back().plain = plain_words("note: " + note, found_.back().source_line);
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
