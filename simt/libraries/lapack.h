// The LAPACK of this computer, by its Fortran interface.
#pragma once

namespace simt::libraries {

template <class T>
struct Lapack {
    using Char = const char*;
    using Int = const int*;
    using In = const T*;
    void (*potrf)(Char uplo, Int n, T* a, Int lda, int* info);
    void (*potrs)(Char uplo, Int n, Int nrhs, In a, Int lda, T* b, Int ldb, int* info);
    void (*getrf)(Int m, Int n, T* a, Int lda, int* ipiv, int* info);
    void (*getrs)(Char trans, Int n, Int nrhs, In a, Int lda, Int ipiv, T* b, Int ldb, int* info);
    void (*geqrf)(Int m, Int n, T* a, Int lda, T* tau, T* work, Int lwork, int* info);
    void (*ormqr)(Char side, Char trans, Int m, Int n, Int k, In a, Int lda, In tau, T* c, Int ldc, T* work,
                  Int lwork, int* info);
    void (*syev)(Char jobz, Char uplo, Int n, T* a, Int lda, T* w, T* work, Int lwork, int* info);
    void (*gesvd)(Char jobu, Char jobvt, Int m, Int n, T* a, Int lda, T* s, T* u, Int ldu, T* vt, Int ldvt,
                  T* work, Int lwork, int* info);
};

// nullptr: this computer has none. T: float or double.
template <class T>
const Lapack<T>* lapack();

}  // namespace simt::libraries
