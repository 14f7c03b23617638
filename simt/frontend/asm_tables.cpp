#include "simt/frontend/asm_tables.h"

#include <charconv>
#include <cstring>
#include <map>

namespace simt::frontend {
namespace {

struct Place {
    unsigned file = 0, line = 0, column = 0;
};

bool starts(std::string_view s, std::string_view prefix) {
    return s.substr(0, prefix.size()) == prefix;
}

// Takes one unsigned number off the front.
unsigned take_number(std::string_view& s) {
    while (!s.empty() && (s[0] == ' ' || s[0] == '\t')) s.remove_prefix(1);
    unsigned value = 0;
    const auto end = std::from_chars(s.data(), s.data() + s.size(), value);
    s.remove_prefix(static_cast<size_t>(end.ptr - s.data()));
    return value;
}

// Takes one quoted string off the front, with gas's escapes; false: there is none.
bool take_string(std::string_view& s, std::string& out) {
    while (!s.empty() && (s[0] == ' ' || s[0] == '\t')) s.remove_prefix(1);
    if (s.empty() || s[0] != '"') return false;
    out.clear();
    size_t i = 1;
    for (; i < s.size() && s[i] != '"'; i++) {
        if (s[i] != '\\' || i + 1 >= s.size()) {
            out += s[i];
            continue;
        }
        i++;
        if (s[i] < '0' || s[i] > '7') {
            out += s[i];
            continue;
        }
        int octal = 0;
        for (int digits = 0; digits < 3 && i < s.size() && s[i] >= '0' && s[i] <= '7'; digits++, i++)
            octal = octal * 8 + s[i] - '0';
        i--;
        out += static_cast<char>(octal);
    }
    s.remove_prefix(std::min(i + 1, s.size()));
    return true;
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

class Pass {
  public:
    Pass(std::string_view text, FileTable& files, const TableOptions& options)
        : text_(text), files_(files), options_(options) {
        out_.reserve(text.size() + text.size() / 2);
    }

    TableResult run() {
        size_t at = 0;
        while (at < text_.size()) {
            const void* newline = std::memchr(text_.data() + at, '\n', text_.size() - at);
            const size_t end = newline == nullptr
                                   ? text_.size()
                                   : static_cast<size_t>(static_cast<const char*>(newline) - text_.data());
            line(text_.substr(at, end - at));
            at = end + 1;
        }
        end_function();
        write_tables();
        if (options_.last) write_program_tables();
        return {std::move(out_), sites_, loops_};
    }

  private:
    void keep(std::string_view line) {
        out_ += line;
        out_ += '\n';
    }

    void line(std::string_view s) {
        if (s.size() > 2 && s[0] == '\t' && s[1] == '.') return directive(s);
        if (in_debug_) return;
        if (s.size() > 2 && s[0] == '.' && s[1] == 'L') return label(s);
        keep(s);
        if (s.size() < 5 || s[0] != '\t') return;
        if (starts(s, "\tcall\t") || starts(s, "\tcall ")) return call();
        if (s[1] == 'j') jump(s);
    }

    void directive(std::string_view s) {
        if (starts(s, "\t.loc ")) return location(s);
        if (starts(s, "\t.file ") || starts(s, "\t.file\t")) return file(s);
        if (starts(s, "\t.section")) return section(s);
        if (s == "\t.text" || s == "\t.data" || s == "\t.bss" || starts(s, "\t.text ")) {
            group_ = {};
            section_ = s;
            in_debug_ = false;
        }
        if (starts(s, "\t.cfi_startproc")) end_function();
        if (in_debug_ && !starts(s, "\t.hidden") && !starts(s, "\t.weak") && !starts(s, "\t.globl")) return;
        keep(s);
    }

    void location(std::string_view s) {
        std::string_view rest = s.substr(6);
        const unsigned file = take_number(rest);
        now_.line = take_number(rest);
        now_.column = take_number(rest);
        now_.file = file;
        if (!is_foreign(file) && now_.line != 0) learner_ = now_;
        if (!options_.drop_debug) keep(s);
    }

    void file(std::string_view s) {
        std::string_view rest = s.substr(7);
        if (rest.empty() || rest[0] < '0' || rest[0] > '9') return keep(s);
        const unsigned number = take_number(rest);
        std::string name, second;
        if (take_string(rest, name) && take_string(rest, second))
            name = second[0] == '/' ? second : name + "/" + second;
        if (local_files_.size() <= number) local_files_.resize(number + 1);
        local_files_[number] = {name, no_index, is_foreign_name(name)};
        if (!options_.drop_debug) keep(s);
    }

    void section(std::string_view s) {
        std::string_view rest = s.substr(9);
        const size_t comma = rest.find(',');
        section_ = rest.substr(0, comma);
        in_debug_ = options_.drop_debug && section_.find(".debug_") != std::string_view::npos;
        group_ = {};
        if (const size_t g = rest.find("G\",@progbits,"); g != std::string_view::npos) {
            const std::string_view name = rest.substr(g + 13);
            group_ = name.substr(0, name.find(','));
        }
        if (!in_debug_) keep(s);
    }

    void label(std::string_view s) {
        if (options_.drop_debug && (starts(s, ".LBB") || starts(s, ".LBE") || starts(s, ".LVL"))) return;
        keep(s);
        if (s[2] < '0' || s[2] > '9' || s.back() != ':') return;
        labels_[s.substr(0, s.size() - 1)] = {function_, section_};
    }

    void call() {
        const unsigned number = next_label_++;
        out_ += ".Lsimt";
        append(number);
        out_ += ":\n";
        Place place = now_;
        unsigned flags = 0;
        if (is_foreign(now_.file) && learner_.line != 0) {
            place = learner_;
            flags = 1;
        }
        std::string& table = site_tables_[group_];
        table += "\t.quad\t.Lsimt";
        append(table, number);
        table += "\n\t.long\t";
        append(table, global_file(place.file));
        table += ',';
        append(table, place.line);
        table += ',';
        append(table, place.column);
        table += flags ? ",1\n" : ",0\n";
        sites_++;
    }

    void jump(std::string_view s) {
        const size_t gap = s.find_first_of(" \t", 1);
        if (gap == std::string_view::npos || gap + 3 > s.size() || s[gap + 1] != '.' || s[gap + 2] != 'L')
            return;
        const std::string_view target = s.substr(gap + 1);
        const auto seen = labels_.find(target);
        if (seen == labels_.end() || seen->second.function != function_ || seen->second.section != section_)
            return;
        const unsigned number = next_label_++;
        out_ += ".Lsimt";
        append(number);
        out_ += ":\n";
        back_edges_[target] = {number, group_};  // a later jump to the same label reaches further
    }

    void end_function() {
        for (const auto& [target, end] : back_edges_) {
            std::string& table = loop_tables_[end.group];
            table += "\t.quad\t";
            table += target;
            table += ",.Lsimt";
            append(table, end.label);
            table += '\n';
            loops_++;
        }
        back_edges_.clear();
        function_++;
        learner_ = {};
    }

    void write_tables() {
        for (const auto& [group, table] : site_tables_) write_table("simt_sites", group, table);
        for (const auto& [group, table] : loop_tables_) write_table("simt_loops", group, table);
    }

    void write_table(std::string_view name, std::string_view group, const std::string& table) {
        out_ += "\t.section\t";
        out_ += name;
        if (group.empty()) {
            out_ += ",\"aw\",@progbits\n";
        } else {  // goes where the function goes, should the linker drop its copy
            out_ += ",\"awG\",@progbits,";
            out_ += group;
            out_ += ",comdat\n";
        }
        out_ += "\t.balign\t8\n";
        out_ += table;
    }

    void write_program_tables() {
        out_ += "\t.section\t.rodata.simt_names,\"a\",@progbits\n";
        for (size_t i = 0; i < files_.names().size(); i++)
            out_ += ".Lsimt_name" + std::to_string(i) + ":\n\t.string\t" + quoted(files_.names()[i]) + "\n";
        out_ += "\t.section\tsimt_files,\"aw\",@progbits\n\t.balign\t8\n";
        for (size_t i = 0; i < files_.names().size(); i++)
            out_ += "\t.quad\t.Lsimt_name" + std::to_string(i) + "\n";
        // Weak: a program without loops has no such section, and its bounds are null.
        std::string words;
        for (const char* name : {"simt_sites", "simt_loops", "simt_files"})
            for (const char* side : {"__start_", "__stop_"}) {
                const std::string symbol = std::string(side) + name;
                out_ += "\t.weak\t" + symbol + "\n\t.hidden\t" + symbol + "\n";
                words += "\t.quad\t" + symbol + "\n";
            }
        out_ +=
            "\t.section\t.data.rel.ro.simt_tables,\"aw\",@progbits\n\t.balign\t8\n\t.globl\tsimt_tables\n"
            "\t.type\tsimt_tables, @object\n\t.size\tsimt_tables, 56\nsimt_tables:\n" +
            words + "\t.quad\t1\n";
    }

    bool is_foreign(unsigned file) const { return file < local_files_.size() && local_files_[file].foreign; }

    bool is_foreign_name(const std::string& name) const {
        for (const std::string& prefix : options_.foreign_prefixes)
            if (starts(name, prefix)) return true;
        return false;
    }

    unsigned global_file(unsigned file) {
        if (file >= local_files_.size()) return files_.index("");
        LocalFile& f = local_files_[file];
        if (f.index == no_index) f.index = files_.index(f.name);
        return f.index;
    }

    void append(unsigned number) { append(out_, number); }
    static void append(std::string& to, unsigned number) {
        char digits[12];
        to.append(digits,
                  static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits));
    }

    static constexpr unsigned no_index = ~0u;
    struct LocalFile {
        std::string name;
        unsigned index = no_index;
        bool foreign = false;
    };
    struct Label {
        unsigned function = 0;
        std::string_view section;
    };
    struct BackEdge {
        unsigned label = 0;
        std::string_view group;
    };

    std::string_view text_;
    FileTable& files_;
    const TableOptions& options_;
    std::string out_;
    std::vector<LocalFile> local_files_;
    Place now_, learner_;
    bool in_debug_ = false;
    std::string_view section_ = "\t.text", group_;
    unsigned function_ = 0, next_label_ = 0;
    std::unordered_map<std::string_view, Label> labels_;
    std::map<std::string_view, BackEdge> back_edges_;
    std::map<std::string_view, std::string> site_tables_, loop_tables_;
    size_t sites_ = 0, loops_ = 0;
};

}  // namespace

unsigned FileTable::index(const std::string& name) {
    const auto [entry, added] = index_.emplace(name, static_cast<unsigned>(names_.size()));
    if (added) names_.push_back(name);
    return entry->second;
}

TableResult add_tables(std::string_view assembler, FileTable& files, const TableOptions& options) {
    return Pass(assembler, files, options).run();
}

}  // namespace simt::frontend
