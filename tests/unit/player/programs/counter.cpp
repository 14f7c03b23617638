// A program with a variable: it counts how often it is called.
#include <cstdio>

namespace {
int calls = 0;
}

extern "C" int count_calls() {
    std::printf("call %d\n", ++calls);
    return calls;
}
