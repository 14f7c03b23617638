// Launches by function call: kernels by address, and configurations with attributes.
#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "simt/include/cuda_runtime_api.h"
#include "simt/machine/machine.h"
#include "simt/runtime/errors.h"

namespace simt::cuda {
namespace {

using runtime::fail;

std::mutex kernels_mutex;
std::map<const void*, KernelEntry>& kernels() {
    static auto& map = *new std::map<const void*, KernelEntry>;
    return map;
}

std::optional<KernelEntry> kernel_at(const void* function) {
    const std::lock_guard lock(kernels_mutex);
    const auto found = kernels().find(function);
    return found != kernels().end() ? std::optional(found->second) : std::nullopt;
}

// "void ns::k<int, 2>(int*)", mangled, as "k<int, 2>".
std::string plain_name(const char* symbol) {
    int status = 0;
    char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
    if (text == nullptr) return symbol;
    const std::string_view whole(text);
    size_t first = 0, last = whole.size();
    int depth = 0;
    for (size_t i = 0; i < whole.size(); ++i) {
        const char c = whole[i];
        if (c == '(' && depth == 0 && whole.substr(i, 2) != "(a") {
            last = i;
            break;
        }
        depth += (c == '<' || c == '(') - (c == '>' || c == ')');
        if (depth == 0 && (c == ' ' || c == ':')) first = i + 1;
    }
    const std::string name(whole.substr(first, last - first));
    std::free(text);
    return name;
}

// Null: the machine has it, or it is a hint that changes no result.
const char* what_is_missing(const cudaLaunchAttribute& attribute) {
    switch (attribute.id) {
        case cudaLaunchAttributeClusterDimension: {
            const auto& d = attribute.val.clusterDim;
            return d.x <= 1 && d.y <= 1 && d.z <= 1 ? nullptr : "clusters of several blocks";
        }
        case cudaLaunchAttributePreferredClusterDimension: {
            const auto& d = attribute.val.preferredClusterDim;
            return d.x <= 1 && d.y <= 1 && d.z <= 1 ? nullptr : "clusters of several blocks";
        }
        case cudaLaunchAttributeProgrammaticEvent:
            return "programmatic events";
        case cudaLaunchAttributeLaunchCompletionEvent:
            return "launch completion events";
        case cudaLaunchAttributeDeviceUpdatableKernelNode:
            return "kernel nodes that kernels update";
        default:
            // A kernel that may start early (programmatic stream serialization) need not.
            return nullptr;
    }
}

}  // namespace

void register_kernel(const KernelEntry& kernel) {
    const std::lock_guard lock(kernels_mutex);
    kernels()[kernel.function] = kernel;
}

const char* name_of_kernel(const void* function) {
    if (const auto kernel = kernel_at(function)) return kernel->name;
    const std::lock_guard lock(kernels_mutex);
    static auto& names = *new std::map<const void*, std::string>;
    const auto [known, is_new] = names.try_emplace(function, "kernel");
    Dl_info info{};
    if (is_new && dladdr(function, &info) != 0 && info.dli_saddr == function && info.dli_sname != nullptr)
        known->second = plain_name(info.dli_sname);
    return known->second.c_str();
}

cudaError_t launch_untyped(const char* call, const void* function, const Config& config, void** arguments,
                           Where where) {
    if (function == nullptr) return fail(cudaErrorInvalidDeviceFunction);
    const auto kernel = kernel_at(function);
    if (!kernel)
        return fail(cudaErrorNotSupported,
                    {.kind = "api-misuse",
                     .message = fmt::format(
                         "{} at line {} got a pointer of which the CPU machine does not know the kernel, so "
                         "that it cannot tell what its arguments are",
                         call, where.line),
                     .fix = "Name the kernel in the call, or cast it where it is named: (void*)kernel.",
                     .where = where});
    const cudaError_t before = begin_launch();
    kernel->launch(*kernel, config, arguments, where);
    return end_launch(before);
}

bool refuses_arguments(void** arguments, unsigned count, Where where) {
    if (arguments == nullptr) {
        fail(cudaErrorInvalidValue,
             {.kind = "api-misuse",
              .message = fmt::format("the launch at line {} gives no arguments, but the kernel takes some",
                                     where.line),
              .fix = "Pass an array of pointers to the arguments, one for each parameter.",
              .where = where});
        return true;
    }
    for (unsigned i = 0; i < count; ++i) {
        const Allocation* buffer = memory::find(arguments[i]);
        if (buffer == nullptr || buffer->space != BufferSpace::global) continue;
        fail(cudaErrorInvalidValue,
             {.kind = "api-misuse",
              .message = fmt::format("entry {} of the arguments of the launch at line {} is an address in "
                                     "device memory, in {}, where the launch would look for an argument",
                                     i, where.line, buffer->name),
              .fix = "The array holds the address of each argument, in host memory: &d_data, the address of "
                     "the variable, and not d_data.",
              .where = where});
        return true;
    }
    return false;
}

LaunchSettings launch_settings(const cudaLaunchConfig_t* given, Where where) {
    if (given == nullptr || (given->numAttrs != 0 && given->attrs == nullptr))
        return {{}, fail(cudaErrorInvalidValue)};
    LaunchSettings settings{config(given->gridDim, given->blockDim, given->dynamicSmemBytes, given->stream)};
    for (unsigned i = 0; i < given->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = given->attrs[i];
        if (attribute.id == cudaLaunchAttributeCooperative)
            settings.config.cooperative = attribute.val.cooperative != 0;
        const char* missing = what_is_missing(attribute);
        if (missing == nullptr) continue;
        settings.error = fail(
            cudaErrorNotSupported,
            {.kind = "api-misuse",
             .message = fmt::format("the launch at line {} asks for {}, which the CPU machine does not have",
                                    where.line, missing),
             .fix = "Launch without this attribute, or run the program on a GPU.",
             .where = where});
        return settings;
    }
    return settings;
}

}  // namespace simt::cuda
