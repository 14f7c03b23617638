// For an editor's clang: what follows, up to editor_end.h, is for host and device.
#if defined(__CUDA__)
#pragma clang force_cuda_host_device begin
#endif
