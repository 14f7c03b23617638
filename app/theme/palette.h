// The two palettes. Read and wrote are blue and orange, told apart by every common kind of colour blindness;
// what is wrong is red and also hatched or outlined, never red alone.
#pragma once

#include "app/theme/theme.h"

namespace lab {

constexpr ImU32 rgb(unsigned hex, unsigned alpha = 255) {
    return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, alpha);
}

inline constexpr Palette dark_palette{.background = rgb(0x0f1216),
                                      .surface = rgb(0x161a20),
                                      .raised = rgb(0x1f252d),
                                      .hovered = rgb(0x29313b),
                                      .border = rgb(0x2c343f),
                                      .text = rgb(0xdde3ea),
                                      .dim = rgb(0x98a3b1),
                                      .faint = rgb(0x5f6b7a),
                                      .accent = rgb(0xa292f8),
                                      .accent_soft = rgb(0x2b2747),
                                      .on_accent = rgb(0x14111f),
                                      .good = rgb(0x66c689),
                                      .good_soft = rgb(0x172b22),
                                      .bad = rgb(0xff6b6b),
                                      .bad_soft = rgb(0x371c20),
                                      .warn = rgb(0xe6b450),
                                      .warn_soft = rgb(0x322a18),
                                      .read = rgb(0x58a6ff),
                                      .wrote = rgb(0xff9f43),
                                      .cell = rgb(0x3d4856),
                                      .idle = rgb(0x222831),
                                      .code = rgb(0x11151a),
                                      .syntax = {.plain = rgb(0xd3dae3),
                                                 .keyword = rgb(0xc792ea),
                                                 .type = rgb(0x7fc8f8),
                                                 .cuda = rgb(0x8fd694),
                                                 .function = rgb(0xe5c07b),
                                                 .number = rgb(0xf5a97f),
                                                 .string = rgb(0xa5d6a7),
                                                 .comment = rgb(0x6f7d8c),
                                                 .preprocessor = rgb(0x9aa7d6)}};

inline constexpr Palette light_palette{.background = rgb(0xe9ebef),
                                       .surface = rgb(0xfbfbfa),
                                       .raised = rgb(0xf0f1f3),
                                       .hovered = rgb(0xe3e5ea),
                                       .border = rgb(0xd3d7de),
                                       .text = rgb(0x22272e),
                                       .dim = rgb(0x5b6572),
                                       .faint = rgb(0x96a0ac),
                                       .accent = rgb(0x5b43c9),
                                       .accent_soft = rgb(0xe9e5fb),
                                       .on_accent = rgb(0xffffff),
                                       .good = rgb(0x1f7a43),
                                       .good_soft = rgb(0xe2f3e8),
                                       .bad = rgb(0xc62f38),
                                       .bad_soft = rgb(0xfce6e6),
                                       .warn = rgb(0x8f6200),
                                       .warn_soft = rgb(0xfaf0d7),
                                       .read = rgb(0x1769c9),
                                       .wrote = rgb(0xd9720a),
                                       .cell = rgb(0xb9c1cb),
                                       .idle = rgb(0xe3e6ea),
                                       .code = rgb(0xf4f4f2),
                                       .syntax = {.plain = rgb(0x2b3138),
                                                  .keyword = rgb(0x8527b0),
                                                  .type = rgb(0x0b5fae),
                                                  .cuda = rgb(0x1b7a33),
                                                  .function = rgb(0x8a5a00),
                                                  .number = rgb(0xb4480f),
                                                  .string = rgb(0x2d7a3c),
                                                  .comment = rgb(0x75808c),
                                                  .preprocessor = rgb(0x4a58a0)}};

}  // namespace lab
