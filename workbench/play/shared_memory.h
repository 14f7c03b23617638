// What a player and its parent share: the control page, the report and the trace. Internal to workbench/play.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workbench/play/control.h"

namespace lab::detail {

// Zero-filled, at one address on both sides of a fork, and committed only where it is touched.
class SharedMemory {
  public:
    // 0 bytes: none. Throws std::runtime_error with a sentence.
    explicit SharedMemory(size_t bytes);
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    char* data() const { return data_; }
    size_t size() const { return bytes_; }

  private:
    char* data_ = nullptr;
    size_t bytes_;
};

struct Counters {
    volatile uint64_t report_used, report_dropped, trace_used, trace_dropped;
};

struct ControlPage {
    PlayerControl control;
    Counters counters;
    void begin();  // as a player finds it
};

// Points a session's regions at shared memory.
void attach(simt_session_options& session, Counters& counters, const SharedMemory& report,
            const SharedMemory& trace);

// What the player has left there, as far as it can be read. How it ended is for `judge` to say.
PlayResult read_back(const PlayerControl& control, const Counters& counters, const SharedMemory& report,
                     const SharedMemory& trace);

}  // namespace lab::detail
