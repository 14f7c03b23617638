#include "simt/host/blocked.h"

#include <signal.h>

#include <chrono>
#include <ctime>
#include <thread>

#include "simt/host/lock.h"
#include "simt/host/queue.h"

namespace simt::queue {
namespace {

constexpr std::chrono::milliseconds period{20};
constexpr int quiet_periods = 5;
constexpr long busy_ns = 1'000'000;  // of the processor, in a period: somebody computes

long long processor_ns() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

void watch() {
    int quiet = 0;
    uint64_t queued = 0;
    long long used = 0;
    for (;;) {
        std::this_thread::sleep_for(period);
        const long long now = processor_ns();
        const bool computes = now - used > busy_ns;
        used = now;
        if (!anything_is_pending) continue;
        const ApiLock lock;
        quiet = computes || operations() != queued || !host_function_is_pending() ? 0 : quiet + 1;
        queued = operations();
        if (quiet < quiet_periods) continue;
        // All of it: the next wait may be for the next function. What waits for a function that another thread runs
        // stays where it is, and that thread needs the lock.
        while (host_function_is_pending() && run_oldest()) continue;
        used = processor_ns();
        quiet = 0;
    }
}

}  // namespace

void watch_for_blocked_host() {
    static const bool is_watched = [] {
        // The program's signals are for its own threads.
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        std::thread(watch).detach();
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return true;
    }();
    (void)is_watched;
}

}  // namespace simt::queue
