// The part of gcc's DWARF text that says where inlined code was called from.
#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace simt::frontend {

struct CallSite {
    unsigned file = 0, line = 0, column = 0;  // file as in the assembler's `.file` lines
    bool implicit = false;  // of a function that the compiler made: a struct's assignment, a copy
};

// Collects the lines of .debug_info, .debug_abbrev and .debug_rnglists; read() understands them.
class InlineCalls {
  public:
    // `section` as gcc names it. Other sections' lines are passed over.
    void line(std::string_view section, std::string_view text);
    // False: something was not as expected, and at() knows nothing.
    bool read();
    // The call that the code between .LBB<block> and .LBE<block> was inlined for; nullptr: none.
    const CallSite* at(unsigned block) const;

  private:
    struct Attribute {
        unsigned name, form;
        unsigned constant;
    };
    struct Shape {
        unsigned tag = 0;
        bool children = false;
        std::vector<Attribute> attributes;
    };
    struct Cursor;

    bool read_shapes();
    void read_ranges();
    bool read_entries();
    bool read_entry(Cursor& at, const Shape& shape, size_t place);
    bool skip_block(Cursor& at, std::string_view length) const;

    std::vector<std::string_view> info_, shapes_, ranges_;
    std::unordered_map<unsigned, Shape> by_code_;
    std::unordered_map<std::string_view, std::vector<unsigned>> blocks_of_list_;
    std::unordered_map<unsigned, CallSite> calls_;
    std::unordered_map<unsigned, size_t> origin_of_;  // by block: where .debug_info declares what was inlined
    std::unordered_set<size_t> implicit_;             // places of functions that the compiler made
};

}  // namespace simt::frontend
