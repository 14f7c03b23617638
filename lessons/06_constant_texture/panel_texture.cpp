#include "lessons/06_constant_texture/panel_texture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tuple>

namespace lab::lesson_06_constant_texture {
namespace {

constexpr size_t most_fetches = 20000;
constexpr int widest = 96;  // texels shown in each direction
enum Mode { wrap, clamp, mirror, border };

void add_fetches(const simt::trace::Access& access, const Kernel& kernel, TextureScene& scene) {
    const simt::trace::RecordHeader& head = access.header;
    for (int lane = 0; lane < 32; ++lane) {
        if ((head.mask >> lane & 1) == 0 || scene.fetches.size() == most_fetches) continue;
        const unsigned in_block = head.warp * 32u + unsigned(lane);
        Fetch fetch;
        fetch.block = head.block;
        fetch.warp = head.warp;
        fetch.lane = lane;
        fetch.line = int(head.line);
        fetch.at = simt::trace::TexturePlace::unpacked(access.address(lane));
        fetch.thread = {head.block % kernel.grid.x * kernel.block.x + in_block % kernel.block.x,
                        head.block / kernel.grid.x % kernel.grid.y * kernel.block.y +
                            in_block / kernel.block.x % kernel.block.y,
                        0};
        scene.fetches.push_back(fetch);
    }
}

// The grader's array of the texture's size: the picture that went into it.
void find_texels(const RunChoice& choice, TextureScene& scene) {
    const auto count = uint64_t(scene.columns) * uint64_t(scene.rows);
    for (const ArrayValues& array : choice.bundle().run.arrays) {
        if (array.case_index != choice.case_index() || array.role != "input" || array.element_bytes != 4 ||
            array.columns != uint64_t(scene.columns) || array.elements() != count || count == 0)
            continue;
        scene.texels.resize(count);
        std::memcpy(scene.texels.data(), array.got.data(), array.got.size());
        scene.lowest = *std::min_element(scene.texels.begin(), scene.texels.end());
        scene.highest = *std::max_element(scene.texels.begin(), scene.texels.end());
        return;
    }
}

void find_extent(TextureScene& scene) {
    scene.right = std::max(0, scene.columns - 1);
    scene.bottom = std::max(0, scene.rows - 1);
    for (const Fetch& fetch : scene.fetches)
        for (const Tap& tap : scene.taps(fetch)) {
            scene.left = std::min(scene.left, std::max(tap.column, -widest / 3));
            scene.top = std::min(scene.top, std::max(tap.row, -widest / 3));
            scene.right = std::max(scene.right, std::min(tap.column, scene.left + widest));
            scene.bottom = std::max(scene.bottom, std::min(tap.row, scene.top + widest));
        }
}

// In 256ths, from the middle of texel 0. With clamp, a place beyond the outermost middles is moved there first.
int position(int at, int mode, int count) {
    const int from_middle = at - 128;
    return mode == clamp ? std::clamp(from_middle, 0, (count - 1) * 256) : from_middle;
}

}  // namespace

std::optional<int> TextureScene::addressed(int index, int dimension) const {
    const int count = dimension == 0 ? columns : rows, mode = sampling.mode[dimension];
    if (count == 0) return {};
    if (index >= 0 && index < count) return index;
    const int in_period = ((index % (2 * count)) + 2 * count) % (2 * count);
    // With coordinates in texels, wrap and mirror are clamp.
    if (mode == clamp || (!sampling.normalized && mode != border)) return std::clamp(index, 0, count - 1);
    if (mode == wrap) return in_period % count;
    if (mode == mirror) return in_period < count ? in_period : 2 * count - 1 - in_period;
    return {};
}

std::optional<float> TextureScene::value(int column, int row) const {
    const auto c = addressed(column, 0), r = addressed(row, 1);
    if (!c || !r) return 0.0f;
    if (texels.empty()) return {};
    return texels[size_t(*r) * size_t(columns) + size_t(*c)];
}

std::vector<Tap> TextureScene::taps(const Fetch& fetch) const {
    if (!sampling.filters) return {{fetch.at.x >> 8, fetch.at.y >> 8, 256}};
    const int x = position(fetch.at.x, sampling.mode[0], columns),
              y = position(fetch.at.y, sampling.mode[1], rows);
    const int a = x & 255, b = y & 255;
    const auto nearest = [](int in_65536ths) { return (in_65536ths + 128) >> 8; };
    const int low = nearest((256 - a) * (256 - b)), high = nearest(a * b);  // as the texture unit rounds them
    std::vector<Tap> taps;
    for (const Tap& tap : {Tap{x >> 8, y >> 8, low},
                           {(x >> 8) + 1, y >> 8, a - high},
                           {x >> 8, (y >> 8) + 1, 256 - a - low},
                           {(x >> 8) + 1, (y >> 8) + 1, high}})
        if (tap.weight != 0) taps.push_back(tap);
    return taps;
}

TextureScene texture_scene_of(const RunChoice& choice) {
    TextureScene scene;
    const Kernel* kernel = choice.kernel();
    const TracePtr trace = choice.trace();
    if (!kernel || !trace) return scene;
    for (const size_t index : trace->of_launch(uint32_t(kernel->launch))) {
        const simt::trace::Access access = trace->at(index);
        if (access.header.space != simt::trace::Space::texture) continue;
        scene.columns = int(access.header.changed & 0xffff);
        scene.rows = int(access.header.changed >> 16);
        scene.sampling = simt::trace::TextureSampling::unpacked(access.header.operation);
        add_fetches(access, *kernel, scene);
    }
    std::stable_sort(scene.fetches.begin(), scene.fetches.end(), [](const Fetch& a, const Fetch& b) {
        return std::tie(a.thread.y, a.thread.x) < std::tie(b.thread.y, b.thread.x);
    });
    find_texels(choice, scene);
    find_extent(scene);
    return scene;
}

const char* mode_name(int mode) {
    constexpr const char* names[] = {"wrap", "clamp", "mirror", "border"};
    return names[mode & 3];
}

std::string sampling_text(const TextureScene& scene) {
    const auto& s = scene.sampling;
    const std::string modes =
        s.mode[0] == s.mode[1] ? fmt::format("{} beyond the edges", mode_name(s.mode[0]))
                               : fmt::format("{} in x, {} in y", mode_name(s.mode[0]), mode_name(s.mode[1]));
    return fmt::format("{}, coordinates {}, {}.", s.filters ? "Linear filter" : "Nearest texel, no filter",
                       s.normalized ? "from 0 to 1" : "in texels", modes);
}

std::string sentence_of(const Fetch& fetch) {
    return fmt::format("Thread ({}, {}) fetches at x = {:.2f}, y = {:.2f} texels.", fetch.thread.x,
                       fetch.thread.y, fetch.x(), fetch.y());
}

std::string tap_text(const Tap& tap, const TextureScene& scene) {
    const auto c = scene.addressed(tap.column, 0), r = scene.addressed(tap.row, 1);
    const bool inside = c == tap.column && r == tap.row;
    const std::string texel = !c || !r ? "the border" : fmt::format("texel ({}, {})", *c, *r);
    const auto value = scene.value(tap.column, tap.row);
    return fmt::format("{}/256 of {}{}{}", tap.weight, texel, value ? fmt::format(" = {:g}", *value) : "",
                       inside ? "" : fmt::format(", at ({}, {})", tap.column, tap.row));
}

}  // namespace lab::lesson_06_constant_texture
