// Why a write of one block did not reach a read of another one: which step of a hand-over is missing.
#pragma once

#include <string>

#include "simt/checker/findings.h"

namespace simt {

// `cause` ends the sentence of a race, `fix` says what to do. Both empty: nothing of a hand-over was tried.
struct MissingStep {
    std::string cause, fix;
};

// Of a race between two blocks in which one side reads. `lane` makes the later access.
MissingStep missing_step(const Lane& lane, const RaceSeen& seen);

}  // namespace simt
