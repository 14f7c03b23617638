// A machine with nothing behind it: just enough of session.h that the player can be tested without the
// toolchain.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "simt/include/simt/session.h"

namespace {

simt_session_options session;
bool ended = false, is_spoiled = false;

void append(simt_region& region, const char* data, size_t bytes) {
    if (!region.data || *region.used > region.capacity || bytes > region.capacity - *region.used) return;
    std::memcpy(region.data + *region.used, data, bytes);
    *region.used = *region.used + bytes;
}

}  // namespace

extern "C" {

// For the tests' programs: a line of the report.
void fake_report(const char* line) {
    append(session.report, (std::string(line) + "\n").c_str(), std::strlen(line) + 1);
}
void fake_trace(const char* data, size_t bytes) {
    append(session.trace, data, bytes);
}

// As a GPU does after an error of its kernels.
void fake_spoil() {
    is_spoiled = true;
}
int simt_session_usable(void) {
    return is_spoiled ? 0 : 1;
}

int simt_time(const char*, double, double, int (*body)(void*), void* context) {
    return body(context);
}

void simt_session_begin(const simt_session_options* options) {
    session = *options;
    ended = false;
}

void simt_session_end(void) {
    if (!ended) fake_report(R"({"type":"end","exit":"returned","host_line":0})");
    ended = true;
}

void* simt_buffer_create(const char*, size_t bytes, size_t) {
    return std::calloc(bytes + 1, 1);
}
void simt_buffer_pin(const char*, void*, size_t, size_t) {}
void simt_buffer_upload(void* device, const void* host, size_t bytes) {
    std::memcpy(device, host, bytes);
}
void simt_buffer_download(void* device, void* host, size_t bytes, int) {
    std::memcpy(host, device, bytes);
}

}  // extern "C"
