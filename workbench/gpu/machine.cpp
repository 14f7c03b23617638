// The machine interface (simt/session.h) on a real GPU: what a player loads in place of the CPU machine. It is
// compiled on the learner's computer, once a toolkit, into a shared library whose symbols come before those of
// libcudart: launches pass through it on their way to the card, so that the report names them.
//
// It reports launches, buffers, errors and times in the words of report.md. It sees no access and counts nothing; it
// finds only what the card itself complains of and writes around the grader's own buffers.
#include <cuda_runtime_api.h>
#include <cxxabi.h>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "simt/include/simt/session.h"
#include "workbench/gpu/timing.h"

namespace {

constexpr unsigned char canary = 0xc5, poison = 0xa5;  // as workbench/grading/trial.h has them
constexpr size_t guard_bytes = 1024;                   // of canaries, in front of a buffer and behind it

struct Buffer {
    std::string name;
    char* base;
    size_t bytes, element_bytes;
    char* data() const { return base + guard_bytes; }
};

std::mutex lock;
simt_session_options session{};
std::vector<Buffer> buffers;
std::vector<void*> pinned;  // host arrays of the grader, for one session
int launches = 0, findings = 0;
bool told_error = false, unusable = false;
bool has_context = false;  // of this session; a later one in the same process asks again, which costs nothing
bool quiet_launches = false;  // a call that is timed: the first one of its kind has told of them
timing::Launches timed_launches;
size_t memory_taken = 0;

// ---- the report

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        char code[8];
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) < 0x20) {
            std::snprintf(code, sizeof code, "\\u%04x", c);
            out += code;
        } else {
            out += c;
        }
    }
    return out + "\"";
}

void put_record(const std::string& record) {
    const simt_region& report = session.report;
    if (!report.data) return;
    const uint64_t used = *report.used;
    if (record.size() + 1 > report.capacity - used) {
        *report.dropped = *report.dropped + 1;
        return;
    }
    std::memcpy(report.data + used, record.data(), record.size());
    report.data[used + record.size()] = '\n';
    *report.used = used + record.size() + 1;
}

std::string three(dim3 d) {
    return "[" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + "]";
}

struct Finding {
    std::string kind, message, fix, buffer;
};

void put_finding(const Finding& finding) {
    std::string record =
        "{\"type\":\"finding\",\"id\":" + std::to_string(findings++) + ",\"kind\":" + quoted(finding.kind) +
        ",\"severity\":\"error\",\"message\":" + quoted(finding.message) + ",\"fix\":" + quoted(finding.fix);
    if (!finding.buffer.empty()) record += ",\"buffer\":" + quoted(finding.buffer);
    put_record(record + "}");
}

// After these the device does nothing more for this process.
bool is_sticky(cudaError_t error) {
    switch (error) {
        case cudaErrorIllegalAddress:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorIllegalInstruction:
        case cudaErrorHardwareStackError:
        case cudaErrorAssert:
        case cudaErrorLaunchFailure:
        case cudaErrorLaunchTimeout:
        case cudaErrorECCUncorrectable:
            return true;
        default:
            return false;
    }
}

std::string words_of(cudaError_t error) {
    return std::string(cudaGetErrorName(error)) + " (" + cudaGetErrorString(error) + ")";
}

// What the card says after the learner's function has returned without an error.
void note_error(cudaError_t error) {
    if (error == cudaSuccess) return;
    unusable = unusable || is_sticky(error);
    if (told_error) return;
    told_error = true;
    put_finding(
        {"gpu-error", "The GPU reports " + words_of(error) + ": a kernel or a copy before that went wrong",
         "Leave --backend out: the CPU machine runs the same file and names the line and the thread.", ""});
}

// ---- launches

void* runtime_function(const char* name) {
    static void* const runtime = [] {
        const std::string file = "libcudart.so." + std::to_string(CUDART_VERSION / 1000);
        return dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    }();
    return runtime ? dlsym(runtime, name) : nullptr;
}

