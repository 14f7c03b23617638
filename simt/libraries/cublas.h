// What the functions of cuBLAS share.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "simt/include/cublas_v2.h"
#include "simt/libraries/blas.h"
#include "simt/libraries/call.h"

namespace simt::libraries {

using ScalarPtr = std::shared_ptr<const Scalar>;

// A result of one number, in the host's memory or the device's.
template <class R>
struct Result {
    R* host = nullptr;
    R* device = nullptr;
    void set(R value) const { *(device != nullptr ? view(device) : host) = value; }
};

// One call: checks its arguments, then queues it in the handle's stream. The first refusal is reported and decides the
// status; what follows it does nothing.
class Request {
  public:
    Request(cublasHandle_t handle, const char* name, Where where);

    bool is_good() const { return status_ == CUBLAS_STATUS_SUCCESS; }
    cublasStatus_t status() const { return status_; }
    const Call& call() const { return call_; }

    void require(bool holds, const std::string& why, const std::string& fix = "");
    void not_negative(const char* name, int n);
    void increment(const char* name, int n);
    // `rows`: of the matrix as it lies in memory.
    void leading(const char* name, int ld, const char* matrix, int rows);
    char transposition(const char* name, cublasOperation_t operation);  // 'N' or 'T'
    char fill(cublasFillMode_t mode);                                   // 'L' or 'U'
    char side(cublasSideMode_t mode);                                   // 'L' or 'R'
    char diagonal(cublasDiagType_t type);                               // 'N' or 'U'
    void not_supported(const std::string& why);
    template <class T>
    const Blas<T>* blas() {
        const Blas<T>* found = libraries::blas<T>();
        if (found == nullptr) no_blas();
        return found;
    }

    // Where the pointer mode says. One on the device becomes an operand of `work`.
    template <class T>
    ScalarPtr scalar(Work& work, const char* name, const T* pointer) {
        return scalar_of(work, name, pointer, std::is_same_v<T, double>);
    }
    template <class R>
    Result<R> result(Work& work, R* pointer) {
        if (!check_result(pointer)) return {};
        if (!is_on_device()) {
            work.waits = true;
            return {pointer, nullptr};
        }
        work.operands.push_back(vector("result", pointer, sizeof(R), 1, 1, Operand::Use::writes));
        return {nullptr, pointer};
    }

    cublasStatus_t queue(Work work);

  private:
    bool is_on_device() const;
    bool check_result(const void* pointer);
    ScalarPtr scalar_of(Work& work, const char* name, const void* pointer, bool is_double);
    void no_blas();

    Call call_;
    cudaStream_t stream_ = nullptr;
    cublasPointerMode_t mode_ = CUBLAS_POINTER_MODE_HOST;
    cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
};

// The part that uplo 'L' or 'U' names.
inline Operand::Part part_of(char fill) {
    return fill == 'L' ? Operand::Part::lower : Operand::Part::upper;
}

// What an API function that is a template for each type begins with. `what`: gemm.
#define CUBLAS_NAME(T, what) (std::is_same_v<T, double> ? "cublasD" what : "cublasS" what)

}  // namespace simt::libraries
