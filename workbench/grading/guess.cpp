// Why are these elements wrong? The launches and the pattern of what is wrong often tell: a grid that was
// rounded down, a local index, a guard that is off by one. A guess is only made when the numbers fit it
// exactly.
#include <fmt/format.h>

#include "workbench/grading/trial.h"

namespace lab {

namespace {

size_t threads_in(const Dim3& d) {
    return size_t{d.x} * d.y * d.z;
}

// The one launch that was accepted; nullptr when there is none or more than one.
const Kernel* only_launch(const std::vector<Kernel>& launches) {
    const Kernel* only = nullptr;
    for (const Kernel& launch : launches) {
        if (launch.status == "refused") continue;
        if (only) return nullptr;
        only = &launch;
    }
    return only;
}

bool has_hole(const WrongElements& e, size_t first, size_t last) {
    return e.unwritten == last - first + 1 && e.first_unwritten == first && e.last_unwritten == last;
}

Failure because(const std::string& cause, const std::string& next) {
    return {"", cause, next};
}

Failure grid_too_small(const Kernel& launch, const WrongElements& e) {
    const size_t block = threads_in(launch.block), blocks = threads_in(launch.grid), covered = block * blocks;
    const std::string fact = fmt::format("Your grid covers {} of {} elements", covered, e.count);
    if (blocks == e.count / block && blocks > 0) {
        return because(fmt::format("{}: {} / {} rounds down to {} block{}.", fact, e.count, block, blocks,
                                   blocks == 1 ? "" : "s"),
                       "Round up: (n + block - 1) / block.");
    }
    return because(fmt::format("{}: {} block{} of {} threads.", fact, blocks, blocks == 1 ? "" : "s", block),
                   fmt::format("Launch enough blocks for every element: {} elements need {} blocks of {}.",
                               e.count, (e.count + block - 1) / block, block));
}

// Elements that no thread reached, although the launch has a thread for each.
Failure hole_in_the_index(const Kernel& launch, const WrongElements& e) {
    const size_t block = threads_in(launch.block), blocks = threads_in(launch.grid);
    if (blocks > 1 && has_hole(e, block, e.count - 1)) {
        return because(
            fmt::format("Only the first {} elements were written, one block's worth, though {} blocks ran: "
                        "do they all use the "
                        "same index?",
                        block, blocks == 2 ? "both" : fmt::format("all {}", blocks)),
            "threadIdx.x starts at 0 in every block. Add where the block begins: blockIdx.x * blockDim.x.");
    }
    if (has_hole(e, 0, 0)) {
        return because(
            "The first element is missing: counting starts at 0, so the first thread's element is 0.",
            "Look at the index of the thread with blockIdx.x = 0 and threadIdx.x = 0.");
    }
    if (has_hole(e, e.count - 1, e.count - 1)) {
        return because(
            fmt::format("Only the last element is missing: the guard stops the thread with index {}.",
                        e.count - 1),
            "The guard should let every index below n through: i < n.");
    }
    if (e.count % block != 0 && has_hole(e, e.count / block * block, e.count - 1)) {
        return because("The elements of the last block are missing, the one that is only partly needed.",
                       "Guard each thread by its own element, not the block as a whole.");
    }
    return because(
        fmt::format("The launch has {} threads for {} elements, so it is large enough: the index "
                    "or the guard leaves these out.",
                    block * blocks, e.count),
        blocks > 1
            ? "Work out by hand which element the first thread of the second block takes."
            : "Work out by hand which thread should take the first of them, and what it does instead.");
}

template <class F>
bool all_wrong(const WrongElements& e, const std::function<bool(size_t)>& is_wrong, F fits) {
    for (size_t i = e.first; i <= e.last; ++i) {
        if (is_wrong(i) && !fits(i)) return false;
    }
    return true;
}

}  // namespace

Failure guess_cause(const std::vector<Kernel>& launches, const WrongElements& e, const std::string& array,
                    const std::function<bool(size_t, size_t)>& equals_expected_at,
                    const std::function<bool(size_t)>& is_wrong) {
    if (launches.empty())
        return because("Your function launched no kernel.",
                       "Launch one: kernel<<<blocks, threads_per_block>>>(arguments);");
    const Kernel* launch = only_launch(launches);
    if (!launch) {
        for (const Kernel& refused : launches) {
            if (refused.status == "refused")
                return because(fmt::format("CUDA refused the launch of {}: {}.", refused.name, refused.error),
                               "");
        }
        return {};
    }
    const size_t block = threads_in(launch->block), threads = block * threads_in(launch->grid);
    if (block == 0) return {};
    if (e.unwritten == e.count) {
        return because(fmt::format("The kernel ran {} thread{}, and none of them wrote to this array.",
                                   threads, threads == 1 ? "" : "s"),
                       "In the kernel, let each thread write its own element.");
    }
    if (threads < e.count && has_hole(e, threads, e.count - 1)) return grid_too_small(*launch, e);
    if (e.unwritten != 0 && e.unwritten == e.wrong && threads >= e.count)
        return hole_in_the_index(*launch, e);
    if (e.unwritten != 0 || e.wrong < 2) return {};
    if (all_wrong(e, is_wrong, [&](size_t i) { return equals_expected_at(i, i % block); })) {
        return because(
            fmt::format("{0}[{1}] holds what belongs into {0}[{2}]: the value comes from the index in the "
                        "block, not in the grid.",
                        array, e.first, e.first % block),
            "Use the same i for the value as for the place: blockIdx.x * blockDim.x + threadIdx.x.");
    }
    for (const int shift : {1, -1}) {
        const auto neighbour = [&](size_t i) {
            return i + static_cast<size_t>(static_cast<ptrdiff_t>(shift));
        };
        if (all_wrong(e, is_wrong, [&](size_t i) {
                return neighbour(i) < e.count && equals_expected_at(i, neighbour(i));
            })) {
            return because(
                fmt::format("{0}[{1}] holds what belongs into {0}[{2}]: everything is shifted by one.", array,
                            e.first, neighbour(e.first)),
                "Look for a + 1 or a - 1 in the index.");
        }
    }
    return {};
}

}  // namespace lab
