// cuSOLVER for dense matrices, as far as the CPU machine has it, for float (S) and double (D), over a LAPACK of this
// computer: Cholesky (potrf, potrs), LU (getrf, getrs), QR (geqrf, ormqr), eigenvalues of a symmetric matrix (syevd),
// singular values (gesvd). Each function is documented by NVIDIA under its name.
//
// Matrices are column-major and lie on the device, as do a call's workspace and its devInfo: 0 after success, i > 0 where
// row i made it impossible. Lwork counts elements, and a function _bufferSize tells the least of them. The last argument
// is the caller's line, for messages: never pass it.
#pragma once

#include "cublas_v2.h"
#include "cusolver_common.h"

#define SIMT_LINE ::simt::Where where = ::simt::Where::here()

typedef struct cusolverDnContext* cusolverDnHandle_t;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle, SIMT_LINE);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle, SIMT_LINE);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream, SIMT_LINE);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream, SIMT_LINE);
cusolverStatus_t cusolverGetVersion(int* version);
cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value);

// S: the letter of type T in the functions' names.
#define SIMT_CUSOLVER_TYPE(S, T)                                                                             \
    cusolverStatus_t cusolverDn##S##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,       \
                                                     int n, T* A, int lda, int* Lwork, SIMT_LINE);           \
    cusolverStatus_t cusolverDn##S##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A,     \
                                          int lda, T* Workspace, int Lwork, int* devInfo, SIMT_LINE);        \
    cusolverStatus_t cusolverDn##S##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, \
                                          const T* A, int lda, T* B, int ldb, int* devInfo, SIMT_LINE);      \
    cusolverStatus_t cusolverDn##S##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T* A, int lda, \
                                                     int* Lwork, SIMT_LINE);                                 \
    cusolverStatus_t cusolverDn##S##getrf(cusolverDnHandle_t handle, int m, int n, T* A, int lda,            \
                                          T* Workspace, int* devIpiv, int* devInfo, SIMT_LINE);              \
    cusolverStatus_t cusolverDn##S##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n,         \
                                          int nrhs, const T* A, int lda, const int* devIpiv, T* B, int ldb,  \
                                          int* devInfo, SIMT_LINE);                                          \
    cusolverStatus_t cusolverDn##S##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T* A, int lda, \
                                                     int* lwork, SIMT_LINE);                                 \
    cusolverStatus_t cusolverDn##S##geqrf(cusolverDnHandle_t handle, int m, int n, T* A, int lda, T* TAU,    \
                                          T* Workspace, int Lwork, int* devInfo, SIMT_LINE);                 \
    cusolverStatus_t cusolverDn##S##ormqr_bufferSize(                                                        \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,      \
        const T* A, int lda, const T* tau, const T* C, int ldc, int* lwork, SIMT_LINE);                      \
    cusolverStatus_t cusolverDn##S##ormqr(                                                                   \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,      \
        const T* A, int lda, const T* tau, T* C, int ldc, T* work, int lwork, int* devInfo, SIMT_LINE);      \
    cusolverStatus_t cusolverDn##S##syevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,      \
                                                     cublasFillMode_t uplo, int n, const T* A, int lda,      \
                                                     const T* W, int* lwork, SIMT_LINE);                     \
    cusolverStatus_t cusolverDn##S##syevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                 \
                                          cublasFillMode_t uplo, int n, T* A, int lda, T* W, T* work,        \
                                          int lwork, int* info, SIMT_LINE);                                  \
    cusolverStatus_t cusolverDn##S##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* lwork,    \
                                                     SIMT_LINE);                                             \
    cusolverStatus_t cusolverDn##S##gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt,    \
                                          int m, int n, T* A, int lda, T* S_, T* U, int ldu, T* VT,          \
                                          int ldvt, T* work, int lwork, T* rwork, int* info, SIMT_LINE);
SIMT_CUSOLVER_TYPE(S, float)
SIMT_CUSOLVER_TYPE(D, double)
#undef SIMT_CUSOLVER_TYPE

#undef SIMT_LINE
