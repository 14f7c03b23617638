// The BLAS of this computer, by its Fortran interface.
#pragma once

namespace simt::libraries {

template <class T>
struct Blas {
    using Char = const char*;
    using Int = const int*;
    using In = const T*;
    void (*gemv)(Char trans, Int m, Int n, In alpha, In a, Int lda, In x, Int incx, In beta, T* y, Int incy);
    void (*ger)(Int m, Int n, In alpha, In x, Int incx, In y, Int incy, T* a, Int lda);
    void (*symv)(Char uplo, Int n, In alpha, In a, Int lda, In x, Int incx, In beta, T* y, Int incy);
    void (*trsv)(Char uplo, Char trans, Char diag, Int n, In a, Int lda, T* x, Int incx);
    void (*gemm)(Char ta, Char tb, Int m, Int n, Int k, In alpha, In a, Int lda, In b, Int ldb, In beta, T* c,
                 Int ldc);
    void (*symm)(Char side, Char uplo, Int m, Int n, In alpha, In a, Int lda, In b, Int ldb, In beta, T* c,
                 Int ldc);
    void (*syrk)(Char uplo, Char trans, Int n, Int k, In alpha, In a, Int lda, In beta, T* c, Int ldc);
    void (*trsm)(Char side, Char uplo, Char trans, Char diag, Int m, Int n, In alpha, In a, Int lda, T* b,
                 Int ldb);
};

// nullptr: this computer has none. T: float or double.
template <class T>
const Blas<T>* blas();

// A function of the BLAS or LAPACK by its Fortran name ("spotrf_"); nullptr: there is none.
void* linear_algebra_function(const char* name);

// What to install where there is none.
extern const char* const linear_algebra_package;

}  // namespace simt::libraries
