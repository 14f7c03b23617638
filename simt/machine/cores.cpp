#include "simt/machine/cores.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace simt {
namespace {

struct Helpers {
    std::vector<std::thread> threads;
    std::atomic<uint64_t> launch{0};
    std::atomic<unsigned> busy{0};
    const std::function<void()>* job = nullptr;
};

void help(Helpers& helpers) {
    for (uint64_t seen = 0;;) {
        helpers.launch.wait(seen);
        seen = helpers.launch.load();
        (*helpers.job)();
        if (helpers.busy.fetch_sub(1) == 1) helpers.busy.notify_one();
    }
}

}  // namespace

void on_all_cores(bool all, const std::function<void()>& job) {
    static const unsigned others = std::max(1u, std::thread::hardware_concurrency()) - 1;  // it reads files
    if (!all || others == 0) return job();
    static Helpers& helpers = *new Helpers;  // never destroyed: its threads end with the process
    while (helpers.threads.size() < others) {
        helpers.threads.emplace_back([] { help(helpers); });
        helpers.threads.back().detach();
    }
    helpers.job = &job;
    helpers.busy = others;
    ++helpers.launch;
    helpers.launch.notify_all();
    job();
    for (unsigned left = helpers.busy; left != 0; left = helpers.busy) helpers.busy.wait(left);
}

}  // namespace simt
