#include "simt/libraries/blas.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <string>

namespace simt::libraries {

const char* const linear_algebra_package =
    "Install one (on Debian and Ubuntu: sudo apt install libopenblas0-pthread).";

namespace {

// One thread: results are then the same in every run, and a player may not be allowed to make more.
class OneThread {
  public:
    OneThread() {
        if (const char* before = std::getenv(name)) before_ = before;
        was_set_ = std::getenv(name) != nullptr;
        setenv(name, "1", 1);
    }
    ~OneThread() {
        if (was_set_)
            setenv(name, before_.c_str(), 1);
        else
            unsetenv(name);
    }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

  private:
    static constexpr const char* name = "OPENBLAS_NUM_THREADS";
    std::string before_;
    bool was_set_ = false;
};

// OpenBLAS has both; elsewhere they are two.
std::array<void*, 2> open_libraries() {
    const OneThread one;
    constexpr int how = RTLD_NOW | RTLD_LOCAL;
    if (void* both = dlopen("libopenblas.so.0", how)) return {both, nullptr};
    return {dlopen("libblas.so.3", how), dlopen("liblapack.so.3", how)};
}

template <class F>
bool find(F& function, const std::string& name) {
    function = reinterpret_cast<F>(linear_algebra_function(name.c_str()));
    return function != nullptr;
}

template <class T>
const Blas<T>* load(const std::string& type) {
    static Blas<T> b;
    const bool all = find(b.gemv, type + "gemv_") && find(b.ger, type + "ger_") &&
                     find(b.symv, type + "symv_") && find(b.trsv, type + "trsv_") &&
                     find(b.gemm, type + "gemm_") && find(b.symm, type + "symm_") &&
                     find(b.syrk, type + "syrk_") && find(b.trsm, type + "trsm_");
    return all ? &b : nullptr;
}

}  // namespace

void* linear_algebra_function(const char* name) {
    static const std::array<void*, 2> libraries = open_libraries();
    for (void* library : libraries) {
        if (library == nullptr) continue;
        if (void* function = dlsym(library, name)) return function;
    }
    return nullptr;
}

template <>
const Blas<float>* blas<float>() {
    static const Blas<float>* const found = load<float>("s");
    return found;
}
template <>
const Blas<double>* blas<double>() {
    static const Blas<double>* const found = load<double>("d");
    return found;
}

}  // namespace simt::libraries
