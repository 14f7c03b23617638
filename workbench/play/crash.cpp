// Notes where and why a player crashes, from inside it: signal handlers on a stack of their own. They write
// into the control page, nothing else, and let the signal end the process.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <cstring>
#include <exception>
#include <typeinfo>

#include "simt/include/simt/abi.h"
#include "workbench/play/control.h"

namespace lab::detail {

namespace {

PlayerControl* control_page = nullptr;
const simt::ProgramTables* tables = nullptr;
thread_local uintptr_t stack_low = 0;
alignas(16) char handler_stack[64 << 10];

const simt::SiteEntry* site_at(uintptr_t pc, bool exact) {
    const simt::SiteEntry* nearest = nullptr;
    for (const auto* site = tables->sites_begin; site < tables->sites_end; ++site) {
        const auto address = reinterpret_cast<uintptr_t>(site->return_address);
        if (exact ? address != pc : (address > pc || pc - address > 512)) continue;
        if (!nearest || site->return_address > nearest->return_address) nearest = site;
    }
    return nearest;
}

void put_place(const simt::SiteEntry& site) {
    control_page->line = static_cast<int>(site.line);
    const auto files = static_cast<size_t>(tables->files_end - tables->files_begin);
    if (site.file >= files) return;
    strncpy(control_page->file, tables->files_begin[site.file], sizeof(control_page->file) - 1);
}

// The innermost frame that lies in the learner's program. `exact`: false when the place is a guess, the last access
// before an instruction of the program's own.
struct Walk {
    int depth = 0;
    bool exact = false;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* data) {
    Walk& walk = *static_cast<Walk*>(data);
    int before_instruction = 0;
    const uintptr_t pc = _Unwind_GetIPInfo(context, &before_instruction);
    const auto* site = site_at(pc, before_instruction == 0);
    if (site && site->line > 0) {
        put_place(*site);
        walk.exact = before_instruction == 0;
        return _URC_END_OF_STACK;
    }
    return ++walk.depth > 256 ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// The machine's own handlers, which end a kernel's thread or the process. Ours only looks first.
struct sigaction machine_action[NSIG];

void on_fault(int number, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
    const uintptr_t slack = uintptr_t{2} << 20;
    control_page->fault_address = address;
    control_page->stack_full =
        stack_low != 0 && address > stack_low - slack && address < stack_low + slack / 2;
    note_place();
    if (machine_action[number].sa_flags & SA_SIGINFO)
        machine_action[number].sa_sigaction(number, info, context);
    signal(number, SIG_DFL);
    raise(number);
}

// A loop that was stopped in front of its first access is known by the access that it makes next, not by the one before
// the loop: the program goes on, one instruction at a time, until it calls the machine. A loop without accesses never does,
// and keeps the guess.
constexpr int most_steps = 2000;
int steps_left = 0;

bool step_once(void* context) {
#if defined(__x86_64__)
    constexpr greg_t trap_flag = 0x100;
    auto& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
    const bool more = steps_left-- > 0;
    flags = more ? flags | trap_flag : flags & ~trap_flag;
    return more;
#else
    static_cast<void>(context);
    return false;
#endif
}

[[noreturn]] void end_out_of_time() {
    control_page->out_of_cpu = 1;
    _exit(124);
}

void on_step(int, siginfo_t*, void* context) {
#if defined(__x86_64__)
    const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto* stack = reinterpret_cast<const uintptr_t*>(registers[REG_RSP]);
    if (const auto* site = site_at(*stack, true); site && site->line > 0) {
        put_place(*site);
        end_out_of_time();
    }
#endif
    if (!step_once(context)) end_out_of_time();
}

void on_end(int number, siginfo_t*, void* context) {
    signal(number, SIG_DFL);
    control_page->line = 0;  // an earlier note was of a fault that the machine took care of
    const bool exact = note_place();
    if (number == SIGXCPU) {
        steps_left = most_steps;
        if (!exact && control_page->line != 0 && step_once(context)) return;
        end_out_of_time();
    }
    raise(number);
}

void handle(int number, void (*handler)(int, siginfo_t*, void*), struct sigaction* before) {
    struct sigaction action {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(number, &action, before);
}

[[noreturn]] void on_terminate() {
    const char* what = "";
    try {
        if (const std::exception_ptr current = std::current_exception()) std::rethrow_exception(current);
    } catch (const std::exception& error) {
        what = error.what();
        note_exception(what);
    } catch (...) {
        note_exception("");
    }
    abort();
}

}  // namespace

void note_exception(const char* what) {
    strncpy(control_page->text, what, sizeof(control_page->text) - 1);
    control_page->threw = 1;
}

bool note_place() {
    Walk walk;
    if (tables && control_page->line == 0) _Unwind_Backtrace(visit_frame, &walk);
    return walk.exact;
}

void know_program(void* handle) {
    tables = static_cast<const simt::ProgramTables*>(dlsym(handle, "simt_tables"));
}

void find_stack() {
    pthread_attr_t attributes;
    if (stack_low != 0 || pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* low = nullptr;
    size_t bytes = 0;
    if (pthread_attr_getstack(&attributes, &low, &bytes) == 0) stack_low = reinterpret_cast<uintptr_t>(low);
    pthread_attr_destroy(&attributes);
}

void watch_for_crashes(PlayerControl& control) {
    control_page = &control;
    find_stack();
    stack_t stack{};
    stack.ss_sp = handler_stack;
    stack.ss_size = sizeof(handler_stack);
    sigaltstack(&stack, nullptr);
    for (const int number : {SIGABRT, SIGXCPU}) handle(number, on_end, nullptr);
    handle(SIGTRAP, on_step, nullptr);
    std::set_terminate(on_terminate);
}

void look_before_machine() {
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
        handle(number, on_fault, &machine_action[number]);
}

}  // namespace lab::detail