std::string kernel_name(const void* kernel) {
    const char* mangled = nullptr;
    if (cudaFuncGetName(&mangled, kernel) != cudaSuccess || !mangled) return "kernel";
    int status = 0;
    char* plain = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
    const std::string name =
        status == 0 ? plain : mangled;  // the report's reader leaves namespaces and the like out
    std::free(plain);
    return name;
}

// What the card says of itself and of the kernel. Only in a state without errors: asking must not hide one.
std::string metrics_of(const void* kernel, dim3 block, size_t shared_bytes) {
    int device = 0, sms = 0, blocks = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    const int threads = static_cast<int>(block.x * block.y * block.z);
    const bool known =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes) == cudaSuccess;
    std::string metrics = "{\"sm_count\":" + std::to_string(sms);
    if (known) metrics += ",\"occupancy_blocks\":" + std::to_string(blocks);
    return metrics + "}";
}

void put_launch(const void* kernel, dim3 grid, dim3 block, size_t shared_bytes, cudaError_t error) {
    const std::lock_guard<std::mutex> guard(lock);
    if (!session.report.data || quiet_launches) return;
    const bool refused = error != cudaSuccess;
    const cudaError_t pending = cudaPeekAtLastError();
    std::string record = "{\"type\":\"launch\",\"index\":" + std::to_string(launches++) +
                         ",\"kernel\":" + quoted(kernel_name(kernel)) + ",\"grid\":" + three(grid) +
                         ",\"block\":" + three(block) + ",\"shared_bytes\":" + std::to_string(shared_bytes) +
                         ",\"status\":\"" + (refused ? "refused" : "ok") +
                         "\",\"error\":" + quoted(cudaGetErrorName(error));
    if (pending == cudaSuccess && !refused)
        record += ",\"metrics\":" + metrics_of(kernel, block, shared_bytes);
    put_record(record + "}");
}

// Launches by `launch`, between two events where the launches of this call are timed.
template <class Launch>
cudaError_t launched(const void* kernel, dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream,
                     Launch launch) {
    timing::Stopwatch* watch = nullptr;
    {
        const std::lock_guard<std::mutex> guard(lock);
        if (timed_launches.wanted() && !timing::Launches::captures(stream))
            watch = timed_launches.next(kernel_name(kernel));
    }
    if (watch) watch->start(stream);
    const cudaError_t error = launch();
    if (watch) watch->stop(stream);
    put_launch(kernel, grid, block, shared_bytes, error);
    return error;
}

}  // namespace

#define LAB_REAL(name) reinterpret_cast<decltype(&name)>(runtime_function(#name))

extern "C" {

// nvcc's own calls behind <<<...>>> are these two since CUDA 13.
#if CUDART_VERSION >= 13000
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** args, size_t shared_bytes,
                               cudaStream_t stream) {
    return launched(reinterpret_cast<const void*>(kernel), grid, block, shared_bytes, stream, [&] {
        return LAB_REAL(__cudaLaunchKernel)(kernel, grid, block, args, shared_bytes, stream);
    });
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** args,
                                    size_t shared_bytes, cudaStream_t stream) {
    return launched(reinterpret_cast<const void*>(kernel), grid, block, shared_bytes, stream, [&] {
        return LAB_REAL(__cudaLaunchKernel_ptsz)(kernel, grid, block, args, shared_bytes, stream);
    });
}
#endif

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** args, size_t shared_bytes,
                             cudaStream_t stream) {
    return launched(kernel, grid, block, shared_bytes, stream, [&] {
        return LAB_REAL(cudaLaunchKernel)(kernel, grid, block, args, shared_bytes, stream);
    });
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** args,
                                        size_t shared_bytes, cudaStream_t stream) {
    return launched(kernel, grid, block, shared_bytes, stream, [&] {
        return LAB_REAL(cudaLaunchCooperativeKernel)(kernel, grid, block, args, shared_bytes, stream);
    });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** args) {
    if (!config) return LAB_REAL(cudaLaunchKernelExC)(config, kernel, args);
    return launched(kernel, config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream,
                    [&] { return LAB_REAL(cudaLaunchKernelExC)(config, kernel, args); });
}

