// One host thread at a time is inside the machine: the API's functions take this lock, and keep it while they run
// what is queued. It may be taken again by who has it.
#pragma once

namespace simt {

class ApiLock {
  public:
    ApiLock();
    ~ApiLock();
    ApiLock(const ApiLock&) = delete;
    ApiLock& operator=(const ApiLock&) = delete;
};

// Leaves the machine for the life of this object, while the program's own code runs (host functions): other
// threads may come in.
class ApiUnlock {
  public:
    ApiUnlock();
    ~ApiUnlock();
    ApiUnlock(const ApiUnlock&) = delete;
    ApiUnlock& operator=(const ApiUnlock&) = delete;

  private:
    int depth_;
};

// Lets others in until one of them calls wake_others.
void wait_for_others();
void wake_others();

}  // namespace simt
