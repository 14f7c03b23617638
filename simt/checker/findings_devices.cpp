// What the machine says about memory and objects of the wrong device.
#include <fmt/format.h>

#include "simt/checker/draft.h"
#include "simt/checker/findings.h"
#include "simt/checker/texture_check.h"
#include "simt/machine/errors.h"

namespace simt {

using namespace finding;

void report_other_device(const Lane& lane, const Allocation& memory, const void* address, bool writes,
                         const void* pc) {
    const Site at = site_in(lane, pc);
    fault(lane, error_illegal_address);
    const Element e = element_of_allocation(memory, address);
    const LaunchRun& launch = *lane.block->launch;
    const std::string kernel = fmt::format("{} runs on device {} and has no access to device {}",
                                           launch.call.kernel, launch.device, memory.device);
    std::string fix = fmt::format(
        "Call cudaSetDevice({}) before line {}, so that the buffer is allocated where the kernel runs; or "
        "let device {} "
        "reach it: cudaSetDevice({}); cudaDeviceEnablePeerAccess({}, 0); before the launch.",
        launch.device, memory.allocated.line, launch.device, launch.device, memory.device);
    if (memory.pool_access != nullptr)
        fix = fmt::format(
            "Memory of cudaMallocAsync is its pool's, for which peer access does not count: give device {} "
            "access "
            "with cudaMemPoolSetAccess, or allocate it in a stream of device {}.",
            launch.device, launch.device);
    const bool is_variable = memory.space == BufferSpace::symbol || memory.space == BufferSpace::constant;
    if (is_variable)
        fix = fmt::format(
            "Each device has a copy of {} of its own: ask for its address after cudaSetDevice({}), or let "
            "device {} "
            "reach the other one: cudaSetDevice({}); cudaDeviceEnablePeerAccess({}, 0);",
            memory.name, launch.device, launch.device, launch.device, memory.device);
    finding::write(
        {.kind = "wrong-device",
         .message = fmt::format("{} {} {}{}, which is in the memory of device {}; {}", name_lane(lane),
                                did(writes), e.text(), at_line(at), memory.device, kernel),
         .fix = fix,
         .at = at,
         .lane = &lane,
         .element = e,
         .has_other = memory.allocated.line != 0,
         .other_action = is_variable ? "declared" : "allocated",
         .other = site_of(memory.allocated)});
}

void report_name_and_pointer(const Lane& lane, const Allocation& symbol, const void* pc) {
    const Site at = site_in(lane, pc);
    finding::write({.kind = "wrong-device",
                    .message = fmt::format(
                        "line {} uses {} both by its name and through the pointer of cudaGetSymbolAddress in "
                        "one launch, and writes "
                        "it: with several devices the CPU machine keeps the two apart until the launch ends",
                        at.line, symbol.name),
                    .fix = fmt::format(
                        "Use {} in one of the two ways in this kernel, or run the program with one device.",
                        symbol.name),
                    .at = at,
                    .lane = &lane,
                    .element = {symbol.name},
                    .has_other = symbol.allocated.line != 0,
                    .other_action = "declared",
                    .other = site_of(symbol.allocated)});
}

void report_object_of_other_device(const Lane& lane, const TextureObject& object, const std::string& function,
                                   const void* pc) {
    const Site at = site_in(lane, pc);
    fault(lane, error_illegal_address);
    const LaunchRun& launch = *lane.block->launch;
    const char* noun = object.is_surface ? "surface" : "texture";
    finding::write(
        {.kind = "wrong-device",
         .message = fmt::format("{} called {}{} with {}, which was made for device {}; {} runs on device {}",
                                name_lane(lane), function, at_line(at), object.name, object.device,
                                launch.call.kernel, launch.device),
         .fix = fmt::format("Make a {} object for each device, after cudaSetDevice.", noun),
         .at = at,
         .lane = &lane});
}

}  // namespace simt
