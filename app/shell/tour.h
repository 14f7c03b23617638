// Every lesson and every panel as PNG, without a display.
#pragma once

#include <string>

#include "app/app.h"

namespace lab {

struct TourRequest {
    std::string folder;  // made if it is not there
    int width = 1280, height = 720;
    bool json = false;  // print the list of pictures as JSON
    std::string
        beats;  // the slug of a lesson: its beats go to a PDF file called `folder`, and nothing else is drawn
};

// Returns the exit code. Nothing is recorded in the learner's progress.
int run_tour(AppOptions options, const TourRequest& request);

}  // namespace lab
