// The learner's program as it is loaded: which line a return address belongs to, where its loops are, and
// what lies at its other addresses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simt/include/simt/abi.h"

namespace simt {

struct Site {
    const char* file = "";
    int line = 0, column = 0;
    bool foreign = false;  // in a header that is not the learner's
};

struct Loop {
    uint32_t first, past_last;  // offsets in the program's text
};

// What a basic block is, at the return address of its hook.
struct BlockMark {
    uint16_t loop = 0;  // 1 + index of the loop that begins here
    uint8_t forks =
        0;  // of SiteEntry::Flags: can go on in several ways, one of them the function's end; is over
};

struct Program {
    bool loaded = false;
    bool hooked = false;   // it announced its hooks when it was loaded; fast programs have none
    bool checked = false;  // compiled with hooks and tables
    uintptr_t text = 0;    // start of its code (and read-only data)
    uint32_t text_bytes = 0;
    uintptr_t writable = 0;  // its globals
    size_t writable_bytes = 0;
    uintptr_t relocated = 0;  // constants that the loader filled in: vtables and tables of pointers
    size_t relocated_bytes = 0;
    std::vector<SiteEntry> sites;  // by address
    const char* const* files = nullptr;
    size_t file_count = 0;
    std::vector<Loop> loops;
    std::vector<BlockMark> marks;  // by offset in the text; empty: there are no tables

    uint32_t offset(const void* pc) const {
        const uintptr_t o = reinterpret_cast<uintptr_t>(pc) - text;
        return o < text_bytes ? static_cast<uint32_t>(o) : 0;
    }
    const void* address(uint32_t offset) const { return reinterpret_cast<const void*>(text + offset); }
    Site site(const void* pc) const;  // of a call that returns to pc, or the nearest one before it
    bool is_constant(const void* p) const {
        const auto a = reinterpret_cast<uintptr_t>(p);
        return a - text < text_bytes || a - relocated < relocated_bytes;
    }
    bool is_global_variable(const void* p) const {
        return reinterpret_cast<uintptr_t>(p) - writable < writable_bytes;
    }
};

extern Program program;

// Finds the shared object that contains `inside` and reads its tables. Once; later calls return at once.
void load_program(const void* inside);

}  // namespace simt