// A trial may say how much memory the card has, to see what becomes of a full one.
cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    {
        const std::lock_guard<std::mutex> guard(lock);
        if (session.memory_budget != 0 && bytes > session.memory_budget - memory_taken) {
            LAB_REAL(cudaMalloc)(pointer, ~size_t{0} >> 8);  // sets the last error, as a full card does
            return cudaErrorMemoryAllocation;
        }
    }
    return LAB_REAL(cudaMalloc)(pointer, bytes);
}

// ---- the machine

// A whole program finds CUDA as untouched as it is without us: what it asks before its first call, or before cuInit,
// gets the answer that it would get alone. So the context is made where a buffer of the grader needs it, and at the end.
static void make_context() {
    if (has_context) return;
    has_context = true;
    const cudaError_t error = cudaFree(nullptr);
    if (error == cudaSuccess || told_error || is_sticky(error)) return;
    told_error = unusable = true;
    put_finding({"gpu-unavailable", "The GPU can't be used here: " + words_of(error),
                 "`cudalab doctor` looks for the cause.", ""});
}

void simt_session_begin(const simt_session_options* options) {
    session = *options;
    launches = findings = 0;
    told_error = false;
    has_context = false;
    memory_taken = 0;
}

void simt_session_end(void) {
    make_context();
    note_error(cudaDeviceSynchronize());
    cudaGetLastError();  // what the learner's function has not asked for is its own affair
    for (const Buffer& buffer : buffers) cudaFree(buffer.base);
    for (void* host : pinned) cudaHostUnregister(host);
    buffers.clear();
    pinned.clear();
    cudaGetLastError();
    put_record("{\"type\":\"end\",\"exit\":\"returned\",\"host_line\":0}");
    session.report.data = nullptr;
}

// 0: the card has given up on this process, and a new one is needed.
int simt_session_usable(void) {
    return unusable ? 0 : 1;
}

void* simt_buffer_create(const char* name, size_t bytes, size_t element_bytes) {
    make_context();
    Buffer buffer{name, nullptr, bytes, element_bytes};
    void* base = nullptr;
    const cudaError_t error = LAB_REAL(cudaMalloc)(&base, bytes + 2 * guard_bytes);
    note_error(error);
    if (error != cudaSuccess) return nullptr;
    buffer.base = static_cast<char*>(base);
    note_error(cudaMemset(buffer.base, canary, bytes + 2 * guard_bytes));
    note_error(cudaMemset(buffer.data(), poison, bytes));
    memory_taken += bytes;
    put_record("{\"type\":\"buffer\",\"id\":" + std::to_string(buffers.size() + 1) +
               ",\"name\":" + quoted(buffer.name) + ",\"space\":\"global\",\"address\":" +
               std::to_string(reinterpret_cast<uintptr_t>(buffer.data())) + ",\"bytes\":" +
               std::to_string(bytes) + ",\"element_bytes\":" + std::to_string(element_bytes) + "}");
    buffers.push_back(buffer);
    return buffer.data();
}

void simt_buffer_pin(const char*, void* host, size_t bytes, size_t) {
    make_context();
    const cudaError_t error = cudaHostRegister(host, bytes, cudaHostRegisterPortable);
    note_error(error);
    if (error == cudaSuccess) pinned.push_back(host);
}

