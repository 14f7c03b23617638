// One panel of one run as a picture, without a display and without a lesson.
#pragma once

#include <string>

#include "app/model/run_bundle.h"
#include "app/shell/headless.h"
#include "app/theme/theme.h"

namespace lab {

struct DrawRequest {
    std::string record;   // a Run's JSON
    std::string picture;  // PNG
    int width = 1280, height = 720;
    ThemeKind theme = ThemeKind::dark;
    float scale = 1;
};

// Returns the exit code; says on stderr what went wrong.
int draw_timeline(const DrawRequest& request);

// Draws the panel over the whole screen. `title`: a line above it.
void draw_panel(Headless& screen, const std::string& panel, const RunBundle& bundle,
                const std::string& title);

}  // namespace lab
