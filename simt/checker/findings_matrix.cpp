// What is wrong with a call of mma.h: lanes that are missing or disagree, and matrices that a GPU cannot load or store.
#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "simt/checker/draft.h"
#include "simt/checker/findings.h"
#include "simt/machine/errors.h"

namespace simt {

using namespace finding;

namespace {

constexpr uintptr_t pointer_alignment = 32;  // CUDA programming guide, warp matrix functions: 256 bits

// The same: 8 of 2 bytes, 4 of 4 bytes. Of others it says nothing; what a lane takes at once is aligned.
unsigned stride_step(unsigned element_bytes) {
    return element_bytes == 2 ? 8 : element_bytes == 8 ? 1 : 4;
}

}  // namespace

void report_partial_warp(const Lane& lane, unsigned present) {
    const Site at = site_of(lane.wait_where);
    fault(lane, error_illegal_instruction);
    write(
        {.kind = "shfl-mask",
         .message =
             fmt::format("{} calls a function of nvcuda::wmma at line {} with {} of the 32 lanes of its "
                         "warp: the others have returned, or the block has no threads for them",
                         name_lane(lane), at.line, std::popcount(present)),
         .fix =
             "All 32 lanes of a warp must make the call: use blocks of whole warps, and let no thread return "
             "before it.",
         .at = at,
         .lane = &lane});
}

void report_two_matrices(const Lane& first, const Lane& other, const matrix::Access& a,
                         const matrix::Access& b) {
    const Site at = site_of(first.wait_where), there = site_of(other.wait_where);
    const auto bytes = static_cast<const char*>(b.pointer) - static_cast<const char*>(a.pointer);
    const std::string difference =
        bytes != 0 ? fmt::format("a pointer {} bytes {}", bytes < 0 ? -bytes : bytes,
                                 bytes < 0 ? "before it" : "after it")
                   : fmt::format("the leading dimension {} in place of {}", b.leading, a.leading);
    write({.kind = "api-misuse",
           .message =
               fmt::format("lanes of one warp call {} at line {} for different matrices: lane {} passes {}, "
                           "compared with lane 0",
                           a.function, at.line, other.lane, difference),
           .fix =
               "Pass the same matrix in all lanes of a warp: compute the pointer from the number of the warp "
               "(threadIdx.x / 32), never from that of the lane. Each lane takes its own part.",
           .at = at,
           .lane = &other,
           .has_other = true,
           .other_action = "waits",
           .other = there});
}

static void report_matrix_pointer(const Lane& lane, const matrix::Access& access) {
    const Site at = site_of(lane.wait_where);
    const auto rest = reinterpret_cast<uintptr_t>(access.pointer) % pointer_alignment;
    fault(lane, error_misaligned);
    write({.kind = "misaligned",
           .message = fmt::format("{} passes {} at line {} an address that is {} bytes past a multiple of {}",
                                  name_lane(lane), access.function, at.line, rest, pointer_alignment),
           .fix = fmt::format(
               "A matrix of a fragment begins at a multiple of {} bytes: every {} numbers of this "
               "type. In shared memory declare the array with __align__({}).",
               pointer_alignment, pointer_alignment / access.element_bytes, pointer_alignment),
           .at = at,
           .lane = &lane,
           .element = element_at(lane, access.pointer)});
}

void report_matrix_in_memory(const Lane& lane, const matrix::Access& access) {
    if (reinterpret_cast<uintptr_t>(access.pointer) % pointer_alignment != 0)
        report_matrix_pointer(lane, access);
    const unsigned step = stride_step(access.element_bytes);
    const bool is_odd = access.leading % step != 0, overlaps = access.leading < access.minors;
    if (!is_odd && (!overlaps || (access.leading == 0 && !access.stores))) return;
    const Site at = site_of(lane.wait_where);
    const std::string what = fmt::format("{} passes {} at line {} the leading dimension {}", name_lane(lane),
                                         access.function, at.line, access.leading);
    Draft d{.kind = "api-misuse",
            .message = fmt::format("{}, which is no multiple of {}", what, step),
            .fix = fmt::format(
                "Between the beginnings of two rows (columns, in mem_col_major) lie a multiple of {} "
                "numbers of this type, 16 bytes: make the matrix wider.",
                step),
            .at = at,
            .lane = &lane};
    if (!is_odd) {
        d.message = fmt::format(
            "{}, but a row of it (a column, in mem_col_major) has {} numbers, so that rows "
            "overlap",
            what, access.minors);
        d.fix =
            "Pass how many numbers lie between the beginnings of two rows of the whole matrix in memory, not "
            "of "
            "the fragment.";
        d.advice = !access.stores;
    }
    write(d);
}

}  // namespace simt