void simt_buffer_upload(void* device, const void* host, size_t bytes) {
    note_error(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    note_error(cudaDeviceSynchronize());
}

static void look_at_guards(const Buffer& buffer) {
    std::vector<unsigned char> guard(guard_bytes);
    for (const bool behind : {false, true}) {
        const char* from = behind ? buffer.data() + buffer.bytes : buffer.base;
        if (cudaMemcpy(guard.data(), from, guard_bytes, cudaMemcpyDeviceToHost) != cudaSuccess) return;
        size_t first = guard_bytes, last = 0;
        for (size_t i = 0; i < guard_bytes; ++i) {
            if (guard[i] == canary) continue;
            if (first == guard_bytes) first = i;
            last = i;
        }
        if (first == guard_bytes) continue;
        const size_t away =
            behind ? first / buffer.element_bytes : (guard_bytes - 1 - last) / buffer.element_bytes + 1;
        put_finding({"oob-global",
                     behind ? "Something wrote behind " + buffer.name + ": where " + buffer.name + "[" +
                                  std::to_string(buffer.bytes / buffer.element_bytes + away) + "] would be"
                            : "Something wrote in front of " + buffer.name + ": where " + buffer.name + "[-" +
                                  std::to_string(away) + "] would be",
                     buffer.name + " has " + std::to_string(buffer.bytes / buffer.element_bytes) +
                         " elements. Guard the index before you use it.",
                     buffer.name});
    }
}

void simt_buffer_download(void* device, void* host, size_t bytes, int) {
    note_error(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
    for (const Buffer& buffer : buffers)
        if (buffer.data() == device) look_at_guards(buffer);
}

// Times calls of `body` with `context` (machine.h). The first call is an ordinary one, whose launches are reported.
int simt_time(const char* name, double bytes, double flops, int (*body)(void*), void* context) {
    const auto start = std::chrono::steady_clock::now();
    int returned = body(context);
    quiet_launches = true;
    const auto goes_on = [](std::chrono::steady_clock::time_point from, size_t done, size_t fewest,
                            double enough) {
        const double seconds = timing::seconds_since(from);
        return done < timing::most_calls && (done < fewest || seconds < enough) &&
               (done < timing::slow_calls || seconds < timing::slow_seconds);
    };
    for (size_t done = 1;
         returned == 0 && goes_on(start, done, timing::warm_up_calls, timing::warm_up_seconds); ++done)
        returned = body(context);
    cudaDeviceSynchronize();
    timing::Stopwatch watch;
    std::vector<double> calls;
    const auto warm = std::chrono::steady_clock::now();
    while (returned == 0 && goes_on(warm, calls.size(), timing::fewest_calls, timing::enough_seconds)) {
        watch.start();
        returned = body(context);
        watch.stop();
        calls.push_back(watch.microseconds());
    }
    std::map<std::string, std::vector<double>> kernels;
    std::map<std::string, int> launches_of;
    const auto counted = std::chrono::steady_clock::now();
    for (size_t done = 0; returned == 0 && goes_on(counted, done, timing::kernel_calls, 0); ++done) {
        timed_launches.begin();
        returned = body(context);
        for (const auto& [kernel, sum] : timed_launches.end()) {
            kernels[kernel].push_back(sum.us);
            launches_of[kernel] = sum.launches;
        }
    }
    quiet_launches = false;
    note_error(cudaDeviceSynchronize());
    if (returned != 0) return returned;
    std::string record =
        "{\"type\":\"timing\",\"name\":" + quoted(name) + ",\"us\":" + std::to_string(timing::median(calls)) +
        ",\"calls\":" + std::to_string(calls.size()) + ",\"bytes\":" + std::to_string(bytes) +
        ",\"flops\":" + std::to_string(flops) + ",\"kernels\":[";
    const char* between = "";
    for (const auto& [kernel, times] : kernels) {
        record += between + ("{\"name\":" + quoted(kernel)) +
                  ",\"us\":" + std::to_string(timing::median(times)) +
                  ",\"launches\":" + std::to_string(launches_of[kernel]) + "}";
        between = ",";
    }
    put_record(record + "]}");
    return 0;
}

// In a process of its own: the referee asks, and a process that has touched the CUDA runtime can fork no player.
const char* simt_error_name(int code) {
    static std::map<int, std::string> known;
    std::string& name = known[code];
    int ends[2];
    if (!name.empty() || pipe(ends) != 0) return name.c_str();
    const pid_t asked = fork();
    if (asked == 0) {
        const std::string found = cudaGetErrorName(static_cast<cudaError_t>(code));
        _exit(write(ends[1], found.c_str(), found.size()) < 0 ? 1 : 0);
    }
    close(ends[1]);
    char text[128] = "";
    if (asked > 0 && read(ends[0], text, sizeof text - 1) > 0) name = text;
    close(ends[0]);
    if (asked > 0) waitpid(asked, nullptr, 0);
    if (name.empty()) name = "an error of CUDA";
    return name.c_str();
}

}  // extern "C"
