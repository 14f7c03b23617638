// Colours, spacing and fonts of the window. One theme is active at a time; drawing code asks palette(),
// fonts() and em().
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

namespace lab {

enum class ThemeKind { dark, light };

struct SyntaxColours {
    ImU32 plain, keyword, type, cuda, function, number, string, comment, preprocessor;
};

struct Palette {
    ImU32 background;  // behind everything
    ImU32 surface;     // of a pane
    ImU32 raised;      // cards, buttons
    ImU32 hovered;     // a card or button under the mouse
    ImU32 border;
    ImU32 text, dim, faint;
    ImU32 accent, accent_soft, on_accent;
    ImU32 good, good_soft, bad, bad_soft, warn, warn_soft;
    ImU32 read, wrote;  // what a thread reads and writes, in every panel
    ImU32 cell, idle;   // a thread or element of no special state; one that did nothing
    ImU32 code;         // background of code
    SyntaxColours syntax;
};

enum class Face { text, bold, italic, mono, mono_bold };

const Palette& palette();
ThemeKind theme_kind();

// The size of body text in pixels: every length in the window is a multiple of it.
float em();
inline float em(float factor) {
    return em() * factor;
}

// Looks up the fonts of assets/fonts/README.md's table, with ImGui's built-in font as the last resort. Call
// once, after ImGui::CreateContext.
void load_fonts();

// Merges a font with Chinese, Japanese and Korean characters, once, when a text first needs it.
void need_cjk_font();
bool has_cjk(const std::string& text);

// Sets ImGui's style. scale multiplies every length (1: lines of 18 pixels).
void apply_theme(ThemeKind kind, float scale);

ImFont* font_of(Face face);

// Size and drawing of one line of text. pixels: the font's size. Draws at the top left; returns the advance
// in x.
ImVec2 text_size(Face face, float pixels, std::string_view text);
float draw_text(ImDrawList* list, Face face, float pixels, ImVec2 at, ImU32 colour, std::string_view text);
float ascent_of(Face face, float pixels);

ImU32 with_alpha(ImU32 colour, float alpha);
ImU32 mix(ImU32 a, ImU32 b, float part_of_b);

// Small pictures drawn with lines, so that no font needs to have them. Centre and half the height in pixels.
void draw_tick(ImDrawList* list, ImVec2 centre, float radius, ImU32 colour);
void draw_cross(ImDrawList* list, ImVec2 centre, float radius, ImU32 colour);
void draw_star(ImDrawList* list, ImVec2 centre, float radius, ImU32 colour);
void draw_arrow(ImDrawList* list, ImVec2 centre, float radius, ImU32 colour);

}  // namespace lab
