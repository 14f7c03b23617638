// Launches: checks what the launch asks for, runs it, reports how it went.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "simt/checker/access.h"
#include "simt/checker/findings.h"
#include "simt/checker/kernel_work.h"
#include "simt/checker/metrics.h"
#include "simt/checker/stream_race.h"
#include "simt/host/lock.h"
#include "simt/host/queue.h"
#include "simt/host/timeline.h"
#include "simt/machine/arena.h"
#include "simt/machine/device_symbols.h"
#include "simt/machine/devices.h"
#include "simt/machine/errors.h"
#include "simt/machine/fast.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/occupancy.h"
#include "simt/machine/program.h"
#include "simt/machine/session_state.h"
#include "simt/runtime/work.h"

namespace simt {
namespace {

uint32_t launches = 0;

// The program's blockDim and gridDim while a launch runs.
class Extents {
  public:
    explicit Extents(const LaunchCall& call) : call_(call) {
        if (call.block_dim != nullptr) block_ = std::exchange(*call.block_dim, call.config.block);
        if (call.grid_dim != nullptr) grid_ = std::exchange(*call.grid_dim, call.config.grid);
    }
    ~Extents() {
        if (call_.block_dim != nullptr) *call_.block_dim = block_;
        if (call_.grid_dim != nullptr) *call_.grid_dim = grid_;
    }
    Extents(const Extents&) = delete;
    Extents& operator=(const Extents&) = delete;

  private:
    const LaunchCall& call_;
    Index3 block_{}, grid_{};
};

// The variables' places hold the device's own copies while a launch of it runs.
class Variables {
  public:
    explicit Variables(int device) : device_(device) {
        if (devices::several) device_symbols::begin_launch(device);
    }
    ~Variables() {
        if (devices::several) device_symbols::end_launch(device_);
    }
    Variables(const Variables&) = delete;
    Variables& operator=(const Variables&) = delete;

