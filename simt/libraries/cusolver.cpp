// cuSOLVER: handles, and what its functions share.
#include "simt/libraries/cusolver.h"

#include <fmt/format.h>

#include <algorithm>

#include "simt/host/timeline.h"
#include "simt/libraries/blas.h"
#include "simt/runtime/handles.h"

namespace simt::libraries {
namespace {

struct Handle {
    cudaStream_t stream = nullptr;
    Where created{};
};

runtime::HandleTable<Handle>& handles() {
    static auto& table = *new runtime::HandleTable<Handle>;
    return table;
}

// nullptr, with a finding: there is no such handle.
Handle* find_handle(cusolverDnHandle_t handle, const Call& call) {
    Handle* found = handles().find(handle);
    if (found == nullptr)
        report_refused(call, handle == nullptr ? "its handle is null" : "its handle does not exist",
                       "Create the handle with cusolverDnCreate, and destroy it after its last use.");
    return found;
}

cusolverStatus_t status_of(cudaError_t error) {
    switch (error) {
        case cudaSuccess:
            return CUSOLVER_STATUS_SUCCESS;
        case cudaErrorInvalidValue:
            return CUSOLVER_STATUS_INVALID_VALUE;
        default:
            return CUSOLVER_STATUS_EXECUTION_FAILED;
    }
}

// Costs of the host, taken and not measured, in ns.
constexpr double create_ns = 400'000, destroy_ns = 200'000;

}  // namespace

SolverRequest::SolverRequest(cusolverDnHandle_t handle, const char* name, Where where) : call_{name, where} {
    const ApiLock lock;
    const Handle* found = find_handle(handle, call_);
    if (found == nullptr)
        status_ = CUSOLVER_STATUS_NOT_INITIALIZED;
    else
        stream_ = found->stream;
}

void SolverRequest::require(bool holds, const std::string& why, const std::string& fix) {
    if (holds || !is_good()) return;
    report_refused(call_, why,
                   fix.empty() ? "Check the arguments against NVIDIA's page of this function." : fix);
    status_ = CUSOLVER_STATUS_INVALID_VALUE;
}
void SolverRequest::not_negative(const char* name, int n) {
    require(n >= 0, fmt::format("{} is {}", name, n), "Sizes must not be negative.");
}
void SolverRequest::leading(const char* name, int ld, const char* matrix, int rows) {
    require(ld >= std::max(1, rows),
            fmt::format("{} is {}, but {} has {} rows in memory", name, ld, matrix, rows),
            fmt::format("Matrices are column-major: {} counts the elements from one column's beginning to "
                        "the next, so it is at least the number of rows of {}.",
                        name, matrix));
}
void SolverRequest::enough_work(int given, int least, const char* asked) {
    require(given >= least, fmt::format("its workspace has {} elements, and it needs {}", given, least),
            fmt::format("Ask {} for the size with the same arguments, allocate as many elements (not bytes), "
                        "and pass that number.",
                        asked));
}
char SolverRequest::transposition(cublasOperation_t operation) {
    require(operation >= CUBLAS_OP_N && operation <= CUBLAS_OP_C,
            fmt::format("trans is {}", static_cast<int>(operation)), "Use CUBLAS_OP_N or CUBLAS_OP_T.");
    return operation == CUBLAS_OP_N ? 'N' : 'T';
}
char SolverRequest::fill(cublasFillMode_t mode) {
    require(mode == CUBLAS_FILL_MODE_LOWER || mode == CUBLAS_FILL_MODE_UPPER,
            fmt::format("uplo is {}", static_cast<int>(mode)),
            "Use CUBLAS_FILL_MODE_LOWER or CUBLAS_FILL_MODE_UPPER.");
    return mode == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U';
}
char SolverRequest::side(cublasSideMode_t mode) {
    require(mode == CUBLAS_SIDE_LEFT || mode == CUBLAS_SIDE_RIGHT,
            fmt::format("side is {}", static_cast<int>(mode)), "Use CUBLAS_SIDE_LEFT or CUBLAS_SIDE_RIGHT.");
    return mode == CUBLAS_SIDE_LEFT ? 'L' : 'R';
}
char SolverRequest::eigenvectors(cusolverEigMode_t mode) {
    require(mode == CUSOLVER_EIG_MODE_NOVECTOR || mode == CUSOLVER_EIG_MODE_VECTOR,
            fmt::format("jobz is {}", static_cast<int>(mode)),
            "Use CUSOLVER_EIG_MODE_NOVECTOR or CUSOLVER_EIG_MODE_VECTOR.");
    return mode == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
}
void SolverRequest::no_lapack() {
    if (!is_good()) return;
    report_refused(call_, "the CPU machine needs a LAPACK for it, and this computer has none",
                   linear_algebra_package);
    status_ = CUSOLVER_STATUS_NOT_SUPPORTED;
}

cusolverStatus_t SolverRequest::size(int* into, int elements) {
    require(into != nullptr, "the pointer to the size is null");
    if (is_good() && !is_host_argument(call_, "the size", into,
                                       "Pass the address of an int of the host: the function "
                                       "answers at once, without the device."))
        status_ = CUSOLVER_STATUS_INVALID_VALUE;
    if (is_good()) *into = elements;
    return status_;
}

cusolverStatus_t SolverRequest::queue(Work work, int* info) {
    if (!is_good()) return status_;
    work.operands.push_back(vector("devInfo", info, sizeof(int), 1, 1, Operand::Use::writes));
    return status_of(queue_call(call_, stream_, std::move(work)));
}

}  // namespace simt::libraries

using namespace simt::libraries;
using simt::ApiLock;
using simt::Where;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle, Where where) {
    const Call call{"cusolverDnCreate", where};
    if (handle == nullptr) {
        report_refused(call, "the pointer to the handle is null",
                       "Pass the address of a cusolverDnHandle_t.");
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    const ApiLock lock;
    if (simt::runtime::enter(simt::runtime::Call::work) != cudaSuccess)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    *handle = static_cast<cusolverDnHandle_t>(handles().add({.created = where}));
    simt::timeline::note_handle();
    simt::timeline::host_worked(call.name, create_ns, where);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle, Where where) {
    const Call call{"cusolverDnDestroy", where};
    const ApiLock lock;
    const Handle* found = find_handle(handle, call);
    if (found == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
    note_destroyed("cusolverDnCreate", found->created);
    handles().remove(handle);
    simt::runtime::wait_for_device(where, call.name);
    simt::timeline::host_worked(call.name, destroy_ns, where);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream, Where where) {
    const ApiLock lock;
    Handle* found = find_handle(handle, {"cusolverDnSetStream", where});
    if (found == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (simt::runtime::find_stream(stream) == nullptr) {
        simt::runtime::unknown_stream("cusolverDnSetStream", where);
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    found->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream, Where where) {
    const ApiLock lock;
    const Handle* found = find_handle(handle, {"cusolverDnGetStream", where});
    if (found == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (stream == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
    *stream = found->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetVersion(int* version) {
    if (version == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
    *version = CUSOLVER_VERSION;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value) {
    constexpr int values[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
    if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUSOLVER_STATUS_INVALID_VALUE;
    *value = values[type];
    return CUSOLVER_STATUS_SUCCESS;
}
