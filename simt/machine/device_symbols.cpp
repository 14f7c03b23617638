#include "simt/machine/device_symbols.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "simt/checker/findings.h"
#include "simt/machine/arena.h"
#include "simt/machine/devices.h"
#include "simt/machine/program.h"

namespace simt::device_symbols {

namespace {

// How a launch touched a word, as bits.
enum Touch : uint8_t { name_read = 1, name_write = 2, pointer_read = 4, pointer_write = 8 };

struct Copy {
    const Allocation* memory = nullptr;  // nullptr: not made yet
    bool is_newer = false;               // than the variable's place, where that holds this copy
    bool has_pointer = false;            // kernels may write it by its address
    std::vector<uint8_t> touched;        // by the launch that runs, word by word; only where it has a pointer
};

struct Variable {
    Allocation symbol;
    std::vector<char> initial;    // its bytes when the program was loaded
    std::vector<char> at_launch;  // the place's bytes when the launch began; only where there is a pointer
    int loaded = 0;               // whose copy its place holds
    bool place_is_newer = false;  // than that copy
    std::array<Copy, devices::most> copies;

    Copy& copy(int device) { return copies[static_cast<size_t>(device)]; }
};

// In the order of symbol_table(); one without bytes of its own to keep (managed) is there, too.
std::vector<Variable>& variables() {
    static auto& all = *new std::vector<Variable>;
    const auto& symbols = symbol_table();
    for (size_t i = all.size(); i < symbols.size(); ++i) {
        Variable v;
        v.symbol = symbols[i];
        if (v.symbol.space != BufferSpace::managed)
            v.initial.assign(v.symbol.base, v.symbol.base + v.symbol.bytes);
        all.push_back(std::move(v));
    }
    return all;
}

bool is_kept(const Variable& v) {
    return v.symbol.space != BufferSpace::managed;
}

Variable& variable_of(const Allocation& symbol) {
    return variables()[static_cast<size_t>(&symbol - symbol_table().data())];
}

char* bytes_of(const Copy& copy) {
    return memory::host_view(copy.memory->base);
}

Copy& make(Variable& v, int device) {
    Copy& copy = v.copy(device);
    if (copy.memory != nullptr) return copy;
    const Allocation& s = v.symbol;
    void* made = memory::allocate(s.bytes, s.element_bytes, s.space, s.name, s.allocated, device);
    copy.memory = memory::find(made);
    std::copy(v.initial.begin(), v.initial.end(), bytes_of(copy));
    memory::mark_initialised(made, s.bytes);
    copy.is_newer = false;
    return copy;
}

// What kernels wrote by its name goes into the copy.
void store(Variable& v) {
    if (!v.place_is_newer) return;
    std::memcpy(bytes_of(make(v, v.loaded)), v.symbol.base, v.symbol.bytes);
    v.place_is_newer = false;
}

// Which variable, and whose copy, an allocation is.
struct Found {
    Variable* variable = nullptr;
    Copy* copy = nullptr;
};
Found find_copy(const Allocation& memory) {
    for (Variable& v : variables()) {
        Copy& copy = v.copy(memory.device);
        if (copy.memory == &memory) return {&v, &copy};
    }
    return {};
}

bool clashes(uint8_t touched) {
    const bool both =
        (touched & (name_read | name_write)) != 0 && (touched & (pointer_read | pointer_write)) != 0;
    return both && (touched & (name_write | pointer_write)) != 0;
}

void note(const Lane& lane, Copy& copy, const Allocation& symbol, size_t offset, unsigned bytes, uint8_t how,
          const void* pc) {
    if (copy.touched.empty()) return;
    for (size_t word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) {
        const bool before = clashes(copy.touched[word]);
        copy.touched[word] |= how;
        if (!before && clashes(copy.touched[word])) report_name_and_pointer(lane, symbol, pc);
    }
}

}  // namespace

const Allocation& copy_of(const Allocation& symbol, int device) {
    return *make(variable_of(symbol), device).memory;
}

void give_pointer(const Allocation& copy) {
    find_copy(copy).copy->has_pointer = true;
}

void begin_launch(int device) {
    for (Variable& v : variables()) {
        if (!is_kept(v) || program.is_constant(v.symbol.base)) continue;
        if (v.loaded != device || v.copy(v.loaded).has_pointer) store(v);
        Copy& copy = make(v, device);
        if (v.loaded != device || copy.is_newer || copy.has_pointer)
            std::memcpy(v.symbol.base, bytes_of(copy), v.symbol.bytes);
        v.loaded = device;
        copy.is_newer = false;
        for (Copy& each : v.copies)
            if (each.has_pointer) each.touched.assign((v.symbol.bytes + 3) / 4, 0);
        if (copy.has_pointer) v.at_launch.assign(v.symbol.base, v.symbol.base + v.symbol.bytes);
    }
}

void end_launch(int device) {
    for (Variable& v : variables()) {
        if (v.symbol.space != BufferSpace::symbol) continue;
        Copy& copy = v.copy(device);
        if (!copy.has_pointer) {
            v.place_is_newer = true;
            continue;
        }
        // Others may have written other words of it by its address.
        char* kept = bytes_of(copy);
        for (size_t i = 0; i < v.at_launch.size(); ++i)
            if (v.symbol.base[i] != v.at_launch[i]) kept[i] = v.symbol.base[i];
    }
}

void before_copy(const void* address, bool writes) {
    if (!devices::several || !memory::is_device_address(address)) return;
    const Allocation* memory = memory::find(address);
    if (memory == nullptr || (memory->space != BufferSpace::symbol && memory->space != BufferSpace::constant))
        return;
    const Found found = find_copy(*memory);
    if (found.copy == nullptr) return;
    if (found.variable->loaded == memory->device) store(*found.variable);
    found.copy->is_newer = found.copy->is_newer || writes;
}

void reset(int device) {
    for (Variable& v : variables()) {
        Copy& copy = v.copy(device);
        if (!is_kept(v) || copy.memory == nullptr) continue;
        if (v.loaded == device) v.place_is_newer = false;
        std::copy(v.initial.begin(), v.initial.end(), bytes_of(copy));
        copy.is_newer = true;
        copy.has_pointer = false;
        copy.touched.clear();
    }
}

const void* by_name(const Lane& lane, const Allocation& symbol, const void* address, unsigned bytes,
                    bool writes, const void* pc) {
    Variable& v = variable_of(symbol);
    Copy& copy = make(v, lane.block->launch->device);
    const auto offset = static_cast<size_t>(static_cast<const char*>(address) - symbol.base);
    note(lane, copy, symbol, offset, bytes, writes ? name_write : name_read, pc);
    return copy.memory->base + offset;
}

void by_pointer(const Lane& lane, const Allocation& memory, const void* address, unsigned bytes, bool writes,
                const void* pc) {
    const Found found = find_copy(memory);
    if (found.copy == nullptr || memory.device != lane.block->launch->device) return;
    note(lane, *found.copy, found.variable->symbol,
         static_cast<size_t>(static_cast<const char*>(address) - memory.base), bytes,
         writes ? pointer_write : pointer_read, pc);
}

}  // namespace simt::device_symbols
