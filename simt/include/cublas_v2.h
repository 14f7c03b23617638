// cuBLAS, as far as the CPU machine has it: levels 1 to 3 for float (S) and double (D), over a BLAS of this computer.
// Each function is documented by NVIDIA under its name. Matrices are column-major. The last argument is the caller's
// line, for messages: never pass it.
#pragma once

#include "cuda_runtime_api.h"
#include "library_types.h"

#define SIMT_LINE ::simt::Where where = ::simt::Where::here()

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 1
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION 130100

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
// A hint; the CPU machine has one way.
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext* cublasHandle_t;

// ---- handles ----
cublasStatus_t cublasCreate(cublasHandle_t* handle, SIMT_LINE);
cublasStatus_t cublasDestroy(cublasHandle_t handle, SIMT_LINE);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version, SIMT_LINE);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value, SIMT_LINE);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream, SIMT_LINE);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream, SIMT_LINE);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode, SIMT_LINE);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode, SIMT_LINE);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode, SIMT_LINE);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode, SIMT_LINE);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode, SIMT_LINE);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode, SIMT_LINE);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes, SIMT_LINE);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

// ---- copies: n elements, or rows x columns of them, between host and device; they return when they are done ----
cublasStatus_t cublasSetVector(int n, int element_bytes, const void* x, int incx, void* d_y, int incy,
                               SIMT_LINE);
cublasStatus_t cublasGetVector(int n, int element_bytes, const void* d_x, int incx, void* y, int incy,
                               SIMT_LINE);
cublasStatus_t cublasSetMatrix(int rows, int columns, int element_bytes, const void* A, int lda, void* d_B,
                               int ldb, SIMT_LINE);
cublasStatus_t cublasGetMatrix(int rows, int columns, int element_bytes, const void* d_A, int lda, void* B,
                               int ldb, SIMT_LINE);
cublasStatus_t cublasSetVectorAsync(int n, int element_bytes, const void* x, int incx, void* d_y, int incy,
                                    cudaStream_t stream, SIMT_LINE);
cublasStatus_t cublasGetVectorAsync(int n, int element_bytes, const void* d_x, int incx, void* y, int incy,
                                    cudaStream_t stream, SIMT_LINE);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element_bytes, const void* A, int lda,
                                    void* d_B, int ldb, cudaStream_t stream, SIMT_LINE);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element_bytes, const void* d_A, int lda,
                                    void* B, int ldb, cudaStream_t stream, SIMT_LINE);

// ---- levels 1 to 3. Vectors and matrices lie on the device; scalars and results where the pointer mode says: a result
// on the host makes the call wait. S, s: the letter of type T in the functions' names ----
#define SIMT_CUBLAS_TYPE(S, s, T)                                                                            \
    cublasStatus_t cublasI##s##amax(cublasHandle_t handle, int n, const T* x, int incx, int* result,         \
                                    SIMT_LINE);                                                              \
    cublasStatus_t cublasI##s##amin(cublasHandle_t handle, int n, const T* x, int incx, int* result,         \
                                    SIMT_LINE);                                                              \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result,            \
                                   SIMT_LINE);                                                               \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result,            \
                                   SIMT_LINE);                                                               \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,  \
                                  T* result, SIMT_LINE);                                                     \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y, \
                                   int incy, SIMT_LINE);                                                     \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx, SIMT_LINE); \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy,       \
                                   SIMT_LINE);                                                               \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, SIMT_LINE); \
    cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* c,  \
                                  const T* s_, SIMT_LINE);                                                   \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,             \
                                   const T* alpha, const T* A, int lda, const T* x, int incx, const T* beta, \
                                   T* y, int incy, SIMT_LINE);                                               \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx, \
                                  const T* y, int incy, T* A, int lda, SIMT_LINE);                           \
    cublasStatus_t cublas##S##symv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,      \
                                   const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy, \
                                   SIMT_LINE);                                                               \
    cublasStatus_t cublas##S##trsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx,        \
                                   SIMT_LINE);                                                               \
    cublasStatus_t cublas##S##gemm(                                                                          \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,      \
        const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc, SIMT_LINE);  \
    cublasStatus_t cublas##S##symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,      \
                                   int m, int n, const T* alpha, const T* A, int lda, const T* B, int ldb,   \
                                   const T* beta, T* C, int ldc, SIMT_LINE);                                 \
    cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   int n, int k, const T* alpha, const T* A, int lda, const T* beta, T* C,   \
                                   int ldc, SIMT_LINE);                                                      \
    cublasStatus_t cublas##S##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,      \
                                   cublasOperation_t trans, cublasDiagType_t diag, int m, int n,             \
                                   const T* alpha, const T* A, int lda, T* B, int ldb, SIMT_LINE);           \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa,                          \
                                   cublasOperation_t transb, int m, int n, const T* alpha, const T* A,       \
                                   int lda, const T* beta, const T* B, int ldb, T* C, int ldc, SIMT_LINE);   \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t mode, int m, int n, const T* A,   \
                                   int lda, const T* x, int incx, T* C, int ldc, SIMT_LINE);                 \
    cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t transa,                   \
                                          cublasOperation_t transb, int m, int n, int k, const T* alpha,     \
                                          const T* const A[], int lda, const T* const B[], int ldb,          \
                                          const T* beta, T* const C[], int ldc, int count, SIMT_LINE);       \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                            \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,      \
        const T* alpha, const T* A, int lda, long long stride_a, const T* B, int ldb, long long stride_b,    \
        const T* beta, T* C, int ldc, long long stride_c, int count, SIMT_LINE);
SIMT_CUBLAS_TYPE(S, s, float)
SIMT_CUBLAS_TYPE(D, d, double)
#undef SIMT_CUBLAS_TYPE

// All three matrices float or all three double, computed in the same type; other types: CUBLAS_STATUS_NOT_SUPPORTED.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void* alpha, const void* A, cudaDataType Atype, int lda,
                            const void* B, cudaDataType Btype, int ldb, const void* beta, void* C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm, SIMT_LINE);

#undef SIMT_LINE
