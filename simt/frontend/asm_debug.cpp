#include "simt/frontend/asm_debug.h"

#include <charconv>
#include <cstdlib>
#include <string>

namespace simt::frontend {
namespace {

// DWARF 5, section 7.
enum : unsigned { tag_inlined_subroutine = 0x1d, tag_subprogram = 0x2e };
enum : unsigned {
    at_low_pc = 0x11,
    at_abstract_origin = 0x31,
    at_artificial = 0x34,
    at_entry_pc = 0x52,
    at_ranges = 0x55,
    at_call_column = 0x57,
    at_call_file = 0x58,
    at_call_line = 0x59
};
enum : unsigned {
    form_addr = 0x01,
    form_block2 = 0x03,
    form_block4 = 0x04,
    form_data2 = 0x05,
    form_data4 = 0x06,
    form_data8 = 0x07,
    form_string = 0x08,
    form_block = 0x09,
    form_block1 = 0x0a,
    form_data1 = 0x0b,
    form_flag = 0x0c,
    form_sdata = 0x0d,
    form_strp = 0x0e,
    form_udata = 0x0f,
    form_ref4 = 0x13,
    form_sec_offset = 0x17,
    form_exprloc = 0x18,
    form_flag_present = 0x19,
    form_line_strp = 0x1f,
    form_implicit_const = 0x21
};

bool starts(std::string_view s, std::string_view prefix) {
    return s.substr(0, prefix.size()) == prefix;
}

// "\t.byte\t0x7" -> ".byte", "0x7"
struct Item {
    std::string_view directive, operand;
};

Item item_of(std::string_view line) {
    if (line.empty() || line[0] != '\t') return {};
    line.remove_prefix(1);
    const size_t gap = line.find_first_of(" \t");
    if (gap == std::string_view::npos) return {line, {}};
    return {line.substr(0, gap), line.substr(gap + 1)};
}

unsigned number(std::string_view s) {
    return static_cast<unsigned>(std::strtoul(std::string(s.substr(0, 24)).c_str(), nullptr, 0));
}

size_t bytes_of_number(std::string_view operand) {
    size_t bytes = 1;
    for (unsigned v = number(operand); v >= 128; v >>= 7) bytes++;
    return bytes;
}

// With its zero; an octal escape is one byte.
size_t bytes_of_string(std::string_view quoted) {
    size_t bytes = 1;
    for (size_t i = 1; i + 1 < quoted.size(); i++, bytes++) {
        if (quoted[i] != '\\') continue;
        const bool octal = quoted[i + 1] >= '0' && quoted[i + 1] <= '7';
        i += octal ? 3 : 1;
    }
    return bytes;
}

size_t bytes_of(const Item& item) {
    if (item.directive == ".byte") return 1;
    if (item.directive == ".value") return 2;
    if (item.directive == ".long") return 4;
    if (item.directive == ".quad") return 8;
    if (item.directive == ".uleb128") return bytes_of_number(item.operand);
    if (item.directive == ".string") return bytes_of_string(item.operand);
    return 0;
}

// ".LBB12-.Ltext0" -> 12
bool block_number(std::string_view s, unsigned& block) {
    if (!starts(s, ".LBB")) return false;
    return std::from_chars(s.data() + 4, s.data() + s.size(), block).ec == std::errc();
}

std::string_view directive_of(unsigned form) {
    switch (form) {
        case form_addr:
        case form_data8:
            return ".quad";
        case form_data2:
            return ".value";
        case form_data4:
        case form_strp:
        case form_ref4:
        case form_sec_offset:
        case form_line_strp:
            return ".long";
        case form_data1:
        case form_flag:
            return ".byte";
        case form_udata:
            return ".uleb128";
        case form_sdata:
            return ".sleb128";
        case form_string:
            return ".string";
        default:
            return {};
    }
}

// Of what is as long as it says, the directive that says it: of expressions, and of constants that are structs.
std::string_view length_of_block(unsigned form) {
    switch (form) {
        case form_exprloc:
        case form_block:
            return ".uleb128";
        case form_block1:
            return ".byte";
        case form_block2:
            return ".value";
        case form_block4:
            return ".long";
        default:
            return {};
    }
}

}  // namespace

// A walk over directives; labels are passed over.
struct InlineCalls::Cursor {
    const std::vector<std::string_view>& lines;
    size_t at = 0;
    size_t offset = 0;  // in bytes, of what comes next

