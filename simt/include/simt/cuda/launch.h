// Launches by function call: cudaLaunchKernel and its kin. Part of cuda_runtime_api.h.
//
// Behind a void pointer a kernel's arguments have no types, so that nobody could copy them. Therefore the front end wraps
// the text of kernels that become such pointers in kernel_pointer, which notes how to launch what is at that address.
#pragma once

#include "driver_types.h"
#include "simt/abi.h"

namespace simt::cuda {
struct KernelEntry {
    const void* function;
    const char* name;
    void (*launch)(const KernelEntry& kernel, const Config& config, void** arguments, Where where);
};
void register_kernel(const KernelEntry& kernel);
const char* name_of_kernel(const void* function);  // "kernel" where nothing tells it

cudaError_t begin_launch();                      // takes the last error away
cudaError_t end_launch(cudaError_t last_error);  // what the launch between them failed with

// A launch of what was registered at `function`. `call`: the API function, for messages.
cudaError_t launch_untyped(const char* call, const void* function, const Config& config, void** arguments,
                           Where where);
// A launch with that configuration; `given` says of what. Null, or an attribute that the machine lacks: refused.
struct LaunchSettings {
    Config config{};
    cudaError_t error = cudaSuccess;
};
LaunchSettings launch_settings(const cudaLaunchConfig_t* given, Where where);

// The kernel has `count` parameters, at least one. True, and the launch's error is set: the call gives nothing for them, or
// a device pointer itself where its address is asked for.
bool refuses_arguments(void** arguments, unsigned count, Where where);

template <class... P, size_t... I>
inline void launch_typed(void (*kernel)(P...), const Config& config, [[maybe_unused]] void** arguments,
                         Where where, std::index_sequence<I...>) {
    if constexpr (sizeof...(P) != 0) {
        if (refuses_arguments(arguments, sizeof...(P), where)) return;
    }
    launch(where, config, name_of_kernel(reinterpret_cast<const void*>(kernel)),
           kernel)(*static_cast<std::remove_reference_t<P>*>(arguments[I])...);
}
template <class... P>
inline cudaError_t launch_now(void (*kernel)(P...), const Config& config, void** arguments, Where where) {
    const cudaError_t before = begin_launch();
    launch_typed(kernel, config, arguments, where, std::index_sequence_for<P...>{});
    return end_launch(before);
}
constexpr Config cooperative_config(dim3 grid, dim3 block, size_t dynamic_shared, cudaStream_t stream) {
    Config config = ::simt::config(grid, block, dynamic_shared, stream);
    config.cooperative = true;
    return config;
}
}  // namespace simt::cuda

// ---- emitted by the front end ----
namespace simt {
template <class... P>
inline auto kernel_pointer(const char* name, void (*kernel)(P...)) {
    cuda::register_kernel(
        {reinterpret_cast<const void*>(kernel), name,
         [](const cuda::KernelEntry& entry, const Config& config, void** arguments, Where where) {
             cuda::launch_typed((void (*)(P...))entry.function, config, arguments, where,
                                std::index_sequence_for<P...>{});
         }});
    return kernel;
}
template <class T>
constexpr T kernel_pointer(const char*, T other) {  // what it stands before was a pointer already
    return other;
}
}  // namespace simt

template <class... P>
inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                    size_t dynamic_shared = 0, cudaStream_t stream = nullptr,
                                    ::simt::Where where = ::simt::Where::here()) {
    return ::simt::cuda::launch_now(kernel, ::simt::config(grid, block, dynamic_shared, stream), arguments,
                                    where);
}
inline cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t dynamic_shared = 0, cudaStream_t stream = nullptr,
                                    ::simt::Where where = ::simt::Where::here()) {
    return ::simt::cuda::launch_untyped(
        "cudaLaunchKernel", kernel, ::simt::config(grid, block, dynamic_shared, stream), arguments, where);
}

template <class... P>
inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                               size_t dynamic_shared = 0, cudaStream_t stream = nullptr,
                                               ::simt::Where where = ::simt::Where::here()) {
    return ::simt::cuda::launch_now(
        kernel, ::simt::cuda::cooperative_config(grid, block, dynamic_shared, stream), arguments, where);
}
inline cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                               size_t dynamic_shared = 0, cudaStream_t stream = nullptr,
                                               ::simt::Where where = ::simt::Where::here()) {
    return ::simt::cuda::launch_untyped("cudaLaunchCooperativeKernel", kernel,
                                        ::simt::cuda::cooperative_config(grid, block, dynamic_shared, stream),
                                        arguments, where);
}

template <class... P>
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, void (*kernel)(P...),
                                       void** arguments, ::simt::Where where = ::simt::Where::here()) {
    const auto [settings, error] = ::simt::cuda::launch_settings(config, where);
    return error != cudaSuccess ? error : ::simt::cuda::launch_now(kernel, settings, arguments, where);
}
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments,
                                       ::simt::Where where = ::simt::Where::here()) {
    const auto [settings, error] = ::simt::cuda::launch_settings(config, where);
    if (error != cudaSuccess) return error;
    return ::simt::cuda::launch_untyped("cudaLaunchKernelExC", kernel, settings, arguments, where);
}

// Takes any number of arguments, so that there is no room for the caller's line but in what comes first.
namespace simt::cuda {
struct ConfigAtLine {
    const cudaLaunchConfig_t* config;
    Where where;
    ConfigAtLine(const cudaLaunchConfig_t* c, Where w = Where::here()) : config(c), where(w) {}
};
}  // namespace simt::cuda
template <class... P, class... A>
inline cudaError_t cudaLaunchKernelEx(::simt::cuda::ConfigAtLine given, void (*kernel)(P...),
                                      A&&... arguments) {
    const auto [settings, error] = ::simt::cuda::launch_settings(given.config, given.where);
    if (error != cudaSuccess) return error;
    const cudaError_t before = ::simt::cuda::begin_launch();
    ::simt::launch(given.where, settings, ::simt::cuda::name_of_kernel(reinterpret_cast<const void*>(kernel)),
                   kernel)(std::forward<A>(arguments)...);
    return ::simt::cuda::end_launch(before);
}