  private:
    int device_;
};

struct Refusal {
    int error = 0;
    std::string message, fix;
    const char* kind = "launch-config";
};

std::string triple(Index3 v) {
    return fmt::format("({},{},{})", v.x, v.y, v.z);
}

// All blocks of a cooperative launch are on the device at once, so they must fit. `static_shared`: as far as it
// is known.
Refusal refuse_cooperative(const LaunchCall& call, size_t static_shared) {
    if (!call.config.cooperative) return {};
    const Index3 grid = call.config.grid;
    const Residency resident = residency_of(call, static_shared);
    const uint64_t blocks = uint64_t{grid.x} * grid.y * grid.z;
    if (blocks <= resident.blocks()) return {};
    const std::string why =
        static_shared == 0 ? "" : fmt::format(", with {} bytes of __shared__ arrays a block", static_shared);
    return {
        cudaErrorCooperativeLaunchTooLarge,
        fmt::format("line {} launches {} cooperatively with {} blocks, but only {} such blocks are on {} at "
                    "once: {} on each of its {} multiprocessors{}",
                    call.where.line, call.kernel, blocks, resident.blocks(), device_profile().name,
                    resident.each.least(), resident.sms, why),
        "Launch at most that many (cudaOccupancyMaxActiveBlocksPerMultiprocessor times the number of "
        "multiprocessors), and let each thread do several elements in a loop."};
}

// A stream belongs to the device that was current when it was made.
Refusal refuse_stream(const LaunchCall& call) {
    if (!devices::several) return {};
    const queue::Stream* stream = runtime::find_stream(static_cast<cudaStream_t>(call.config.stream));
    const int now = devices::current();
    if (stream == nullptr || stream->device == now) return {};
    return {
        cudaErrorInvalidResourceHandle,
        fmt::format(
            "line {} launches {} on device {}, which is the current one, into {}, which belongs to device {}",
            call.where.line, call.kernel, now, stream->name, stream->device),
        fmt::format("Call cudaSetDevice({}) before the launch, or create the stream after cudaSetDevice({}).",
                    stream->device, now),
        "wrong-device"};
}

// What the device would say before it starts a single thread. CUDA 13 calls all of these "invalid argument"
// (seen on an H200).
Refusal refuse(const LaunchCall& call) {
    const DeviceProfile& p = device_profile();
    const auto& [grid, block, shared, stream, cooperative] = call.config;
    const auto at = [&] { return fmt::format("line {} launches {} with ", call.where.line, call.kernel); };
    if (grid.x == 0 || grid.y == 0 || grid.z == 0)
        return {error_invalid_value, at() + "a grid of " + triple(grid) + " blocks: a dimension is 0",
                "A grid needs at least one block in each dimension; check the division that computes it."};
    if (block.x == 0 || block.y == 0 || block.z == 0)
        return {error_invalid_value, at() + "blocks of " + triple(block) + " threads: a dimension is 0",
                "A block needs at least one thread in each dimension."};
    const uint64_t threads = uint64_t{block.x} * block.y * block.z;
    if (threads > static_cast<uint64_t>(p.threads_per_block))
        return {error_invalid_value,
                at() + fmt::format("{} threads in a block; {} is the most", threads, p.threads_per_block),
                "Use smaller blocks and more of them."};
    if (const int promised = threads_limit(call.function); threads > static_cast<uint64_t>(promised))
        return {error_invalid_value,
                at() + fmt::format("{} threads in a block; its __launch_bounds__ promises at most {}",
                                   threads, promised),
                fmt::format("Launch blocks of at most {} threads, or promise more: the first number of "
                            "__launch_bounds__ is the largest block that the kernel must work with.",
                            promised)};
    if (block.x > p.max_block.x || block.y > p.max_block.y || block.z > p.max_block.z)
        return {error_invalid_value,
                at() + fmt::format("blocks of {} threads; {} is the most in each dimension", triple(block),
                                   triple(p.max_block)),
                "Fold the dimension that is too long into another one."};
    if (grid.x > p.max_grid.x || grid.y > p.max_grid.y || grid.z > p.max_grid.z)
        return {error_invalid_value,
                at() + fmt::format("a grid of {} blocks; {} is the most in each dimension", triple(grid),
                                   triple(p.max_grid)),
                "Only x may be longer than 65535: put the long dimension there, or loop in the kernel."};
    constexpr size_t most_parameters = 32764;  // since CUDA 12.1, for compute capability 7.0 and later
    if (call.parameter_bytes > most_parameters)
        return {error_invalid_value,
                at() + fmt::format(
                           "{} bytes of parameters; {} is the most, and nvcc would not compile it (Formal "
                           "parameter space overflowed)",
                           call.parameter_bytes, most_parameters),
                "Put the data into a buffer (cudaMalloc, cudaMemcpy) and pass its pointer, or into a "
                "__constant__ "
                "variable."};
    const size_t limit = dynamic_shared_limit(call.function);
    if (shared > limit)
        return {error_invalid_value,
                at() + fmt::format("{} bytes of dynamic shared memory; {} is the most it may have", shared,
                                   limit),
                limit < p.shared_per_block_optin
                    ? fmt::format("For up to {} bytes call cudaFuncSetAttribute with "
                                  "cudaFuncAttributeMaxDynamicSharedMemorySize first.",
                                  p.shared_per_block_optin)
                    : "Use smaller tiles."};
    if (const Refusal refusal = refuse_stream(call); refusal.error != 0) return refusal;
    return refuse_cooperative(call, 0);
}

void report_launch(const LaunchRun& launch, double seconds) {
    const auto& c = launch.call;
    nlohmann::ordered_json record{{"type", "launch"},
                                  {"index", launch.index},
                                  {"kernel", c.kernel},
                                  {"file", c.where.file},
                                  {"line", c.where.line},
                                  {"grid", {c.config.grid.x, c.config.grid.y, c.config.grid.z}},
                                  {"block", {c.config.block.x, c.config.block.y, c.config.block.z}},
                                  {"shared_bytes", launch.static_shared + c.config.shared_bytes},
                                  {"status", launch.status},
                                  {"error", error_name(launch.error)},
                                  {"seconds", seconds}};
    if (const Index3& asked = launch.asked_grid; asked.x != 0 || asked.y != 0 || asked.z != 0)
        record["asked_grid"] = {asked.x, asked.y, asked.z};
    if (devices::several) record["device"] = launch.device;
    if (program.checked && launch.blocks != 0) record.update(metrics_json(launch));
    write_report(record);
}

}  // namespace

namespace {

// A launch in fast mode, where most of the time would otherwise go into saying that it happened: what the
// record of a launch has in common with that of the one before is kept as text.
struct LastRecord {
    const char *kernel = nullptr, *file = nullptr;
    int line = 0;
    Config config{};
    size_t shared_bytes = 0;
    int device = 0;
    std::string text;

