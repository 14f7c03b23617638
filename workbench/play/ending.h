// How a player ended, in words. Internal to workbench/play.
#pragma once

#include <string_view>
#include <vector>

#include "workbench/play/control.h"

namespace lab::detail {

struct Evidence {
    const PlayerControl& control;
    const PlayerLimits& limits;
    int wait_status;
    bool timed_out, too_much_output;
    bool report_full;  // records were dropped
};

// Fills in ending, reason and place.
void judge(PlayResult& result, const Evidence& evidence);

// simt/trace.h: the region of a session with its header in front. Empty when there are no whole records.
std::vector<char> trace_file(std::string_view records, uint64_t dropped);

}  // namespace lab::detail
