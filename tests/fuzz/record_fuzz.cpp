// What a run leaves behind, read by the terminal and the window: the trace, the Run record, and the machine's
// report, which a learner's program can overwrite. Damage is an error with a sentence, never a crash.
// `SIMTTRC1` opens a trace.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "simt/include/simt/trace.h"
#include "workbench/play/report.h"
#include "workbench/record/run.h"

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "fuzz-record: %s\n", what);
    std::abort();
}

// The reader wants a path: a file in memory has one.
class MemoryFile {
  public:
    explicit MemoryFile(const std::string& bytes) : descriptor_(memfd_create("trace", MFD_CLOEXEC)) {
        require(descriptor_ >= 0, "there is no file in memory");
        const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
        require(written == static_cast<ssize_t>(bytes.size()), "the file in memory is full");
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  private:
    int descriptor_;
};

void check_trace(const std::string& bytes) {
    const MemoryFile file(bytes);
    const simt::trace::Reader reader = simt::trace::Reader::open(file.path());
    require(reader.error().empty() || reader.size() == 0, "a damaged trace has records");
    volatile uint64_t sum = 0;  // every address is read, whatever it is
    for (size_t i = 0; i < reader.size(); ++i) {
        const simt::trace::Access access = reader.at(i);
        for (int lane = -1; lane <= 32; ++lane) sum = sum + access.address(lane);
        const bool active = access.header.mask & 1u;
        require(active || access.address(0) == 0, "a lane outside the mask has an address");
    }
    if (reader.size() > 0) {
        const uint32_t launch = reader.at(0).header.launch;
        require(reader.of_launch(launch).at(0) == 0, "the first record is not of its own launch");
    }
    for (const simt::trace::Order& order : reader.orders())
        sum = sum + order.event.address + order.header.mask;
    require(reader.at(reader.size()).address(0) == 0, "there is a record behind the last");
}

void check_run(const std::string& text) {
    try {
        const std::string once = lab::to_json(lab::from_json(text));
        require(lab::to_json(lab::from_json(once)) == once,
                "a Run changes when it is written and read again");
    } catch (const std::runtime_error& error) {
        require(*error.what() != '\0', "a complaint without words");
    }
}

void check_report(const std::string& text) {
    const lab::Report report = lab::read_report(text);
    lab::Run run;
    run.findings = report.findings;
    run.kernels = report.kernels;
    run.buffers = report.buffers;
    run.output = text;  // a program prints any bytes, too
    const std::string written = lab::to_json(run);
    require(lab::to_json(lab::from_json(written)) == written,
            "what a report says does not survive a Run record");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string input(reinterpret_cast<const char*>(data), size);
    if (input.rfind("SIMTTRC1", 0) == 0) {
        check_trace(input);
        return 0;
    }
    check_run(input);
    check_report(input);
    return 0;
}
