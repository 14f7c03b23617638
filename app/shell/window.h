// The real window: GLFW and OpenGL 3. Draws when something happened, and sleeps otherwise.
#pragma once

#include "app/app.h"

namespace lab {

// Runs until the window is closed. Returns the exit code; what is wrong goes to stderr as a sentence.
// first_frame_only: close after the first frame and print how long it took from the start of the process (a
// bench).
int run_window(AppOptions options, bool first_frame_only);

}  // namespace lab
