// What the picture panel shows, derived from a run: each array of a case as a picture, with what is wrong in it.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/access_index.h"
#include "app/panels/pixel_image.h"
#include "app/theme/theme.h"

namespace lab::lesson_02_grids_2d {

enum class Mark : uint8_t { none, wrong, unwritten, contested };

constexpr unsigned char poison = 0xa5;  // of an output, where nothing was written

struct Picture {
    const ArrayValues* values = nullptr;
    int channels = 1;  // bytes a pixel
    int64_t width = 0, height = 0;
    bool output = false;
    int launch = -1;  // that wrote it, or read it if it is an input; -1: none did
    int buffer = -1;  // in that launch's index
    std::vector<Mark> marks;
    int64_t wrong = 0, unwritten = 0, contested = 0;

    Dim3 block, grid;                           // of that launch; 1 by 1 where there is none
    int64_t columns_shown = 0, rows_shown = 0;  // with the threads that stick out
    ImVec2 at;
    PixelImage image;
    float scale = 0;  // pixels of the screen a pixel
    ThemeKind theme = ThemeKind::dark;

    const AccessIndex* index_in(const std::vector<AccessIndex>& launches) const {
        return launch < 0 ? nullptr : &launches[size_t(launch)];
    }
    int64_t pixels() const { return width * height; }
    unsigned char byte(int64_t pixel, int channel) const {
        const size_t at_byte = size_t(pixel * channels + channel);
        return at_byte < values->got.size() ? static_cast<unsigned char>(values->got[at_byte]) : 0;
    }
    ImU32 colour(int64_t pixel) const {
        const unsigned char first = byte(pixel, 0);
        return channels == 3 ? IM_COL32(first, byte(pixel, 1), byte(pixel, 2), 255)
                             : IM_COL32(first, first, first, 255);
    }
};

// The pictures of one case. launches: one index a launch. traced: the case has a trace. They point into `run`.
std::vector<Picture> pictures_of(const Run& run, int case_index, const std::vector<AccessIndex>& launches,
                                 bool traced);

// The case with the most to see, where all have passed; `otherwise` if none has pictures.
int most_pictures(const Run& run, int otherwise);

}  // namespace lab::lesson_02_grids_2d
