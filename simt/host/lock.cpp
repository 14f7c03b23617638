#include "simt/host/lock.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace simt {
namespace {

// Never destroyed: an exit handler still takes it.
std::mutex& mutex = *new std::mutex;
std::condition_variable& changed = *new std::condition_variable;
thread_local int depth = 0;

}  // namespace

ApiLock::ApiLock() {
    if (depth++ == 0) mutex.lock();
}
ApiLock::~ApiLock() {
    if (--depth == 0) mutex.unlock();
}

ApiUnlock::ApiUnlock() : depth_(std::exchange(depth, 0)) {
    mutex.unlock();
}
ApiUnlock::~ApiUnlock() {
    mutex.lock();
    depth = depth_;
}

void wait_for_others() {
    const int mine = std::exchange(depth, 0);
    std::unique_lock lock(mutex, std::adopt_lock);
    changed.wait(lock);
    lock.release();
    depth = mine;
}

void wake_others() {
    changed.notify_all();
}

}  // namespace simt
