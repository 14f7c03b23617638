// What a player may not do, as a seccomp filter. Everything else is allowed: the filter closes the ways out
// of the process, it does not describe what a CUDA program may call.
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>

#include "workbench/play/control.h"

#ifdef CUDALAB_HAVE_SECCOMP
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ucontext.h>
#include <unistd.h>

#include <cerrno>
#endif

namespace lab::detail {

namespace {

// `ends`: the attempt ends the player. Otherwise the call fails with `error`, and the player goes on.
struct Denied {
    int call;
    const char* purpose;
    bool ends;
};

#define LAB_DENIED(name, purpose, ends) \
    { SYS_##name, purpose, ends }
constexpr const char* kProcess = "start another process";
constexpr const char* kSignal = "send a signal to another process";
constexpr const char* kForeign = "look into another process";
constexpr const char* kSystem = "change the system";
constexpr const char* kWrite = "write, move or delete a file";
constexpr const char* kNetwork = "open a network connection";
constexpr const char* kLimits = "change the limits that it runs under";
constexpr const char* kMemory = "take more memory than it may have";

constexpr Denied kDenied[] = {
#ifdef SYS_fork
    LAB_DENIED(fork, kProcess, true),
#endif
#ifdef SYS_vfork
    LAB_DENIED(vfork, kProcess, true),
#endif
    LAB_DENIED(clone, kProcess, true),
    LAB_DENIED(execve, kProcess, true),
    LAB_DENIED(execveat, kProcess, true),
    LAB_DENIED(kill, kSignal, true),
    LAB_DENIED(tkill, kSignal, true),
    LAB_DENIED(tgkill, kSignal, true),
    LAB_DENIED(rt_sigqueueinfo, kSignal, true),
    LAB_DENIED(rt_tgsigqueueinfo, kSignal, true),
#ifdef SYS_pidfd_open
    LAB_DENIED(pidfd_open, kForeign, true),
#endif
#ifdef SYS_pidfd_send_signal
    LAB_DENIED(pidfd_send_signal, kSignal, true),
#endif
#ifdef SYS_pidfd_getfd
    LAB_DENIED(pidfd_getfd, kForeign, true),
#endif
    LAB_DENIED(ptrace, kForeign, true),
    LAB_DENIED(process_vm_readv, kForeign, true),
    LAB_DENIED(process_vm_writev, kForeign, true),
    LAB_DENIED(kcmp, kForeign, true),
    LAB_DENIED(setns, kSystem, true),
    LAB_DENIED(unshare, kSystem, true),
    LAB_DENIED(mount, kSystem, true),
    LAB_DENIED(umount2, kSystem, true),
    LAB_DENIED(pivot_root, kSystem, true),
    LAB_DENIED(chroot, kSystem, true),
    LAB_DENIED(reboot, kSystem, true),
    LAB_DENIED(kexec_load, kSystem, true),
    LAB_DENIED(init_module, kSystem, true),
    LAB_DENIED(finit_module, kSystem, true),
    LAB_DENIED(delete_module, kSystem, true),
    LAB_DENIED(swapon, kSystem, true),
    LAB_DENIED(swapoff, kSystem, true),
    LAB_DENIED(settimeofday, kSystem, true),
    LAB_DENIED(clock_settime, kSystem, true),
    LAB_DENIED(sethostname, kSystem, true),
    LAB_DENIED(bpf, kSystem, true),
    LAB_DENIED(perf_event_open, kSystem, true),
    LAB_DENIED(open_by_handle_at, kSystem, true),
    LAB_DENIED(ioctl, kSystem, true),  // only TIOCSTI: typing into the terminal
#ifdef SYS_io_uring_setup
    LAB_DENIED(io_uring_setup, kSystem, true),
#endif
    LAB_DENIED(socket, kNetwork, false),
    LAB_DENIED(prlimit64, kLimits, false),
    LAB_DENIED(setrlimit, kLimits, false),
    LAB_DENIED(prctl, kLimits, false),
    LAB_DENIED(setpgid, kLimits, false),
    LAB_DENIED(setsid, kLimits, false),
    LAB_DENIED(mmap, kMemory, false),
    LAB_DENIED(mremap, kMemory, false),
#ifdef SYS_open
    LAB_DENIED(open, kWrite, false),
#endif
#ifdef SYS_creat
    LAB_DENIED(creat, kWrite, false),
#endif
    LAB_DENIED(openat, kWrite, false),
#ifdef SYS_unlink
    LAB_DENIED(unlink, kWrite, false),
    LAB_DENIED(rmdir, kWrite, false),
    LAB_DENIED(mkdir, kWrite, false),
    LAB_DENIED(rename, kWrite, false),
    LAB_DENIED(link, kWrite, false),
    LAB_DENIED(symlink, kWrite, false),
    LAB_DENIED(chmod, kWrite, false),
    LAB_DENIED(chown, kWrite, false),
    LAB_DENIED(lchown, kWrite, false),
    LAB_DENIED(mknod, kWrite, false),
#endif
    LAB_DENIED(unlinkat, kWrite, false),
    LAB_DENIED(mkdirat, kWrite, false),
    LAB_DENIED(renameat, kWrite, false),
    LAB_DENIED(renameat2, kWrite, false),
    LAB_DENIED(linkat, kWrite, false),
    LAB_DENIED(symlinkat, kWrite, false),
    LAB_DENIED(fchmodat, kWrite, false),
    LAB_DENIED(fchownat, kWrite, false),
    LAB_DENIED(mknodat, kWrite, false),
    LAB_DENIED(truncate, kWrite, false),
    LAB_DENIED(fchmod, kWrite, false),
    LAB_DENIED(fchown, kWrite, false),
};
#undef LAB_DENIED

const Denied* find(int call) {
    for (const Denied& denied : kDenied) {
        if (denied.call == call) return &denied;
    }
    return nullptr;
}

#ifdef CUDALAB_HAVE_SECCOMP

PlayerControl* watched = nullptr;

// Where the refused call's result goes. False: this processor is not known here.
bool set_result(void* context, long value) {
    auto* machine_context = &static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    machine_context->gregs[REG_RAX] = value;
    return true;
#elif defined(__aarch64__)
    machine_context->regs[0] = static_cast<unsigned long long>(value);
    return true;
#else
    (void)machine_context, (void)value;
    return false;
#endif
}

// mmap and mremap carry the size that was asked for in their second and third argument.
uint64_t asked_bytes(void* context, int call) {
    auto* machine_context = &static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return static_cast<uint64_t>(machine_context->gregs[call == SYS_mremap ? REG_RDX : REG_RSI]);
#elif defined(__aarch64__)
    return machine_context->regs[call == SYS_mremap ? 2 : 1];
#else
    (void)machine_context, (void)call;
    return 0;
#endif
}

void on_denied_call(int, siginfo_t* info, void* context) {
    const int call = info->si_syscall;
    const Denied* denied = find(call);
    if (!denied || denied->ends) {
        watched->forbidden = call;
        note_place();
        _exit(126);
    }
    const bool memory = call == SYS_mmap || call == SYS_mremap;
    if (memory) watched->asked_bytes = asked_bytes(context, call);
    if (!memory && denied->purpose == kWrite) watched->refused = call;
    if (!set_result(context, memory ? -ENOMEM : denied->purpose == kWrite ? -EACCES : -EPERM)) _exit(126);
}

class Filter {
  public:
    Filter() : context_(seccomp_init(SCMP_ACT_ALLOW)) {}
    ~Filter() {
        if (context_) seccomp_release(context_);
    }
    Filter(const Filter&) = delete;
    Filter& operator=(const Filter&) = delete;

    template <class... Conditions>
    void trap(int call, Conditions... conditions) {
        if (context_) seccomp_rule_add(context_, SCMP_ACT_TRAP, call, sizeof...(conditions), conditions...);
    }
    // A call that the C library falls back from.
    void unknown(int call) {
        if (context_) seccomp_rule_add(context_, SCMP_ACT_ERRNO(ENOSYS), call, 0);
    }
    bool load() { return context_ && seccomp_load(context_) == 0; }

  private:
    scmp_filter_ctx context_;
};

void deny_writing(Filter& filter, int call, unsigned flags_argument) {
    const auto flags = [&](unsigned mask, unsigned value) {
        return scmp_arg_cmp{flags_argument, SCMP_CMP_MASKED_EQ, mask, value};
    };
    filter.trap(call, flags(O_ACCMODE, O_WRONLY));
    filter.trap(call, flags(O_ACCMODE, O_RDWR));
    filter.trap(call, flags(O_CREAT, O_CREAT));
    filter.trap(call, flags(O_TRUNC, O_TRUNC));
}

scmp_arg_cmp argument(unsigned number, scmp_compare op, scmp_datum_t a, scmp_datum_t b = 0) {
    return {number, op, a, b};
}

void deny_with_conditions(Filter& filter, const PlayerLimits& limits) {
    const auto self = static_cast<scmp_datum_t>(getpid());
    filter.trap(SYS_clone, argument(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    for (const int call : {SYS_kill, SYS_tgkill, SYS_rt_tgsigqueueinfo})
        filter.trap(call, argument(0, SCMP_CMP_NE, self));
    filter.trap(SYS_prlimit64, argument(2, SCMP_CMP_NE, 0));
    filter.trap(SYS_prctl, argument(0, SCMP_CMP_EQ, PR_SET_PDEATHSIG));
    filter.trap(SYS_ioctl, argument(1, SCMP_CMP_EQ, TIOCSTI));
    // malloc's own kind of mapping; the machine's reservations are shared ones.
    filter.trap(SYS_mmap, argument(1, SCMP_CMP_GT, limits.data_bytes),
                argument(3, SCMP_CMP_EQ, MAP_PRIVATE | MAP_ANONYMOUS));
    filter.trap(SYS_mremap, argument(1, SCMP_CMP_NE, 0), argument(2, SCMP_CMP_GT, limits.data_bytes));
    if (limits.may_write_files) return;
#ifdef SYS_open
    deny_writing(filter, SYS_open, 1);
#endif
    deny_writing(filter, SYS_openat, 2);
}

bool has_conditions(int call) {
    for (const int conditional : {SYS_clone, SYS_kill, SYS_tgkill, SYS_rt_tgsigqueueinfo, SYS_prlimit64,
                                  SYS_prctl, SYS_ioctl, SYS_mmap, SYS_mremap, SYS_openat}) {
        if (call == conditional) return true;
    }
#ifdef SYS_open
    if (call == SYS_open) return true;
#endif
    return false;
}

#endif  // CUDALAB_HAVE_SECCOMP

}  // namespace

const char* purpose_of(int call) {
    const Denied* denied = find(call);
    return denied ? denied->purpose : "make a system call that is closed to it";
}

#ifdef CUDALAB_HAVE_SECCOMP

bool close_sandbox(PlayerControl& control, const PlayerLimits& limits) {
    watched = &control;
    struct sigaction action {};
    action.sa_sigaction = on_denied_call;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSYS, &action, nullptr);

    Filter filter;
    for (const Denied& denied : kDenied) {
        if (denied.purpose == kWrite && limits.may_write_files) continue;
        if (!has_conditions(denied.call)) filter.trap(denied.call);
    }
    deny_with_conditions(filter, limits);
    filter.unknown(SCMP_SYS(clone3));
    filter.unknown(SCMP_SYS(openat2));
    return filter.load();
}

#else

bool close_sandbox(PlayerControl&, const PlayerLimits&) {
    return false;
}

#endif

}  // namespace lab::detail
