// fault: global-race; line: 9; with: 9
// Two blocks change two bit-fields of one word: each reads and writes the whole of it.
#include "tricky.h"

struct Flags {
    unsigned a : 4, b : 4, c : 24;
};
__global__ void set(Flags* f) {
    f->a = blockIdx.x + 1;
}

int main() {
    Flags* f = zeros<Flags>(1);
    set<<<2, 1>>>(f);
    return verdict(fetch(f, 1)[0].a != 0);
}
