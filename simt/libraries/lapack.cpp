#include "simt/libraries/lapack.h"

#include <string>

#include "simt/libraries/blas.h"

namespace simt::libraries {
namespace {

template <class F>
bool find(F& function, const std::string& name) {
    function = reinterpret_cast<F>(linear_algebra_function(name.c_str()));
    return function != nullptr;
}

template <class T>
const Lapack<T>* load(const std::string& type) {
    static Lapack<T> l;
    const bool all = find(l.potrf, type + "potrf_") && find(l.potrs, type + "potrs_") &&
                     find(l.getrf, type + "getrf_") && find(l.getrs, type + "getrs_") &&
                     find(l.geqrf, type + "geqrf_") && find(l.ormqr, type + "ormqr_") &&
                     find(l.syev, type + "syev_") && find(l.gesvd, type + "gesvd_");
    return all ? &l : nullptr;
}

}  // namespace

template <>
const Lapack<float>* lapack<float>() {
    static const Lapack<float>* const found = load<float>("s");
    return found;
}
template <>
const Lapack<double>* lapack<double>() {
    static const Lapack<double>* const found = load<double>("d");
    return found;
}

}  // namespace simt::libraries
