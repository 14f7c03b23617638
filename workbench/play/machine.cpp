#include "workbench/play/machine.h"

#include <dlfcn.h>

#include <stdexcept>

namespace lab {

namespace {

template <class F>
void resolve(void* library, const char* name, F& function, const std::string& path) {
    function = reinterpret_cast<F>(dlsym(library, name));
    if (function) return;
    throw std::runtime_error(path + " has no function " + name +
                             ": it is not the machine that this cudalab was built with. Build again.");
}

}  // namespace

Machine load_machine(const std::string& library, const std::string& backend) {
    // What is not the CPU machine stands before the libraries of the programs that it loads: it sees their launches.
    const bool is_cpu = backend == "cpu";
    void* handle = dlopen(library.c_str(), RTLD_NOW | (is_cpu ? RTLD_LOCAL : RTLD_GLOBAL));
    if (!handle)
        throw std::runtime_error(std::string(is_cpu ? "The CPU machine did not load: "
                                                    : "The library for the GPU did not load: ") +
                                 dlerror() + ". Build again.");
    Machine machine;
    machine.backend = backend;
    machine.path = library;
    resolve(handle, "simt_session_begin", machine.begin, library);
    resolve(handle, "simt_session_end", machine.end, library);
    resolve(handle, "simt_buffer_create", machine.create, library);
    resolve(handle, "simt_buffer_pin", machine.pin, library);
    resolve(handle, "simt_buffer_upload", machine.upload, library);
    resolve(handle, "simt_buffer_download", machine.download, library);
    if (is_cpu) return machine;
    resolve(handle, "simt_session_usable", machine.usable, library);
    resolve(handle, "simt_time", machine.time, library);
    return machine;
}

}  // namespace lab
