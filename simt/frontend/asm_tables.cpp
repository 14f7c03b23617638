#include "simt/frontend/asm_tables.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>

#include "simt/frontend/asm_debug.h"
#include "simt/frontend/asm_forks.h"
#include "simt/frontend/asm_loops.h"
#include "simt/include/simt/abi.h"

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

struct SourcePlace {
    Place place;                       // by the last .loc
    Place learner;                     // by the last .loc of a learner's file in this function
    std::vector<unsigned> inlined_in;  // the .LBB numbers around it
};

// A call, of which the table names the return address.
struct Site {
    unsigned label = 0;
    SourcePlace at;
    std::string_view group;  // of the function's section
    unsigned flags = 0;      // SiteEntry::Flags
};

constexpr size_t no_site = static_cast<size_t>(-1);

// A piece of code that is entered at its start only, by its label, and left at its end only.
struct Block {
    std::string_view gcc_label;  // "" when it begins behind a jump
    unsigned label = 0;          // our label at its start
    std::string_view section;
    std::vector<std::string_view> targets;
    bool falls_through = true;
    bool by_table = false;  // ends in an indirect jump
    bool returns = false;
    bool complains = false;  // calls a sanitizer's handler: no way that the program itself has
    bool calls = false;      // a function that is not one of our hooks
    bool meets = false;      // calls a function in which lanes of a warp meet
    bool leaves = false;     // calls the hook of a function's end
    unsigned accesses = 0, instructions = 0;
    size_t hook = no_site;  // of the basic block that it is a part of
    SourcePlace jump;       // of the conditional jump at its end
};

// Not a move, an extension of a sign, a jump or the like.
bool computes(std::string_view instruction) {
    for (const std::string_view other :
         {"mov", "cltq", "cltd", "cqto", "push", "pop", "j", "call", "ret", "nop", "cmp", "test", "."})
        if (starts(instruction, other)) return false;
    return true;
}

