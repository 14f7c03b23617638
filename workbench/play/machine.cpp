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

Machine load_machine(const std::string& library) {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        throw std::runtime_error(std::string("The CPU machine did not load: ") + dlerror() +
                                 ". Build again.");
    Machine machine;
    machine.backend = "cpu";
    machine.path = library;
    resolve(handle, "simt_session_begin", machine.begin, library);
    resolve(handle, "simt_session_end", machine.end, library);
    resolve(handle, "simt_buffer_create", machine.create, library);
    resolve(handle, "simt_buffer_pin", machine.pin, library);
    resolve(handle, "simt_buffer_upload", machine.upload, library);
    resolve(handle, "simt_buffer_download", machine.download, library);
    return machine;
}

}  // namespace lab
