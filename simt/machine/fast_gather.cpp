#include <utility>

#include "simt/machine/fast_block.h"

namespace simt::fast {

bool answer_gathering(Block& b) {
    if (b.gathering.empty()) return false;
    for (const Fiber* f = b.gathering.first; f != nullptr; f = f->next) {
        Warp& warp = b.warps[f->linear / 32];
        if (warp.site == 0 || f->site < warp.site) {
            warp.site = f->site;
            warp.together = 0;
        }
        if (f->site == warp.site) warp.together |= 1u << f->linear % 32;
    }
    FiberList asking = std::exchange(b.gathering, {});
    while (!asking.empty()) {
        Fiber* f = asking.pop();
        const Warp& warp = b.warps[f->linear / 32];
        const bool answered = f->site == warp.site;
        if (answered) f->result = warp.together;
        (answered ? b.ready : b.gathering).push(f);
    }
    for (Warp& warp : b.warps) warp.site = 0;
    return true;
}

}  // namespace simt::fast
