// The child's side of a player: everything that happens between fork and the end of the learner's code.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "workbench/play/control.h"

namespace lab {

namespace detail {

namespace {

struct Ended {};  // thrown by resolve_or_end

PlayerControl* control_of_player = nullptr;
const Machine* machine_of_player = nullptr;
bool exit_is_its_end = false;  // run_player calls exit itself, when main has returned

void set_limit(int resource, uint64_t value) {
    rlimit limit{};
    if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return;
    if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max) limit.rlim_max = value;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

void set_limits(const PlayerLimits& limits) {
    if (limits.sandboxed) set_limit(RLIMIT_DATA, limits.data_bytes);
    set_limit(RLIMIT_FSIZE, limits.file_bytes);
    set_limit(RLIMIT_NOFILE, static_cast<uint64_t>(limits.open_files));
    set_limit(RLIMIT_CORE, 0);
    if (limits.sandboxed &&
        limits.streams ==
            Streams::captured) {  // every core may be busy for the whole time, so this is only a second line
        const long cores = sysconf(_SC_NPROCESSORS_ONLN);
        set_limit(RLIMIT_CPU,
                  static_cast<uint64_t>(limits.seconds + 1) * static_cast<uint64_t>(cores > 0 ? cores : 1));
    }
}

void default_signals() {
    for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

void leave_parent(const PlayerLimits& limits, const Origin& from) {
    if (limits.streams == Streams::captured) setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != from.parent) _exit(125);
    if (limits.streams == Streams::captured) {
        const int nothing = open("/dev/null", O_RDONLY);
        if (nothing >= 0) dup2(nothing, 0);
    }
    if (limits.streams != Streams::ours) {
        dup2(from.output, 1);
        dup2(from.complaints, 2);
        setvbuf(stdout, nullptr, _IOLBF, 0);  // what was printed before a crash is seen
    }
    closefrom(from.first_closed);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

void leave(int status, void*) {
    PlayerControl& control = *control_of_player;
    control.exit_status = status;
    const bool returned = exit_is_its_end && control.phase.load() == static_cast<int>(Phase::returned);
    if (!returned) control.phase = static_cast<int>(Phase::exited);
    machine_of_player->end();
    if (returned) control.phase = static_cast<int>(Phase::closed);
    fflush(nullptr);
    _exit(status);
}

void run_body(const PlayRequest& request, const LoadedProgram& program, PlayerControl& control) {
    try {
        control.returned = request.body(program);
    } catch (const Ended&) {
        _exit(125);
    } catch (const std::exception& error) {
        note_exception(error.what());
        fflush(nullptr);
        _exit(125);
    } catch (...) {
        note_exception("");
        fflush(nullptr);
        _exit(125);
    }
}

}  // namespace

void enter_player(const Machine& machine, const PlayerLimits& limits, PlayerControl& control,
                  const Origin& from) {
    control_of_player = &control;
    machine_of_player = &machine;
    default_signals();
    leave_parent(limits, from);
    set_limits(limits);
    watch_for_crashes(control);
    if (limits.sandboxed) close_sandbox(control, limits);
}

void watch_program() {
    look_before_machine();
    on_exit(leave, nullptr);  // runs before the machine's own exit handler, and after the program's
}

void* load_or_end(const std::string& program, PlayerControl& control) {
    control.phase = static_cast<int>(Phase::loading);
    void* handle = dlopen(program.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        strncpy(control.text, dlerror(), sizeof(control.text) - 1);
        control.missing = 1;
        _exit(125);
    }
    know_program(handle);
    return handle;
}

void play_body(const PlayRequest& request, const LoadedProgram& program, PlayerControl& control) {
    control.phase = static_cast<int>(Phase::running);
    run_body(request, program, control);
    control.phase = static_cast<int>(Phase::returned);
}

void run_player(const Machine& machine, const PlayRequest& request, PlayerControl& control,
                const Origin& from) {
    enter_player(machine, request.limits, control, from);
    machine.begin(&request.session);
    watch_program();
    play_body(request, {load_or_end(request.program, control), machine}, control);
    // Its static destructors are part of the program, and may free or even launch: `leave` ends the session
    // behind them.
    exit_is_its_end = request.limits.may_exit;
    if (exit_is_its_end) exit(control.returned);
    machine.end();
    control.phase = static_cast<int>(Phase::closed);
    fflush(nullptr);
    _exit(0);
}

}  // namespace detail

void* resolve_or_end(const LoadedProgram& program, const char* name) {
    void* function = dlsym(program.handle, name);
    if (function) return function;
    auto& control = *detail::control_of_player;
    snprintf(
        control.text, sizeof(control.text),
        "Your file has no function %s that others can call. Keep its line as it was, extern \"C\" included.",
        name);
    control.missing = 2;
    throw detail::Ended{};
}

}  // namespace lab
