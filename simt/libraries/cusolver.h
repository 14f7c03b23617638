// What the functions of cuSOLVER share.
#pragma once

#include <string>
#include <type_traits>

#include "simt/include/cusolverDn.h"
#include "simt/libraries/call.h"
#include "simt/libraries/lapack.h"

namespace simt::libraries {

// One call: checks its arguments, then queues it in the handle's stream. The first refusal is reported and decides the
// status; what follows it does nothing.
class SolverRequest {
  public:
    SolverRequest(cusolverDnHandle_t handle, const char* name, Where where);

    bool is_good() const { return status_ == CUSOLVER_STATUS_SUCCESS; }
    cusolverStatus_t status() const { return status_; }

    void require(bool holds, const std::string& why, const std::string& fix = "");
    void not_negative(const char* name, int n);
    // `rows`: of the matrix as it lies in memory.
    void leading(const char* name, int ld, const char* matrix, int rows);
    // `given` elements of a workspace that must have at least `least`.
    void enough_work(int given, int least, const char* asked);
    char transposition(cublasOperation_t operation);  // 'N' or 'T'
    char fill(cublasFillMode_t mode);                 // 'L' or 'U'
    char side(cublasSideMode_t mode);                 // 'L' or 'R'
    char eigenvectors(cusolverEigMode_t mode);        // 'N' or 'V'
    template <class T>
    const Lapack<T>* lapack() {
        const Lapack<T>* found = libraries::lapack<T>();
        if (found == nullptr) no_lapack();
        return found;
    }

    // The answer of a function _bufferSize.
    cusolverStatus_t size(int* into, int elements);
    // `info`: where the call tells whether it succeeded.
    cusolverStatus_t queue(Work work, int* info);

  private:
    void no_lapack();

    Call call_;
    cudaStream_t stream_ = nullptr;
    cusolverStatus_t status_ = CUSOLVER_STATUS_SUCCESS;
};

// What an API function that is a template for each type begins with. `what`: potrf.
#define CUSOLVER_NAME(T, what) (std::is_same_v<T, double> ? "cusolverDnD" what : "cusolverDnS" what)

}  // namespace simt::libraries
