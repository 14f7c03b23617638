// cuBLAS: handles, and what its functions share.
#include "simt/libraries/cublas.h"

#include <fmt/format.h>

#include "simt/host/timeline.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/copy.h"
#include "simt/runtime/handles.h"

namespace simt::libraries {
namespace {

struct Handle {
    int device = 0;
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
    cublasMath_t math = CUBLAS_DEFAULT_MATH;
    cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
    Where created{};
};

runtime::HandleTable<Handle>& handles() {
    static auto& table = *new runtime::HandleTable<Handle>;
    return table;
}

// nullptr, with a finding: there is no such handle.
Handle* find_handle(cublasHandle_t handle, const Call& call) {
    Handle* found = handles().find(handle);
    if (found == nullptr)
        report_refused(call, handle == nullptr ? "its handle is null" : "its handle does not exist",
                       "Create the handle with cublasCreate, and destroy it after its last use.");
    return found;
}

template <class Change>
cublasStatus_t with_handle(cublasHandle_t handle, const Call& call, Change change) {
    const ApiLock lock;
    Handle* found = find_handle(handle, call);
    return found == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : change(*found);
}

cublasStatus_t status_of(cudaError_t error) {
    switch (error) {
        case cudaSuccess:
            return CUBLAS_STATUS_SUCCESS;
        case cudaErrorInvalidValue:
            return CUBLAS_STATUS_INVALID_VALUE;
        default:
            return CUBLAS_STATUS_EXECUTION_FAILED;
    }
}

// Costs of the host, taken and not measured, in ns.
constexpr double create_ns = 400'000, destroy_ns = 200'000;

}  // namespace

Request::Request(cublasHandle_t handle, const char* name, Where where) : call_{name, where} {
    const ApiLock lock;
    const Handle* found = find_handle(handle, call_);
    if (found == nullptr) {
        status_ = CUBLAS_STATUS_NOT_INITIALIZED;
        return;
    }
    stream_ = found->stream;
    mode_ = found->pointer_mode;
}

void Request::require(bool holds, const std::string& why, const std::string& fix) {
    if (holds || !is_good()) return;
    report_refused(call_, why,
                   fix.empty() ? "Check the arguments against NVIDIA's page of this function." : fix);
    status_ = CUBLAS_STATUS_INVALID_VALUE;
}
void Request::not_negative(const char* name, int n) {
    require(n >= 0, fmt::format("{} is {}", name, n), "Sizes must not be negative.");
}
void Request::increment(const char* name, int n) {
    require(n != 0, fmt::format("{} is 0", name), "The elements of a vector are at least 1 apart.");
}
void Request::leading(const char* name, int ld, const char* matrix, int rows) {
    require(
        ld >= std::max(1, rows),
        fmt::format("{} is {}, but {} has {} rows in memory", name, ld, matrix, rows),
        fmt::format("Matrices are column-major: {} counts the elements from one column's beginning to the "
                    "next, so it is at least the number of rows of {} as it lies in memory, before any "
                    "transposition.",
                    name, matrix));
}
char Request::transposition(const char* name, cublasOperation_t operation) {
    require(operation >= CUBLAS_OP_N && operation <= CUBLAS_OP_C,
            fmt::format("{} is {}", name, static_cast<int>(operation)), "Use CUBLAS_OP_N or CUBLAS_OP_T.");
    return operation == CUBLAS_OP_N ? 'N' : 'T';
}
char Request::fill(cublasFillMode_t mode) {
    require(mode == CUBLAS_FILL_MODE_LOWER || mode == CUBLAS_FILL_MODE_UPPER,
            fmt::format("uplo is {}", static_cast<int>(mode)),
            "Use CUBLAS_FILL_MODE_LOWER or CUBLAS_FILL_MODE_UPPER.");
    return mode == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U';
}
char Request::side(cublasSideMode_t mode) {
    require(mode == CUBLAS_SIDE_LEFT || mode == CUBLAS_SIDE_RIGHT,
            fmt::format("side is {}", static_cast<int>(mode)), "Use CUBLAS_SIDE_LEFT or CUBLAS_SIDE_RIGHT.");
    return mode == CUBLAS_SIDE_LEFT ? 'L' : 'R';
}
char Request::diagonal(cublasDiagType_t type) {
    require(type == CUBLAS_DIAG_NON_UNIT || type == CUBLAS_DIAG_UNIT,
            fmt::format("diag is {}", static_cast<int>(type)),
            "Use CUBLAS_DIAG_NON_UNIT or CUBLAS_DIAG_UNIT.");
    return type == CUBLAS_DIAG_UNIT ? 'U' : 'N';
}
void Request::not_supported(const std::string& why) {
    if (!is_good()) return;
    report_refused(call_, why, "Use types that it has, or run the program on a GPU.");
    status_ = CUBLAS_STATUS_NOT_SUPPORTED;
}
void Request::no_blas() {
    if (!is_good()) return;
    report_refused(call_, "the CPU machine needs a BLAS for it, and this computer has none",
                   linear_algebra_package);
    status_ = CUBLAS_STATUS_NOT_SUPPORTED;
}

bool Request::is_on_device() const {
    return mode_ == CUBLAS_POINTER_MODE_DEVICE;
}

bool Request::check_result(const void* pointer) {
    require(pointer != nullptr, "the pointer to its result is null");
    if (!is_good()) return false;
    if (is_on_device() ||
        is_host_argument(call_, "its result", pointer,
                         "Pass a pointer to a variable of the host, or call cublasSetPointerMode(handle, "
                         "CUBLAS_POINTER_MODE_DEVICE) first."))
        return true;
    status_ = CUBLAS_STATUS_INVALID_VALUE;
    return false;
}

ScalarPtr Request::scalar_of(Work& work, const char* name, const void* pointer, bool is_double) {
    require(pointer != nullptr, fmt::format("{} is a null pointer", name));
    auto scalar = std::make_shared<Scalar>();
    if (!is_good()) return scalar;
    scalar->is_double = is_double;
    if (is_on_device()) {
        scalar->device = pointer;
        work.operands.push_back(vector(name, pointer, is_double ? 8 : 4, 1, 1, Operand::Use::reads));
        return scalar;
    }
    if (!is_host_argument(call_, name, pointer,
                          "Pass a pointer to a variable of the host, or call cublasSetPointerMode(handle, "
                          "CUBLAS_POINTER_MODE_DEVICE) first.")) {
        status_ = CUBLAS_STATUS_INVALID_VALUE;
        return scalar;
    }
    scalar->value = is_double ? *static_cast<const double*>(pointer) : *static_cast<const float*>(pointer);
    return scalar;
}

cublasStatus_t Request::queue(Work work) {
    if (!is_good()) return status_;
    return status_of(queue_call(call_, stream_, std::move(work)));
}

// Copies of cublasSetMatrix and its kin: `columns` pieces of `rows` elements.
static cublasStatus_t copy(const char* name, const runtime::Rows& rows, bool is_bad, cudaMemcpyKind kind,
                           cudaStream_t stream, bool is_async, Where where) {
    const Call call{name, where};
    if (is_bad) {
        report_refused(call, "a size is negative, or a leading dimension or stride too small",
                       "Sizes are in elements. A leading dimension is at least the number of rows.");
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    const cudaError_t error = runtime::queue_rows({name, kind, where}, rows, kind, false, stream, is_async);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

static cublasStatus_t copy_matrix(const char* name, int rows, int columns, int bytes, const void* from,
                                  int ld_from, void* to, int ld_to, cudaMemcpyKind kind, cudaStream_t stream,
                                  bool is_async, Where where) {
    const bool is_bad =
        rows < 0 || columns < 0 || bytes <= 0 || ld_from < std::max(1, rows) || ld_to < std::max(1, rows);
    const auto of = [&](int n) { return static_cast<size_t>(n) * static_cast<size_t>(bytes); };
    return copy(name, {to, of(ld_to), from, of(ld_from), of(rows), static_cast<size_t>(columns)}, is_bad,
                kind, stream, is_async, where);
}

static cublasStatus_t copy_vector(const char* name, int n, int bytes, const void* from, int inc_from,
                                  void* to, int inc_to, cudaMemcpyKind kind, cudaStream_t stream,
                                  bool is_async, Where where) {
    if (inc_from == 1 && inc_to == 1)
        return copy_matrix(name, n, 1, bytes, from, std::max(1, n), to, std::max(1, n), kind, stream,
                           is_async, where);
    return copy_matrix(name, 1, n, bytes, from, inc_from, to, inc_to, kind, stream, is_async, where);
}

}  // namespace simt::libraries

using namespace simt::libraries;
using simt::ApiLock;
using simt::Where;

cublasStatus_t cublasCreate(cublasHandle_t* handle, Where where) {
    const Call call{"cublasCreate", where};
    if (handle == nullptr) {
        report_refused(call, "the pointer to the handle is null", "Pass the address of a cublasHandle_t.");
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    const ApiLock lock;
    if (simt::runtime::enter(simt::runtime::Call::work) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = static_cast<cublasHandle_t>(
        handles().add({.device = simt::runtime::current_device(), .created = where}));
    simt::timeline::note_handle();
    simt::timeline::host_worked(call.name, create_ns, where);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle, Where where) {
    const Call call{"cublasDestroy", where};
    const ApiLock lock;
    const Handle* found = find_handle(handle, call);
    if (found == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    note_destroyed("cublasCreate", found->created);
    handles().remove(handle);
    simt::runtime::wait_for_device(where, call.name);
    simt::timeline::host_worked(call.name, destroy_ns, where);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t, int* version, Where) {
    if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value, Where) {
    constexpr int values[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
    *value = values[type];
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream, Where where) {
    return with_handle(handle, {"cublasSetStream", where}, [&](Handle& h) {
        if (simt::runtime::find_stream(stream) == nullptr) {
            simt::runtime::unknown_stream("cublasSetStream", where);
            return CUBLAS_STATUS_INVALID_VALUE;
        }
        h.stream = stream;
        return CUBLAS_STATUS_SUCCESS;
    });
}

// A setter and a getter of one member.
#define SIMT_CUBLAS_SETTING(Name, Type, member, is_known)                             \
    cublasStatus_t cublasSet##Name(cublasHandle_t handle, Type mode, Where where) {   \
        return with_handle(handle, {"cublasSet" #Name, where}, [&](Handle& h) {       \
            if (!(is_known)) return CUBLAS_STATUS_INVALID_VALUE;                      \
            h.member = mode;                                                          \
            return CUBLAS_STATUS_SUCCESS;                                             \
        });                                                                           \
    }                                                                                 \
    cublasStatus_t cublasGet##Name(cublasHandle_t handle, Type* mode, Where where) {  \
        return with_handle(handle, {"cublasGet" #Name, where}, [&](const Handle& h) { \
            if (mode == nullptr) return CUBLAS_STATUS_INVALID_VALUE;                  \
            *mode = h.member;                                                         \
            return CUBLAS_STATUS_SUCCESS;                                             \
        });                                                                           \
    }
SIMT_CUBLAS_SETTING(PointerMode, cublasPointerMode_t, pointer_mode,
                    mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE)
SIMT_CUBLAS_SETTING(MathMode, cublasMath_t, math, mode >= 0 && (mode & 0xf) <= CUBLAS_TF32_TENSOR_OP_MATH)
SIMT_CUBLAS_SETTING(AtomicsMode, cublasAtomicsMode_t, atomics,
                    mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED)

cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream, Where where) {
    return with_handle(handle, {"cublasGetStream", where}, [&](const Handle& h) {
        if (stream == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
        *stream = h.stream;
        return CUBLAS_STATUS_SUCCESS;
    });
}
// The CPU machine needs none.
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t, Where where) {
    return with_handle(handle, {"cublasSetWorkspace", where},
                       [](const Handle&) { return CUBLAS_STATUS_SUCCESS; });
}

namespace {

struct StatusText {
    cublasStatus_t status;
    const char *name, *text;
};
constexpr StatusText status_texts[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires an architectural feature absent from the device"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the function failed to launch on the GPU"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the requested functionality is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "the license check failed"},
};

}  // namespace

const char* cublasGetStatusName(cublasStatus_t status) {
    for (const StatusText& t : status_texts)
        if (t.status == status) return t.name;
    return "unrecognized status";
}
const char* cublasGetStatusString(cublasStatus_t status) {
    for (const StatusText& t : status_texts)
        if (t.status == status) return t.text;
    return "unrecognized status";
}

cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy, Where where) {
    return copy_vector("cublasSetVector", n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice, nullptr, false,
                       where);
}
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy, Where where) {
    return copy_vector("cublasGetVector", n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost, nullptr, false,
                       where);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb,
                               Where where) {
    return copy_matrix("cublasSetMatrix", rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice,
                       nullptr, false, where);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb,
                               Where where) {
    return copy_matrix("cublasGetMatrix", rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost,
                       nullptr, false, where);
}
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream, Where where) {
    return copy_vector("cublasSetVectorAsync", n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice, stream,
                       true, where);
}
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream, Where where) {
    return copy_vector("cublasGetVectorAsync", n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost, stream,
                       true, where);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void* a, int lda, void* b,
                                    int ldb, cudaStream_t stream, Where where) {
    return copy_matrix("cublasSetMatrixAsync", rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice,
                       stream, true, where);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void* a, int lda, void* b,
                                    int ldb, cudaStream_t stream, Where where) {
    return copy_matrix("cublasGetMatrixAsync", rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost,
                       stream, true, where);
}
