// What a cudaEvent_t stands for. The caller has the ApiLock for all of this page.
#pragma once

#include <memory>

#include "simt/runtime/work.h"

namespace simt::capture {
struct Point;
}

namespace simt::runtime {

struct Event {
    bool timed = true;
    int device = 0;                                    // that was current when it was made
    queue::OperationPtr recorded{};                    // nullptr: never
    std::shared_ptr<const capture::Point> captured{};  // recorded in a stream that captured
};

// nullptr: no such event.
Event* find_event(cudaEvent_t event);
cudaError_t unknown_event(const std::string& call, Where where);
// As a graph sees it when it is launched; nothing where the event is gone.
queue::OperationPtr recorded_by(cudaEvent_t event);
void note_recorded(cudaEvent_t event, const queue::OperationPtr& operation);

}  // namespace simt::runtime
