// Where the lanes of a launch sampled a 2D texture, and what each sample is made of.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/run_choice.h"

namespace lab::lesson_06_constant_texture {

struct Fetch {
    Dim3 thread;  // its x and y in the whole grid
    uint32_t block = 0;
    int warp = 0, lane = 0, line = 0;
    simt::trace::TexturePlace at{};  // in 256ths of a texel

    double x() const { return at.x / 256.0; }
    double y() const { return at.y / 256.0; }
};

// One of the texels that a sample is made of. Column and row as the coordinates say: they may lie beyond the edges.
struct Tap {
    int column = 0, row = 0;
    int weight = 0;  // in 256ths; the weights of a sample add up to 256
};

struct TextureScene {
    int columns = 0, rows = 0;  // 0: not known
    simt::trace::TextureSampling sampling{};
    std::vector<float> texels;   // row by row; empty: the run does not say
    std::vector<Fetch> fetches;  // by thread, row by row
    // Columns and rows that all samples and the picture need, first and last.
    int left = 0, top = 0, right = 0, bottom = 0;

    // Which texel of the picture stands at a place along one dimension; nothing: the border.
    std::optional<int> addressed(int index, int dimension) const;
    std::optional<float> value(int column, int row) const;  // nothing: unknown
    std::vector<Tap> taps(const Fetch& fetch) const;        // without those of no weight
    float lowest = 0, highest = 1;                          // of the texels
};
TextureScene texture_scene_of(const RunChoice& choice);

const char* mode_name(int mode);  // "wrap", ...
// "Linear filter, coordinates from 0 to 1, clamp in x, wrap in y."
std::string sampling_text(const TextureScene& scene);
// "Thread (3, 1) fetches at x = 1.46, y = 0.86."
std::string sentence_of(const Fetch& fetch);
// "texel (0, 1) 140/256", and where it stands beyond the edge, what it is there
std::string tap_text(const Tap& tap, const TextureScene& scene);

}  // namespace lab::lesson_06_constant_texture
