// A machine that only writes down what it is told: the hooks of a checked program, one thread after the
// other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace recorder {

enum class Kind : char {
    read = 'r',
    write = 'w',
    volatile_read = 'R',
    volatile_write = 'W',
    range_read = 'p',
    range_write = 'q',
    block = '.',  // a basic block begins
    enter = '(',  // a function: address is the return address in its caller
    leave = ')',
    barrier = 'b',  // size is the line
    bounds = 'B',   // size is the index
    atomic = 'a',
};

struct Event {
    Kind kind;
    unsigned thread;
    size_t size;
    const void* address;
    const void* pc;
};

}  // namespace recorder

extern "C" {
void recorder_clear();
size_t recorder_count();
const recorder::Event* recorder_events();
}
