#include <bit>

#include "app/panels/access_index.h"
#include "lessons/22_mlp_backward/panel_backward.h"

namespace lab::lesson_22_mlp_backward {

namespace {

// The buffer that has this address; null: none.
const Buffer* buffer_at(const std::vector<const Buffer*>& buffers, uint64_t address) {
    for (const Buffer* buffer : buffers)
        if (address >= buffer->address && address < buffer->address + buffer->bytes) return buffer;
    return nullptr;
}

}  // namespace

std::vector<LaunchTouches> touches_of(const RunBundle& bundle, int case_index) {
    std::vector<LaunchTouches> all;
    if (case_index < 0 || size_t(case_index) >= bundle.traces.size() || !bundle.traces[size_t(case_index)])
        return all;
    const simt::trace::Reader& trace = *bundle.traces[size_t(case_index)];
    std::vector<const Buffer*> buffers;
    for (const Buffer& buffer : bundle.run.buffers)
        if (buffer.case_index == case_index) buffers.push_back(&buffer);
    for (const Kernel* kernel : kernels_of(bundle.run, case_index)) {
        LaunchTouches touches{kernel->name, {}, {}};
        for (const size_t record : trace.of_launch(uint32_t(kernel->launch))) {
            const simt::trace::Access access = trace.at(record);
            const simt::trace::RecordHeader& head = access.header;
            if (head.space != simt::trace::Space::global || !head.mask) continue;
            // All lanes of an instruction are in one array, or the run is at fault.
            const Buffer* buffer = buffer_at(buffers, access.address(std::countr_zero(head.mask)));
            if (!buffer) continue;
            if (head.op != simt::trace::Op::load) touches.wrote.insert(buffer->name);
            if (head.op != simt::trace::Op::store) touches.read.insert(buffer->name);
        }
        all.push_back(std::move(touches));
    }
    return all;
}

}  // namespace lab::lesson_22_mlp_backward
