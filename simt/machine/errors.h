// The cudaError_t values that the machine itself raises (CUDA 13, driver_types.h).
#pragma once

namespace simt {
enum : int {
    error_invalid_value = 1,
    error_memory_allocation = 2,
    error_invalid_configuration = 9,
    error_invalid_device_function = 98,
    error_illegal_address = 700,
    error_launch_timeout = 702,
    error_assert = 710,
    error_misaligned = 716,
    error_illegal_instruction = 715,
    error_launch_failure = 719,
};
}  // namespace simt
