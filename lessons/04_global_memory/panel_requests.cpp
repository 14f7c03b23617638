#include "lessons/04_global_memory/panel_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lab::lesson_04_global_memory {
namespace {

constexpr size_t most_requests = 100000;
constexpr const char* field_names[] = {"x", "y", "z", "m", "vx", "vy", "vz", "q"};
constexpr const char* long_names[] = {"x", "y", "z", "mass", "vx", "vy", "vz", "charge"};

const Memory* memory_at(const Scene& scene, uint64_t address) {
    for (const Memory& memory : scene.memories)
        if (memory.holds(address)) return &memory;
    return nullptr;
}

std::vector<Memory> memories_of(const Run& run, int case_index) {
    std::vector<Memory> memories;
    for (const Buffer& buffer : run.buffers) {
        if (buffer.case_index != case_index || buffer.space != "global" || buffer.bytes == 0) continue;
        Memory memory{buffer.name, buffer.address, buffer.bytes, std::max(1u, buffer.element_bytes)};
        for (const ArrayValues& array : run.arrays)
            if (array.case_index == case_index && array.name == buffer.name)
                memory.pitch = int64_t(array.columns);
        memories.push_back(memory);
    }
    return memories;
}

Progression progression_of(const WarpAccess& access, const Memory& memory) {
    Progression found;
    int lane_before = -1, count = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        if (!access.has(lane)) continue;
        const int64_t bytes = int64_t(access.address[size_t(lane)] - memory.address);
        if (bytes % memory.element_bytes != 0) return {};
        const int64_t element = bytes / memory.element_bytes;
        if (count == 1) {
            if ((element - found.first) % (lane - lane_before) != 0) return {};
            found.step = (element - found.first) / (lane - lane_before);
        }
        if (count == 0) {
            found.first = element;
            lane_before = lane;
        } else if (element != found.first + found.step * (lane - lane_before)) {
            return {};
        }
        ++count;
    }
    found.first -= found.step * lane_before;
    found.found = count > 1;
    return found;
}

void add_to_site(Scene& scene, const Request& request) {
    const WarpAccess& a = request.access;
    auto site =
        std::find_if(scene.sites.begin(), scene.sites.end(), [&](const Site& s) { return s.line == a.line; });
    if (site == scene.sites.end()) {
        scene.sites.push_back({});
        site = scene.sites.end() - 1;
        site->line = a.line;
    }
    Cost& cost = a.wrote ? site->store : site->load;
    if (cost.requests == 0) cost.first = scene.requests.size();
    ++cost.requests;
    cost.sectors += a.sectors;
    cost.used_bytes += a.used_bytes;
}

std::string term(int64_t first, int64_t step) {
    if (step == 0) return std::to_string(first);
    const std::string product = step == 1 ? "k" : fmt::format("{} k", step);
    return first == 0 ? product : fmt::format("{} + {}", first, product);
}

}  // namespace

Scene scene_of(const RunChoice& choice) {
    Scene scene;
    const Kernel* kernel = choice.kernel();
    if (!kernel || !choice.trace()) return scene;
    scene.memories = memories_of(choice.bundle().run, choice.case_index());
    for (const WarpAccess& access :
         warp_accesses(*choice.trace(), uint32_t(kernel->launch), false, most_requests)) {
        if (access.wrote && access.read) continue;
        Request request;
        request.access = access;
        const uint64_t first = access.address[size_t(__builtin_ctz(std::max(1u, access.mask)))];
        for (size_t m = 0; m < scene.memories.size(); ++m)
            if (scene.memories[m].holds(first)) request.memory = int(m);
        if (request.memory >= 0 && !scene.memories[size_t(request.memory)].is_structure())
            request.elements = progression_of(access, scene.memories[size_t(request.memory)]);
        add_to_site(scene, request);
        scene.requests.push_back(request);
    }
    return scene;
}

const char* field_at(const Scene& scene, uint64_t address) {
    const Memory* memory = memory_at(scene, address);
    return memory && memory->is_structure() ? field_names[(address - memory->address) % 32 / 4] : "";
}

std::string name_of(const Scene& scene, uint64_t address) {
    const Memory* memory = memory_at(scene, address);
    if (!memory) return "";
    const int64_t element = int64_t(address - memory->address) / memory->element_bytes;
    if (memory->is_structure())
        return fmt::format("{} of particle {}", long_names[(address - memory->address) % 32 / 4], element);
    if (memory->pitch > 0 && element / memory->pitch < 8)
        return fmt::format("{}[{}]", long_names[element / memory->pitch], element % memory->pitch);
    return fmt::format("{}[{}]", memory->name, element);
}

std::vector<MemoryLine> lines_of(const Request& request) {
    std::map<uint64_t, MemoryLine> found;
    const WarpAccess& a = request.access;
    for (int lane = 0; lane < lanes; ++lane) {
        if (!a.has(lane)) continue;
        const uint64_t first = a.address[size_t(lane)], last = first + uint64_t(std::max(1, a.bytes)) - 1;
        for (uint64_t sector = first / sector_bytes; sector <= last / sector_bytes; ++sector) {
            MemoryLine& line = found[sector * sector_bytes / line_bytes];
            line.address = sector * sector_bytes / line_bytes * line_bytes;
            line.touched[sector % (line_bytes / sector_bytes)] = true;
        }
    }
    std::vector<MemoryLine> lines;
    for (auto& [number, line] : found) {
        line.follows = lines.empty() || lines.back().address + line_bytes == line.address;
        lines.push_back(line);
    }
    return lines;
}

std::string sentence_of(const Scene& scene, const Request& request) {
    const WarpAccess& a = request.access;
    if (a.mask == 0) return "";
    const std::string verb = a.wrote ? "stores" : "takes";
    if (request.elements.found) {
        const Memory& memory = scene.memories[size_t(request.memory)];
        const Progression& p = request.elements;
        const bool in_field = memory.pitch > 0 && p.first >= 0 && p.first / memory.pitch < 8;
        const std::string name = in_field ? long_names[p.first / memory.pitch] : memory.name;
        return fmt::format("Lane k {} {}[{}], {}.", verb, name,
                           term(in_field ? p.first % memory.pitch : p.first, p.step),
                           plural(a.bytes, "byte", "bytes"));
    }
    const int first = __builtin_ctz(a.mask), last = 31 - __builtin_clz(a.mask);
    std::string text = fmt::format("Lane {} {} {}", first, verb, name_of(scene, a.address[size_t(first)]));
    if (last != first) text += fmt::format(", lane {} {}", last, name_of(scene, a.address[size_t(last)]));
    return text + fmt::format("; {} each.", plural(a.bytes, "byte", "bytes"));
}

std::string price_of(const Request& request) {
    const WarpAccess& a = request.access;
    const std::string text = fmt::format("{} for {} bytes {}", plural(a.sectors, "sector", "sectors"),
                                         a.used_bytes, a.wrote ? "to write" : "wanted");
    if (a.sectors == request.fewest_sectors()) return text + ": as few as there can be.";
    return text + fmt::format(". Side by side it would be {}.", request.fewest_sectors());
}

bool Measurements::note(const Scene& scene, const std::string& kernel) {
    if (kernel.find("read_kernel") == std::string::npos) return false;
    for (const Request& request : scene.requests) {
        const WarpAccess& a = request.access;
        if (a.wrote || a.mask != ~0u || !request.elements.found || a.block != 0) continue;
        last_ = {a.bytes, request.elements.first, request.elements.step};
        sectors_[last_] = a.sectors;
        return true;
    }
    return false;
}

}  // namespace lab::lesson_04_global_memory