    bool next(Item& item) {
        while (at < lines.size() && (lines[at].empty() || lines[at][0] != '\t')) at++;
        if (at >= lines.size()) return false;
        item = item_of(lines[at++]);
        offset += bytes_of(item);
        return true;
    }
    bool next(std::string_view directive, Item& item) { return next(item) && item.directive == directive; }
};

void InlineCalls::line(std::string_view section, std::string_view text) {
    if (section.find(".debug_info") != std::string_view::npos)
        info_.push_back(text);
    else if (section.find(".debug_abbrev") != std::string_view::npos)
        shapes_.push_back(text);
    else if (section.find(".debug_rnglists") != std::string_view::npos)
        ranges_.push_back(text);
}

bool InlineCalls::read() {
    if (info_.empty() || !read_shapes()) return false;
    read_ranges();
    if (read_entries()) return true;
    calls_.clear();
    return false;
}

bool InlineCalls::read_shapes() {
    Cursor at{shapes_};
    Item item;
    while (at.next(item)) {
        const unsigned code = number(item.operand);
        if (code == 0) break;
        Shape shape;
        if (!at.next(".uleb128", item)) return false;
        shape.tag = number(item.operand);
        if (!at.next(".byte", item)) return false;
        shape.children = number(item.operand) != 0;
        while (true) {
            Item form;
            if (!at.next(item) || !at.next(form)) return false;
            Attribute a{number(item.operand), number(form.operand), 0};
            if (a.name == 0 && a.form == 0) break;
            if (a.form == form_implicit_const) {
                if (!at.next(item)) return false;
                a.constant = number(item.operand);
            }
            shape.attributes.push_back(a);
        }
        by_code_.emplace(code, std::move(shape));
    }
    return true;
}

void InlineCalls::read_ranges() {
    std::vector<unsigned>* list = nullptr;
    for (const std::string_view line : ranges_) {
        if (starts(line, ".LLRL")) list = &blocks_of_list_[line.substr(0, line.find(':'))];
        unsigned block = 0;
        if (list != nullptr && block_number(item_of(line).operand, block)) list->push_back(block);
    }
}

bool InlineCalls::read_entries() {
    Cursor at{info_};
    Item item;
    for (const char* directive : {".long", ".value", ".byte", ".byte", ".long"})  // the unit's header
        if (!at.next(directive, item)) return false;
    for (size_t place = at.offset; at.next(item); place = at.offset) {
        if (item.directive == ".byte" && number(item.operand) == 0)
            continue;  // the end of some entry's children
        const auto shape = by_code_.find(number(item.operand));
        if (item.directive != ".uleb128" || shape == by_code_.end()) return false;
        if (!read_entry(at, shape->second, place)) return false;
    }
    for (auto& [block, call] : calls_) call.implicit = implicit_.count(origin_of_[block]) != 0;
    return true;
}

bool InlineCalls::read_entry(Cursor& at, const Shape& shape, size_t place) {
    CallSite call;
    size_t origin = 0;
    std::vector<unsigned> blocks;
    for (const Attribute& a : shape.attributes) {
        unsigned value = a.constant;
        Item item;
        if (const std::string_view length = length_of_block(a.form); !length.empty()) {
            if (!skip_block(at, length)) return false;
        } else if (a.form != form_flag_present && a.form != form_implicit_const) {
            const std::string_view directive = directive_of(a.form);
            if (directive.empty() || !at.next(directive, item)) return false;
            value = item.operand.empty() || item.operand[0] == '.' ? 0 : number(item.operand);
        }
        unsigned block = 0;
        if ((a.name == at_low_pc || a.name == at_entry_pc) && block_number(item.operand, block))
            blocks.push_back(block);
        if (a.name == at_ranges)
            if (const auto list = blocks_of_list_.find(item.operand); list != blocks_of_list_.end())
                blocks.insert(blocks.end(), list->second.begin(), list->second.end());
        if (a.name == at_call_file) call.file = value;
        if (a.name == at_call_line) call.line = value;
        if (a.name == at_call_column) call.column = value;
        if (a.name == at_abstract_origin) origin = value;
        if (a.name == at_artificial && shape.tag == tag_subprogram) implicit_.insert(place);
    }
    if (shape.tag != tag_inlined_subroutine) return true;
    for (const unsigned block : blocks) {
        calls_[block] = call;
        origin_of_[block] = origin;
    }
    return true;
}

// The length, then directives of that many bytes.
bool InlineCalls::skip_block(Cursor& at, std::string_view length) const {
    Item item;
    if (!at.next(length, item)) return false;
    for (size_t left = number(item.operand); left > 0;) {
        if (!at.next(item)) return false;
        const size_t bytes = bytes_of(item);
        if (bytes == 0 || bytes > left) return false;
        left -= bytes;
    }
    return true;
}

const CallSite* InlineCalls::at(unsigned block) const {
    const auto found = calls_.find(block);
    return found == calls_.end() ? nullptr : &found->second;
}

}  // namespace simt::frontend
