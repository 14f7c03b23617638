// The drawings of lesson 06's panel.
#pragma once

#include <optional>

#include "lessons/06_constant_texture/panel_constant.h"
#include "lessons/06_constant_texture/panel_texture.h"

namespace lab::lesson_06_constant_texture {

// Lanes above, the variable's words below, and a line from each lane to the word that it reads; those of `turn` stand out.
// Returns the lane under the mouse, or -1.
int draw_lanes_and_words(const ConstantScene& scene, const ConstantRead& read, int turn, float width);

// A bar for each read of the shown one's warp, as high as the turns that it took. Returns the read to show next.
size_t draw_turns_of_warp(const ConstantScene& scene, size_t shown, float width);

// The texels with their values, those beyond the edges faint, and a point for each sample. Returns the sample under the
// mouse.
std::optional<size_t> draw_grid(const TextureScene& scene, size_t shown, float width, float height);
float grid_height(const TextureScene& scene, float width, float most);

}  // namespace lab::lesson_06_constant_texture
