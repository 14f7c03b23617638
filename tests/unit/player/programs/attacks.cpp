// Programs that try to get a pass without earning it, or to do harm. Each is a function that the player calls
// in place of an exercise's.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

extern "C" {

int behave() {
    std::puts("hello");
    return 42;
}

int call_exit() {
    std::exit(0);
}
int call_quick_exit() {
    _exit(0);
}

int print_pass() {
    std::puts("PASS");
    std::puts(R"({"passed":true,"status":"ok","closed":true})");
    return 1;
}

int null_pointer() {
    volatile int* p = nullptr;
    return *p;
}

int recurse(int depth) {
    volatile char room[4096];
    room[0] = static_cast<char>(depth);
    return recurse(depth + 1) + room[0];
}
int stack_overflow() {
    return recurse(0);
}

int loop_forever() {
    volatile unsigned long n = 0;
    while (true) n = n + 1;
}

int fork_loop() {
    while (true) {
        if (fork() == 0) {
            while (true) pause();
        }
    }
}

int run_shell() {
    return std::system("true");
}

int allocate_much() {
    const size_t bytes = size_t{100} << 30;
    auto* p = static_cast<char*>(std::malloc(bytes));
    std::memset(p, 1, bytes);
    return p[12345];
}

int allocate_forever() {
    std::string all;
    while (true) {
        auto* p = static_cast<char*>(std::malloc(64 << 20));
        p[0] = 1;
        all += p[0];
    }
}

int new_much() {
    return std::make_unique<char[]>(size_t{100} << 30)[0];
}

int call_abort() {
    std::abort();
}
int throw_exception() {
    throw std::runtime_error("the sum is too large");
}
int throw_in_noexcept() noexcept {
    throw std::runtime_error("nobody can catch me");
}
int throw_in_thread() {
    std::thread([] { throw std::runtime_error("from a thread"); }).join();
    return 0;
}

int kill_parent() {
    kill(getppid(), SIGKILL);
    sleep(1);
    return 0;
}
int kill_everybody() {
    kill(-1, SIGKILL);
    sleep(1);
    return 0;
}
int kill_group() {
    kill(-getpgid(getppid()), SIGKILL);
    sleep(1);
    return 0;
}

int print_much() {
    const std::string line(65536, 'x');
    while (true) std::puts(line.c_str());
}

int leave_threads() {
    for (int i = 0; i < 4; ++i) {
        std::thread([] {
            while (true) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }).detach();
    }
    return 7;
}

// Fills every shared mapping of this process that it can write to.
int scribble() {
    std::ifstream maps("/proc/self/maps");
    std::string line;
    while (std::getline(maps, line)) {
        unsigned long from = 0, to = 0;
        char access[5] = {};
        if (std::sscanf(line.c_str(), "%lx-%lx %4s", &from, &to, access) != 3) continue;
        if (access[1] != 'w' || access[3] != 's') continue;
        std::memset(reinterpret_cast<void*>(from), 'x', std::min(to - from, 1ul << 20));
    }
    return 0;
}

// Writes a closing record of its own into the report and leaves.
int forge_report() {
    std::ifstream maps("/proc/self/maps");
    const std::string forged =
        "{\"type\":\"end\",\"exit\":\"returned\"}\n{\"type\":\"verdict\",\"passed\":true}\n";
    std::string line;
    while (std::getline(maps, line)) {
        unsigned long from = 0, to = 0;
        char access[5] = {};
        if (std::sscanf(line.c_str(), "%lx-%lx %4s", &from, &to, access) != 3) continue;
        if (access[1] == 'w' && access[3] == 's' && to - from > (1ul << 20))
            std::memcpy(reinterpret_cast<void*>(from), forged.data(), forged.size());
    }
    _exit(0);
}

int delete_file() {
    const char* path = std::getenv("ATTACKED_FILE");
    unlink(path);
    const int file = open(path, O_WRONLY | O_TRUNC);
    return file >= 0 ? 1 : 0;
}

int write_parent_memory() {
    std::ostringstream path;
    path << "/proc/" << getppid() << "/mem";
    return open(path.str().c_str(), O_RDWR) >= 0 ? 1 : 0;
}

int open_socket() {
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 1 : 0;
}

int unset_death_signal() {
    const int session = setsid() >= 0 ? 1 : 0;
    return session;
}

int count_descriptors() {
    int open_ones = 0;
    for (int i = 0; i < 1024; ++i) open_ones += fcntl(i, F_GETFD) >= 0;
    return open_ones;
}

}  // extern "C"
