#include "lessons/06_constant_texture/panel_constant.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace lab::lesson_06_constant_texture {
namespace {

constexpr size_t most_reads = 100000;
constexpr uint64_t word_bytes = 4;

const Buffer* variable_at(const RunChoice& choice, uint64_t address) {
    for (const Buffer& buffer : choice.bundle().run.buffers)
        if (buffer.space == "constant" && buffer.case_index == choice.case_index() &&
            address >= buffer.address && address < buffer.address + buffer.bytes)
            return &buffer;
    return nullptr;
}

ConstantRead read_of(const simt::trace::Access& access, uint64_t base) {
    ConstantRead read;
    read.block = access.header.block;
    read.warp = access.header.warp;
    read.line = int(access.header.line);
    read.word.fill(-1);
    for (int lane = 0; lane < lanes; ++lane) {
        if ((access.header.mask >> lane & 1) == 0) continue;
        const int word = int((access.address(lane) - base) / word_bytes);
        read.word[size_t(lane)] = word;
        if (std::find(read.turns.begin(), read.turns.end(), word) == read.turns.end())
            read.turns.push_back(word);
    }
    return read;
}

}  // namespace

int ConstantRead::served(int turn) const {
    return int(std::count(word.begin(), word.end(), turns[size_t(turn)]));
}

int ConstantRead::readers() const {
    return lanes - int(std::count(word.begin(), word.end(), -1));
}

ConstantScene constant_scene_of(const RunChoice& choice) {
    ConstantScene scene;
    const Kernel* kernel = choice.kernel();
    const TracePtr trace = choice.trace();
    if (!kernel || !trace) return scene;
    std::vector<simt::trace::Access> found;
    for (const size_t index : trace->of_launch(uint32_t(kernel->launch))) {
        const simt::trace::Access access = trace->at(index);
        if (access.header.space == simt::trace::Space::constant && access.header.mask != 0 &&
            found.size() < most_reads)
            found.push_back(access);
    }
    if (found.empty()) return scene;
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::tie(a.header.block, a.header.warp, a.header.step) <
               std::tie(b.header.block, b.header.warp, b.header.step);
    });
    const uint64_t first = found.front().address(__builtin_ctz(found.front().header.mask));
    const Buffer* variable = variable_at(choice, first);
    scene.variable = variable ? variable->name : "a constant";
    for (const auto& access : found)
        scene.reads.push_back(read_of(access, variable ? variable->address : first));
    for (const ConstantRead& read : scene.reads)
        scene.words = std::max(scene.words, *std::max_element(read.word.begin(), read.word.end()) + 1);
    return scene;
}

std::string sentence_of(const ConstantRead& read, const ConstantScene& scene, const std::string& block) {
    const auto turns = int64_t(read.turns.size());
    const std::string what =
        turns == 1 ? fmt::format("{}[{}]", scene.variable, read.turns.front()) : scene.variable;
    return fmt::format("Warp {} of block {} reads {} at line {}: {}, {}, {}.", read.warp, block, what,
                       read.line, plural(read.readers(), "lane", "lanes"),
                       turns == 1 ? "one address" : fmt::format("{} addresses", turns),
                       plural(turns, "turn", "turns"));
}

}  // namespace lab::lesson_06_constant_texture
