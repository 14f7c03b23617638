// How API functions queue work and wait for it.
#pragma once

#include <optional>

#include "simt/host/lock.h"
#include "simt/host/queue.h"
#include "simt/runtime/errors.h"

namespace simt::runtime {

// While one lives, what API calls of its thread would queue is kept here instead, to become a graph's node.
class Recorder {
  public:
    Recorder();
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;
    static Recorder* current();  // of the calling thread
    std::optional<queue::NewOperation> recorded{};

  private:
    Recorder* outer_;
};
bool may_be_recorded();                 // some calls become nodes
bool is_recorded(cudaStream_t stream);  // a call for this stream does

// A launch for this stream was refused: a capture of it is lost.
void note_refused_launch(cudaStream_t stream);

// nullptr: the handle was never made, or is destroyed. The default streams are always known.
queue::Stream* find_stream(cudaStream_t stream);
cudaError_t unknown_stream(const std::string& call, Where where);

// Queues an operation whose arguments have been checked. `waits`: the host waits until it is done, and the code of
// a kernel that failed before it is returned.
cudaError_t in_stream(cudaStream_t stream, queue::NewOperation operation, bool waits);

// Waits for everything on the current device.
cudaError_t wait_for_device(Where where, const char* call = "cudaDeviceSynchronize");

// Runs all that is queued anywhere, as at the end of a program. The host knows of it.
void finish_everything();

// Runs what is queued on these devices (devices::Set). The host knows of it.
void finish_devices(uint32_t devices);

// The device that the calling thread has chosen.
int current_device();
void choose_device(int device);  // it is there
// cudaErrorInvalidDevice, with advice, where there is no such device.
cudaError_t check_device(const char* call, int device, Where where);
// Its memory, streams and events are gone (cudaDeviceReset).
void forget_device(int device, Where where);
// The driver API's current context follows the runtime's current device. (driver.cpp)
void note_chosen_device(int device);

// An operation of the default stream between the memories of two devices: it begins when all that either was told before
// is done, and what they are told from now on waits for it. (Programming guide, "Peer-to-Peer Memory Copy".)
cudaError_t in_order_of_both(cudaStream_t stream, queue::NewOperation operation);

}  // namespace simt::runtime
