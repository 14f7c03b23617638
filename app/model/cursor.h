// Where the reader points. All panels and the code share one: pointing anywhere highlights everywhere.
#pragma once

#include <cstdint>

namespace lab {

struct Cursor {
    uint64_t run = 0;  // RunBundle::id of the run that the places below are in; 0: any
    int case_index = -1;
    int launch = -1;     // index into that case's launches
    int64_t block = -1;  // linear; -1: nowhere
    int warp = -1, lane = -1;
    int step = -1;
    int line = 0;     // of the learner's file; 0: none
    int buffer = -1;  // index into that case's buffers
    int64_t element = -1;
    bool pinned = false;   // a click holds it until the next click or Escape
    bool pointed = false;  // somebody pointed in this frame; the window clears a cursor that nobody holds

    bool is_in(uint64_t shown_run, int shown_case) const {
        return run == 0 || (run == shown_run && case_index == shown_case);
    }
    bool has_thread() const { return block >= 0 && warp >= 0 && lane >= 0; }
    bool has_element() const { return buffer >= 0 && element >= 0; }
};

}  // namespace lab