    bool fits(const LaunchCall& c, size_t bytes, int of_device) const {
        const auto same = [](Index3 a, Index3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
        return kernel == c.kernel && file == c.where.file && line == c.where.line && shared_bytes == bytes &&
               device == of_device && same(config.grid, c.config.grid) && same(config.block, c.config.block);
    }
};

void report_fast_launch(const LaunchRun& launch, double seconds) {
    static LastRecord& last = *new LastRecord;
    const LaunchCall& c = launch.call;
    const size_t bytes = launch.static_shared + c.config.shared_bytes;
    if (!last.fits(c, bytes, launch.device)) {
        const auto quoted = [](const char* text) {
            return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        };
        const auto& [grid, block, dynamic, stream, cooperative] = c.config;
        last = {c.kernel,
                c.where.file,
                c.where.line,
                c.config,
                bytes,
                launch.device,
                fmt::format(R"({},"kernel":{},"file":{},"line":{},"grid":[{},{},{}],"block":[{},{},{}],)"
                            R"("shared_bytes":{},"status":"ok","error":"cudaSuccess","seconds":)",
                            devices::several ? fmt::format(R"(,"device":{})", launch.device) : "",
                            quoted(c.kernel), quoted(c.where.file), c.where.line, grid.x, grid.y, grid.z,
                            block.x, block.y, block.z, bytes)};
    }
    fmt::memory_buffer line;
    fmt::format_to(std::back_inserter(line),
                   R"({{"type":"launch","index":{}{}{}e-9}})"
                   "\n",
                   launch.index, last.text, static_cast<int64_t>(seconds * 1e9));
    write_report_text({line.data(), line.size()});
}

void run_unchecked(LaunchRun& launch) {
    // Without checks the host may touch device memory: protecting it takes longer than a small kernel.
    static const bool opened = (open_device_memory(), true);
    (void)opened;
    arena.marks_are_kept = false;
    const auto begin = std::chrono::steady_clock::now();
    {
        const Variables variables(launch.device);
        const Extents extents(launch.call);
        fast::run(launch);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (launch.error == 0) return report_fast_launch(launch, took.count());
    const LaunchCall& call = launch.call;
    report_launch(launch, took.count());
    settle_findings();
    raise_error(launch.error, true, call.where,
                fmt::format("kernel {} launched at line {} failed", call.kernel, call.where.line));
}

void enqueue_fast(const LaunchCall& call, void* arguments) {
    static LaunchRun& launch = *new LaunchRun;  // making one takes longer than a small kernel, too
    static std::vector<char>& space = *new std::vector<char>;
    launch.index = launches++;
    launch.call = call;
    launch.device = devices::current();
    const Index3 grid = call.config.grid, block = call.config.block;
    launch.blocks = uint64_t{grid.x} * grid.y * grid.z;
    launch.threads = block.x * block.y * block.z;
    launch.error = 0;
    launch.status = "ok";
    if (space.size() < call.bytes + 64) space.resize(call.bytes + 64);
    launch.arguments =
        reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(space.data()) + 63) & ~uintptr_t{63});
    call.move_to(launch.arguments, arguments);
    run_unchecked(launch);
    call.destroy(launch.arguments);
}

}  // namespace

uint32_t next_launch_index() {
    return launches++;
}

HeldLaunch::HeldLaunch(const LaunchCall& made, Index3 asked, void* from)
    : call(made), asked_grid(asked), arguments(std::aligned_alloc(64, (made.bytes + 63) / 64 * 64)) {
    call.move_to(arguments, from);
}
HeldLaunch::~HeldLaunch() {
    call.destroy(arguments);
    std::free(arguments);
}

namespace {

bool overrides_grid() {
    const Index3& grid = session().grid;
    return grid.x != 0 || grid.y != 0 || grid.z != 0;
}

// The launch with the grid that the session wants in place of the program's.
LaunchCall with_session_grid(LaunchCall call) {
    const Index3& wanted = session().grid;
    Index3& grid = call.config.grid;
    if (wanted.x != 0) grid.x = wanted.x;
    if (wanted.y != 0) grid.y = wanted.y;
    if (wanted.z != 0) grid.z = wanted.z;
    return call;
}

void prepare(LaunchRun& launch, const HeldLaunch& held, uint32_t index) {
    launch.index = index;
    launch.call = held.call;
    launch.asked_grid = held.asked_grid;
    launch.device = held.device;
    launch.reach = held.reach;
    const auto& [grid, block, shared, stream, cooperative] = held.call.config;
    launch.blocks = uint64_t{grid.x} * grid.y * grid.z;
    launch.threads = block.x * block.y * block.z;
    launch.arguments = held.arguments;
}

void run_fast(const HeldLaunch& held, uint32_t index) {
    LaunchRun launch;
    prepare(launch, held, index);
    run_unchecked(launch);
}

void run(const HeldLaunch& held, uint32_t index) {
    LaunchRun launch;
    prepare(launch, held, index);
    const LaunchCall& call = held.call;
    launch.budget = session().step_budget;
    const auto begin = std::chrono::steady_clock::now();
    open_device_memory();
    launch.generation = start_generation();
    stream_race::begin_kernel(queue::running(), launch.generation);
    {
        const Variables variables(launch.device);
        const Extents extents(launch.call);
        run_checked(launch);
    }
    stream_race::end_kernel();
    close_device_memory();
    if (const auto operation = queue::running())
        timeline::kernel_ran(*operation, launch.index, work_of(launch));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    // A GPU would not have started it; here the kernel's own shared arrays are known only now.
    if (const Refusal late = refuse_cooperative(call, launch.static_shared); late.error != 0)
        report_refused_launch(call, late.error, late.message, late.fix);
    report_launch(launch, took.count());
    settle_findings();
    if (launch.error != 0)
        raise_error(launch.error, true, call.where,
                    fmt::format("kernel {} launched at line {} failed", call.kernel, call.where.line));
}

// `asked_grid`: what the program asked for where the session wants another grid, else 0.
void enqueue_checked(const LaunchCall& call, void* arguments, Index3 asked_grid) {
    const auto refused = [&](int error) {
        LaunchRun launch;
        launch.index = launches++;
        launch.call = call;
        launch.asked_grid = asked_grid;
        launch.status = "refused";
        launch.error = error;
        report_launch(launch, 0);
    };
    // After a sticky error nothing runs any more.
    if (current_error() != 0) return refused(current_error());
    if (const Refusal refusal = refuse(call); refusal.error != 0) {
        report_refused_launch(call, refusal.error, refusal.message, refusal.fix, refusal.kind);
        raise_error(refusal.error, false, call.where, refusal.message);
        runtime::note_refused_launch(static_cast<cudaStream_t>(call.config.stream));
        return refused(refusal.error);
    }
    const auto held = std::make_shared<HeldLaunch>(call, asked_grid, arguments);
    const auto run_it = [held] {
        const uint32_t index = queue::running()->launch;
        program.checked ? run(*held, index) : run_fast(*held, index);
    };
    std::any parameters;
    if (runtime::may_be_recorded()) parameters = std::shared_ptr<const HeldLaunch>(held);
    const auto error = runtime::in_stream(static_cast<cudaStream_t>(call.config.stream),
                                          {.kind = queue::Kind::kernel,
                                           .where = call.where,
                                           .name = call.kernel,
                                           .run = run_it,
                                           .parameters = std::move(parameters)},
                                          false);
    if (error == cudaSuccess) return;
    raise_error(error, false, call.where,
                fmt::format("the launch of {} at line {} was refused", call.kernel, call.where.line));
    refused(error);
}

}  // namespace

void check_launcher(const char* kernel, Where where) {
    if (current_lane != nullptr) {
        report_launch_in_kernel(*current_lane, kernel, where);
        abandon(*current_lane);
    }
    if (!fast::running()) return;
    // Said once: other threads of the launch are stopped by its end.
    static std::once_flag said;
    std::call_once(said, [&] {
        report_finding({.kind = "api-misuse",
                        .message = fmt::format("line {} launches {} from a kernel", where.line, kernel),
                        .fix = only_the_host_launches,
                        .where = where});
    });
    fast::fail(error_launch_failure);
}

void enqueue(const LaunchCall& call, void* arguments) {
    check_launcher(call.kernel, call.where);
    map_arena();
    load_program(reinterpret_cast<const void*>(call.invoke));
    const ApiLock lock;
    const bool runs_now = !program.checked && !runtime::may_be_recorded();
    if (runs_now && current_error() == 0 && refuse(call).error == 0) return enqueue_fast(call, arguments);
    if (overrides_grid()) return enqueue_checked(with_session_grid(call), arguments, call.config.grid);
    enqueue_checked(call, arguments, {0, 0, 0});
}

bool is_machine_memory(const void* address) {
    // printf's and the C library's own data are reached by uninstrumented code only; what arrives here is the
    // launch's bookkeeping that the program's own templates read.
    const LaunchRun* launch = current_launch;
    if (launch == nullptr) return false;
    const auto* p = static_cast<const char*>(address);
    const auto* object = reinterpret_cast<const char*>(launch);
    return p >= object && p < object + sizeof *launch;
}

}  // namespace simt
