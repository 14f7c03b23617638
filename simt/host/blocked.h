// Host threads that wait outside of the API for a host function that is queued: on a future, a condition variable, a
// semaphore. On hardware it runs meanwhile, so here somebody must run it.
#pragma once

namespace simt::queue {

// From the first call on a thread of the machine watches. Where host functions are queued, and for a while the process has
// neither queued anything nor computed, it runs what is queued, in the order of the calls.
void watch_for_blocked_host();

}  // namespace simt::queue
