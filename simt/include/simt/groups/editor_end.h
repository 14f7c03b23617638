#if defined(__CUDA__)
#pragma clang force_cuda_host_device end
#endif
