// Arithmetic and conversions in a given rounding direction, on the CPU's own rounding mode.
#include <cfenv>
#include <cmath>

#include "simt/include/cuda_runtime.h"

// Operands and results are volatile, so that the compiler neither folds an operation nor moves it across a
// change of mode.
namespace simt::cuda {
namespace {

class Direction {
  public:
    explicit Direction(Rounding r) : before_(std::fegetround()) {
        switch (r) {
            case Rounding::nearest:
                std::fesetround(FE_TONEAREST);
                break;
            case Rounding::zero:
                std::fesetround(FE_TOWARDZERO);
                break;
            case Rounding::up:
                std::fesetround(FE_UPWARD);
                break;
            case Rounding::down:
                std::fesetround(FE_DOWNWARD);
                break;
        }
    }
    ~Direction() { std::fesetround(before_); }
    Direction(const Direction&) = delete;
    Direction& operator=(const Direction&) = delete;

  private:
    int before_;
};

template <class T>
T add_in(T x, T y, Rounding r) {
    volatile T a = x, b = y;
    const Direction direction(r);
    volatile T result = a + b;
    return result;
}
template <class T>
T multiply_in(T x, T y, Rounding r) {
    volatile T a = x, b = y;
    const Direction direction(r);
    volatile T result = a * b;
    return result;
}
template <class T>
T divide_in(T x, T y, Rounding r) {
    volatile T a = x, b = y;
    const Direction direction(r);
    volatile T result = a / b;
    return result;
}
template <class T>
T root_in(T x, Rounding r) {
    volatile T a = x;
    const Direction direction(r);
    volatile T result = std::sqrt(T(a));
    return result;
}
template <class T>
T fused_in(T x, T y, T z, Rounding r) {
    volatile T a = x, b = y, c = z;
    const Direction direction(r);
    volatile T result = std::fma(T(a), T(b), T(c));
    return result;
}
template <class To, class From>
To convert_in(From x, Rounding r) {
    volatile From a = x;
    const Direction direction(r);
    volatile To result = static_cast<To>(a);
    return result;
}

double to_whole(double x, Rounding r) {
    switch (r) {
        case Rounding::nearest:
            return std::nearbyint(x);
        case Rounding::zero:
            return std::trunc(x);
        case Rounding::up:
            return std::ceil(x);
        case Rounding::down:
            return std::floor(x);
    }
    return x;
}

}  // namespace

float add(float x, float y, Rounding r) {
    return add_in(x, y, r);
}
float multiply(float x, float y, Rounding r) {
    return multiply_in(x, y, r);
}
float divide(float x, float y, Rounding r) {
    return divide_in(x, y, r);
}
float square_root(float x, Rounding r) {
    return root_in(x, r);
}
float fused(float x, float y, float z, Rounding r) {
    return fused_in(x, y, z, r);
}
double add(double x, double y, Rounding r) {
    return add_in(x, y, r);
}
double multiply(double x, double y, Rounding r) {
    return multiply_in(x, y, r);
}
double divide(double x, double y, Rounding r) {
    return divide_in(x, y, r);
}
double square_root(double x, Rounding r) {
    return root_in(x, r);
}
double fused(double x, double y, double z, Rounding r) {
    return fused_in(x, y, z, r);
}
float to_float(long long x, Rounding r) {
    return convert_in<float>(x, r);
}
float to_float(unsigned long long x, Rounding r) {
    return convert_in<float>(x, r);
}
float to_float(double x, Rounding r) {
    return convert_in<float>(x, r);
}
double to_double(long long x, Rounding r) {
    return convert_in<double>(x, r);
}
double to_double(unsigned long long x, Rounding r) {
    return convert_in<double>(x, r);
}

long long to_integer(double x, Rounding r, long long least, long long most) {
    if (std::isnan(x)) return most > 2147483647 ? least : 0;
    const double whole = to_whole(x, r);
    if (whole <= static_cast<double>(least)) return least;
    return whole >= static_cast<double>(most) ? most : static_cast<long long>(whole);
}

unsigned long long to_unsigned(double x, Rounding r, unsigned long long most) {
    if (std::isnan(x)) return most > 0xffffffffu ? 0x8000000000000000u : 0;
    const double whole = to_whole(x, r);
    if (whole <= 0.0) return 0;
    return whole >= static_cast<double>(most) ? most : static_cast<unsigned long long>(whole);
}

}  // namespace simt::cuda
