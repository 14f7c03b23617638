// Threads of the computer that help with a launch, one a core, kept from launch to launch.
#pragma once

#include <functional>

namespace simt {

// Runs `job` on this thread and, if `all`, at the same time on one thread for every other core; returns when
// all have returned.
void on_all_cores(bool all, const std::function<void()>& job);

}  // namespace simt
