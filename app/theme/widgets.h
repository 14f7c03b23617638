// Small parts that every screen and panel draws alike.
#pragma once

#include <string>
#include <string_view>

#include "app/theme/theme.h"

namespace lab {

// A heading within a panel, with a fainter detail to its right. The second form draws at a place and moves
// nothing.
// room: pixels for both (0: what is left of the window); a detail that does not fit is left out.
void section_title(std::string_view title, std::string_view detail = "", float room = 0);
void section_title_at(ImVec2 at, std::string_view title, std::string_view detail, float room);

// What is shown beside the mouse while it rests on something. begin_hint() false: not now (then no
// end_hint()). above: over the mouse, where what it points at lies below.
bool begin_hint(bool above = false);
void hint_title(std::string_view text);
void hint_text(std::string_view text, ImU32 colour = 0);
void end_hint();

// A button in the accent's colour, for the one thing to do next.
bool primary_button(const char* label, ImVec2 size = {0, 0});

// Plain text, wrapped to `width` (0: what is left), in one face. Advances ImGui's cursor.
void wrapped_text(Face face, float pixels, ImU32 colour, std::string_view text, float width = 0);

}  // namespace lab