constexpr std::string_view no_calls_on_a_gpu[] = {
    "__tsan_func_exit",    "4simt14thread_returns", "4simt12thread_index", "4simt11block_index",
    "4simt12block_extent", "4simt11grid_extent",    "4simt10lane_index",   "4simt13local_storage",
    "__popcount",          "4simt14gathered_lanes"};

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
        return {std::move(out_), sites_.size(), loops_};
    }

  private:
    void keep(std::string_view line) {
        out_ += line;
        out_ += '\n';
    }

    void line(std::string_view s) {
        if (in_debug_ && !starts(s, "\t.section")) calls_.line(section_, s);
        if (s.size() > 2 && s[0] == '\t' && s[1] == '.') return directive(s);
        if (s.size() > 2 && s[0] == '.' && s[1] == 'L') return label(s);
        if (in_debug_ && options_.drop_debug) return;
        keep(s);
        if (s.size() < 4 || s[0] != '\t' || blocks_.empty()) return;
        blocks_.back().instructions += computes(s.substr(1));
        if (starts(s, "\tcall\t") || starts(s, "\tcall ")) return call(s);
        if (s[1] == 'j' || starts(s, "\tnotrack")) return jump(s);
        if (starts(s, "\tret") || starts(s, "\tud2")) {
            blocks_.back().returns = s[1] == 'r';
            end_block(false);
        }
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
        if (starts(s, "\t.long\t.L")) table_entry(s);
        const bool needed = starts(s, "\t.hidden") || starts(s, "\t.weak") || starts(s, "\t.globl");
        if (in_debug_ && options_.drop_debug && !needed) return;
        if (starts(s, "\t.cfi_endproc")) end_function();
        keep(s);
        if (starts(s, "\t.cfi_startproc")) begin_block({});
    }

    void location(std::string_view s) {
        std::string_view rest = s.substr(6);
        now_.file = take_number(rest);
        now_.line = take_number(rest);
        now_.column = take_number(rest);
        if (!is_foreign(now_.file) && now_.line != 0) learner_ = now_;
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
        in_debug_ = section_.find(".debug_") != std::string_view::npos;
        group_ = {};
        if (const size_t g = rest.find("G\",@progbits,"); g != std::string_view::npos) {
            const std::string_view name = rest.substr(g + 13);
            group_ = name.substr(0, name.find(','));
        }
        if (!in_debug_ || !options_.drop_debug) keep(s);
    }

    void label(std::string_view s) {
        if (in_debug_) {
            if (!options_.drop_debug) keep(s);
            return;
        }
        if (starts(s, ".LBB") || starts(s, ".LBE") || starts(s, ".LVL")) {
            inline_label(s);
            if (!options_.drop_debug) keep(s);
            return;
        }
        keep(s);
        if (s[2] < '0' || s[2] > '9' || s.back() != ':') return;
        const bool code = section_.find(".rodata") == std::string_view::npos;  // jump tables have labels, too
        if (!blocks_.empty() && code) begin_block(s.substr(0, s.size() - 1));
    }

    void inline_label(std::string_view s) {
        std::string_view rest = s.substr(4);
        const unsigned block = take_number(rest);
        if (s[3] == 'B') open_.push_back(block);
        if (s[3] == 'E' && s[2] == 'B')
            for (size_t i = open_.size(); i-- > 0;)
                if (open_[i] == block) {
                    open_.erase(open_.begin() + static_cast<ptrdiff_t>(i));
                    break;
                }
    }

    // `.long .L9-.L5` in the jump table .L5
    void table_entry(std::string_view s) {
        if (blocks_.empty() || section_.find(".rodata") == std::string_view::npos) return;
        const size_t minus = s.find('-');
        table_targets_.push_back(s.substr(7, minus == std::string_view::npos ? minus : minus - 7));
    }

    void begin_block(std::string_view gcc_label) {
        Block block;
        block.gcc_label = gcc_label;
        block.section = section_;
        block.label = new_label();
        blocks_.push_back(std::move(block));
    }

    unsigned new_label() {
        const unsigned number = next_label_++;
        out_ += ".Lsimt";
        append(out_, number);
        out_ += ":\n";
        return number;
    }

    void end_block(bool falls_through) {
        blocks_.back().falls_through = falls_through;
        begin_block({});
    }

    void call(std::string_view s) {
        note_callee(s.substr(6));
        sites_.push_back({new_label(), here(), group_});
    }

    void note_callee(std::string_view name) {
        const auto is = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
        Block& block = blocks_.back();
        if (is("__sanitizer_cov_trace_pc"))
            block.hook = sites_.size();
        else if (is("__tsan_func_exit"))
            block.leaves = true;
        else if (is("__ubsan_handle"))
            block.complains = true;
        else if (is("__tsan_read") || is("__tsan_write"))
            ++block.accesses;
        else if (is("4simt12warp_shuffle") || is("4simt9warp_vote") || is("4simt11warp_reduce") ||
                 is("4simt12warp_barrier") || is("4simt11warp_matrix") || is("4simt13warp_multiply"))
            block.calls = block.meets = true;
        else if (std::none_of(std::begin(no_calls_on_a_gpu), std::end(no_calls_on_a_gpu), is))
            block.calls = true;
    }

    SourcePlace here() const { return {now_, learner_, open_}; }

    void jump(std::string_view s) {
        const size_t gap = s.find_first_of(" \t", 1);
        if (gap == std::string_view::npos) return;
        const std::string_view target = s.substr(gap + 1);
        const bool conditional = !starts(s, "\tjmp") && !starts(s, "\tnotrack");
        if (target.size() > 2 && target[0] == '.' && target[1] == 'L')
            blocks_.back().targets.push_back(target);
        blocks_.back().by_table = !conditional && target.find('*') != std::string_view::npos;
        if (conditional || blocks_.back().by_table) blocks_.back().jump = here();
        end_block(conditional);
    }

    void end_function() {
        if (!blocks_.empty()) {
            const unsigned end = new_label();
            bool any_backward = false;
            const FlowGraph graph = flow_graph(any_backward);
            std::vector<FoundLoop> loops;
            if (any_backward) loops = find_loops(graph);
            mark_ends(graph);
            mark_forks(graph, loops);
            write_loops(loops, end);
        }
        blocks_.clear();
        table_targets_.clear();
        open_.clear();
        learner_ = {};
    }

    FlowGraph flow_graph(bool& any_backward) const {
        std::unordered_map<std::string_view, size_t> by_label;
        for (size_t i = 0; i < blocks_.size(); i++)
            if (!blocks_[i].gcc_label.empty()) by_label[blocks_[i].gcc_label] = i;
        FlowGraph graph;
        graph.nodes.resize(blocks_.size());
        for (size_t i = 0; i < blocks_.size(); i++) {
            const auto go = [&](std::string_view target) {
                const auto found = by_label.find(target);
                if (found == by_label.end()) return;
                graph.nodes[i].next.push_back(found->second);
                any_backward = any_backward || found->second <= i;
            };
            for (const std::string_view target : blocks_[i].targets) go(target);
            if (blocks_[i].by_table)
                for (const std::string_view target : table_targets_) go(target);
            if (blocks_[i].falls_through && i + 1 < blocks_.size()) graph.nodes[i].next.push_back(i + 1);
        }
        return graph;
    }

    // Blocks that can be reached from `from`, those left out which lie behind a block that calls the hook of the
    // function's end.
    std::vector<char> reached(const FlowGraph& graph, std::vector<size_t> from, bool past_the_end) const {
        std::vector<char> seen(blocks_.size(), 0);
        while (!from.empty()) {
            const size_t block = from.back();
            from.pop_back();
            if (blocks_[block].leaves && !past_the_end) continue;
            for (const size_t next : graph.nodes[block].next)
                if (std::exchange(seen[next], 1) == 0) from.push_back(next);
        }
        return seen;
    }

    // Marks the hooks of the basic blocks that only come after the hook of the function's end: the machine
    // must not take them for blocks of the caller.
    void mark_ends(const FlowGraph& graph) {
        std::vector<size_t> ends;
        for (size_t i = 0; i < blocks_.size(); i++)
            if (blocks_[i].leaves) ends.push_back(i);
        const std::vector<char> before = reached(graph, {0}, false), behind = reached(graph, ends, true);
        for (size_t i = 0; i < blocks_.size(); i++)
            if (behind[i] && !before[i] && blocks_[i].hook != no_site)
                sites_[blocks_[i].hook].flags |= SiteEntry::over;
    }

    // Marks the hooks of the basic blocks that end in a branch which a GPU would have, too.
    void mark_forks(const FlowGraph& graph, const std::vector<FoundLoop>& loops) {
        std::vector<Node> nodes(blocks_.size());
        for (size_t i = 0; i < blocks_.size(); i++) {
            const Block& b = blocks_[i];
            std::vector<size_t> ways;
            for (const size_t next : graph.nodes[i].next)
                if (!blocks_[next].complains && std::find(ways.begin(), ways.end(), next) == ways.end())
                    ways.push_back(next);
            nodes[i] = {b.returns, b.calls, b.meets, b.accesses, b.instructions, b.hook != no_site, ways};
        }
        for (const auto& [node, end] : join_checked_blocks(nodes)) blocks_[end].hook = blocks_[node].hook;
        for (size_t i = 0; i < blocks_.size(); i++) {
            if (blocks_[i].hook == no_site || nodes[i].ways.size() < 2) continue;
            const Fork fork = judge_fork(nodes, loops, i);
            if (fork == Fork::predicated) continue;
            Site& hook = sites_[blocks_[i].hook];
            hook.flags |= SiteEntry::forks | (fork == Fork::may_end ? SiteEntry::may_end : 0u);
            hook.at = blocks_[i].jump;
        }
    }

    void write_loops(const std::vector<FoundLoop>& loops, unsigned end) {
        for (const FoundLoop& loop : loops) {
            const Block& head = blocks_[loop.head];
            if (blocks_[loop.first].section != head.section || blocks_[loop.last].section != head.section)
                continue;
            const unsigned past_last = loop.last + 1 < blocks_.size() ? blocks_[loop.last + 1].label : end;
            std::string& extents = loop_tables_[group_];
            extents += "\t.quad\t.Lsimt";
            append(extents, blocks_[loop.first].label);
            extents += ",.Lsimt";
            append(extents, past_last);
            extents += '\n';
            std::string& heads = head_tables_[group_];
            heads += "\t.quad\t.Lsimt";
            append(heads, head.label);
            heads += '\n';
            loops_++;
        }
    }

    // What the compiler made to copy a struct stands at the struct's name; it belongs to the statement that copies.
    Place outside_of_implicit(const SourcePlace& at) const {
        Place place = at.place;
        for (size_t i = at.inlined_in.size(); i-- > 0;) {
            const CallSite* call = calls_.at(at.inlined_in[i]);
            if (call == nullptr) continue;
            if (!call->implicit || call->line == 0) break;
            place = {call->file, call->line, call->column};
        }
        return is_foreign(place.file) ? at.place : place;
    }

    // The learner's place that a call belongs to, and whether it only stands for inlined code.
    std::pair<Place, bool> resolved(const Site& site) const {
        const SourcePlace& at = site.at;
        if (!is_foreign(at.place.file)) return {outside_of_implicit(at), false};
        for (size_t i = at.inlined_in.size(); i-- > 0;) {
            const CallSite* call = calls_.at(at.inlined_in[i]);
            if (call != nullptr && call->line != 0 && !is_foreign(call->file))
                return {{call->file, call->line, call->column}, true};
        }
        if (at.learner.line != 0) return {at.learner, true};
        return {at.place, false};
    }

    void write_tables() {
        calls_.read();
        std::map<std::string_view, std::string> tables;
        for (const Site& site : sites_) {
            const auto [place, inlined] = resolved(site);
            std::string& table = tables[site.group];
            table += "\t.quad\t.Lsimt";
            append(table, site.label);
            table += "\n\t.long\t";
            append(table, global_file(place.file));
            table += ',';
            append(table, place.line);
            table += ',';
            append(table, place.column);
            table += ',';
            append(table, site.flags | (inlined ? SiteEntry::inlined : 0u) |
                              (is_foreign(place.file) ? SiteEntry::foreign : 0u));
            table += '\n';
        }
        for (const auto& [group, table] : tables) write_table("simt_sites", group, table);
        for (const auto& [group, table] : loop_tables_) write_table("simt_loops", group, table);
        for (const auto& [group, table] : head_tables_) write_table("simt_heads", group, table);
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
        const auto bounds = [this](const char* name) {
            std::string words;
            for (const char* side : {"__start_", "__stop_"}) {
                const std::string symbol = std::string(side) + name;
                out_ += "\t.weak\t" + symbol + "\n\t.hidden\t" + symbol + "\n";
                words += "\t.quad\t" + symbol + "\n";
            }
            return words;
        };
        const std::string words = bounds("simt_sites") + bounds("simt_loops") + bounds("simt_files") +
                                  "\t.quad\t2\n" + bounds("simt_heads");
        out_ +=
            "\t.section\t.data.rel.ro.simt_tables,\"aw\",@progbits\n\t.balign\t8\n\t.globl\tsimt_tables\n"
            "\t.type\tsimt_tables, @object\n\t.size\tsimt_tables, 72\nsimt_tables:\n" +
            words;
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

    std::string_view text_;
    FileTable& files_;
    const TableOptions& options_;
    std::string out_;
    std::vector<LocalFile> local_files_;
    Place now_, learner_;
    bool in_debug_ = false;
    std::string_view section_ = "\t.text", group_;
    unsigned next_label_ = 0;
    std::vector<Block> blocks_;                    // of the current function; empty outside of one
    std::vector<std::string_view> table_targets_;  // of its jump tables
    std::vector<unsigned> open_;                   // .LBB numbers that are not closed yet
    InlineCalls calls_;
    std::vector<Site> sites_;
    std::map<std::string_view, std::string> loop_tables_, head_tables_;
    size_t loops_ = 0;
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
