// What the panel of lesson 04 shows, derived from a run: the requests of one launch, the source lines that made them,
// and what each lane wanted of which sector.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/panels/run_choice.h"
#include "app/panels/warp_accesses.h"

namespace lab::lesson_04_global_memory {

constexpr int lanes = 32;

// An array that the launch may touch.
struct Memory {
    std::string name;
    uint64_t address = 0, bytes = 0;
    unsigned element_bytes = 1;
    int64_t pitch = 0;  // elements from one field to the next; 0: it is not cut into fields

    bool holds(uint64_t at) const { return at >= address && at < address + bytes; }
    bool is_structure() const { return element_bytes == 32; }
};

// The lanes' elements, where each is as far from the last: lane k takes element first + step * k.
struct Progression {
    bool found = false;
    int64_t first = 0, step = 0;
};

struct Request {
    WarpAccess access;
    int memory = -1;  // index into Scene::memories; -1: unknown
    Progression elements;

    int moved() const { return access.sectors * int(sector_bytes); }  // bytes
    int fewest_sectors() const { return (access.used_bytes + int(sector_bytes) - 1) / int(sector_bytes); }
};

// What one kind of access of a source line costs.
struct Cost {
    int64_t requests = 0, sectors = 0, used_bytes = 0;
    size_t first = 0;  // request

    double each() const { return requests == 0 ? 0 : double(sectors) / double(requests); }
};

// A line of the source that loads, stores or both.
struct Site {
    int line = 0;
    Cost load, store;

    int64_t used_percent() const {
        return (load.used_bytes + store.used_bytes) * 100 /
               std::max<int64_t>(1, (load.sectors + store.sectors) * int64_t(sector_bytes));
    }
};

// One launch. Updates (atomics) are left out: they have a panel of their own in lesson 12.
struct Scene {
    std::vector<Memory> memories;
    std::vector<Request> requests;  // by block, warp and step
    std::vector<Site> sites;
};
Scene scene_of(const RunChoice& choice);

// "in[24]", "vx of particle 3", "vx[3]", or an empty text.
std::string name_of(const Scene& scene, uint64_t address);
// What a word of memory is, in a few letters: "vx", or an empty text.
const char* field_at(const Scene& scene, uint64_t address);

// A line of memory with what of it was wanted.
struct MemoryLine {
    uint64_t address = 0;
    bool follows = true;  // directly behind the line before it
    std::array<bool, 4> touched{};
};
std::vector<MemoryLine> lines_of(const Request& request);

// "Lane k takes in[3 + 8 k]."; for other patterns, what lane 0 and the last one take.
std::string sentence_of(const Scene& scene, const Request& request);
// "32 sectors for 128 bytes. Side by side they would be 4."
std::string price_of(const Request& request);

// What the reader's own tries have shown: sectors by element size, offset and stride.
class Measurements {
  public:
    struct Key {
        int bytes = 0;
        int64_t offset = 0, stride = 0;
        auto operator<=>(const Key&) const = default;
    };
    // Notes the first whole-warp load of the ruler's kernel, if the scene has one. False: it has none.
    bool note(const Scene& scene, const std::string& kernel);
    const std::map<Key, int>& all() const { return sectors_; }
    const Key& last() const { return last_; }

  private:
    std::map<Key, int> sectors_;
    Key last_;
};

}  // namespace lab::lesson_04_global_memory
