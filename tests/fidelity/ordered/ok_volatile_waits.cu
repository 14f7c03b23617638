// correct
// Each of thirteen threads waits for the one behind it, and says so in another way; without checks, too, they take turns.
#include "ordered.h"

#define LOOK(p) (*(volatile int*)(p))
#define WAIT_FOR(p, v) while (LOOK(p) != (v)) {}
typedef volatile int Flag;
using Shown = volatile unsigned;

struct Mail {
    volatile int full;
    int letter;
};

struct Gate {
    int* word;
    __device__ bool open() const { return *static_cast<volatile int*>(word) != 0; }
    __device__ void wait() const {
        while (!open());
    }
};

template <class T>
__device__ T load(const T* p) {
    return *p;
}

__device__ int look_at(const int* p) {
    return *reinterpret_cast<const volatile int*>(p);
}

__device__ volatile int global_flag;

__global__ void chain(int* w, Flag* second, Shown* third, Mail* mail, const int* fifth) {
    const int t = threadIdx.x;
    if (t == 0) {
        WAIT_FOR(w, 1);
    }
    if (t == 1) {
        while (*second == 0) continue;
        LOOK(w) = 1;
    }
    if (t == 2) {
        do {
        } while (third[0] == 0);
        *second = 1;
    }
    if (t == 3) {
        for (;;) {
            if (mail->full) break;
        }
        *third = 1;
    }
    if (t == 4) {
        while (int v = look_at(fifth)) {
            if (v == 1) break;
        }
        while (look_at(fifth) == 0);
        mail->full = 1;
    }
    if (t == 5) {
        Gate{w + 1}.wait();
        *(volatile int*)fifth = 1;
    }
    if (t == 6) {
        while (global_flag == 0) {
        }
        LOOK(w + 1) = 1;
    }
    if (t == 7) {
        auto& again = *(volatile int*)(w + 2);
        while (true) {
            if (again) break;
        }
        global_flag = 1;
    }
    if (t == 8) {
        auto ready = [&] { return LOOK(w + 3); };
        while (!ready()) {
        }
        LOOK(w + 2) = 1;
    }
    if (t == 9) {
        volatile int* q = w;
        q += 4;
        for (int spins = 0; *q == 0; ++spins) {
        }
        LOOK(w + 3) = 1;
    }
    if (t == 10) {
        while (__ldcv(w + 5) == 0) {
        }
        LOOK(w + 4) = 1;
    }
    if (t == 11) {
        while (load(reinterpret_cast<volatile int*>(w + 6)) == 0) {
        }
        LOOK(w + 5) = 1;
    }
    if (t == 12) LOOK(w + 6) = 1;
}

int main() {
    int* w = zeros<int>(16);
    chain<<<1, 64>>>(w, w + 10, reinterpret_cast<unsigned*>(w + 11), zeros<Mail>(1), w + 12);
    return verdict(fetch(w, 1)[0] == 1);
}
