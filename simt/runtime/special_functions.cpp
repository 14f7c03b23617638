// Functions that CUDA has and the C library lacks. Accurate to a few units in the last place of a double.
#include <cmath>
#include <limits>

#include "simt/include/cuda_runtime.h"

namespace simt::cuda {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double root_of_two_pi = 2.50662827463100050242;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// P. J. Acklam's rational approximation of the normal quantile (relative error 1.15e-9), polished below.
double rough_quantile(double p) {
    constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                            1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                            6.680131188771972e+01, -1.328068155288572e+01};
    constexpr double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                            -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    constexpr double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                            3.754408661907416e+00};
    constexpr double tail = 0.02425;
    if (p > 1.0 - tail) return -rough_quantile(1.0 - p);
    if (p < tail) {
        const double q = std::sqrt(-2.0 * std::log(p));
        return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
               ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1.0);
    }
    const double q = p - 0.5, r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
           (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1.0);
}

}  // namespace

double normal_quantile(double p) {
    if (!(p >= 0.0 && p <= 1.0)) return nan_value;
    if (p == 0.0) return -infinity;
    if (p == 1.0) return infinity;
    if (p > 0.5) return -normal_quantile(1.0 - p);
    double x = rough_quantile(p);
    for (int i = 0; i < 2; ++i) {  // Halley's method
        const double error = 0.5 * std::erfc(-x / std::sqrt(2.0)) - p;
        const double step = error * root_of_two_pi * std::exp(0.5 * x * x);
        x -= step / (1.0 + 0.5 * x * step);
    }
    return x;
}

double error_inverse(double y) {
    if (!(y >= -1.0 && y <= 1.0)) return nan_value;
    if (y == 0.0) return y;
    if (y < 0.0) return -error_inverse(-y);
    if (y == 1.0) return infinity;
    double x = y < 0.5 ? 0.5 * std::sqrt(pi) * y : -normal_quantile(0.5 * (1.0 - y)) / std::sqrt(2.0);
    for (int i = 0; i < 4; ++i) {
        const double error = y < 0.5 ? std::erf(x) - y : (1.0 - y) - std::erfc(x);
        const double step = error * 0.5 * std::sqrt(pi) * std::exp(x * x);
        x -= step / (1.0 + x * step);
    }
    return x;
}

double error_complement_scaled(double x) {
    if (x < 25.0) return x < -26.7 ? infinity : std::exp(x * x) * std::erfc(x);
    // The asymptotic series 1 - t + 3 t^2 - 15 t^3 + ...: from 25 on, eight terms are exact to the last bit.
    const double t = 0.5 / (x * x);
    double sum = 1.0;
    for (int n = 15; n > 0; n -= 2) sum = 1.0 - n * t * sum;
    return sum / (x * std::sqrt(pi));
}

double bessel_i0(double x) {
    return std::cyl_bessel_i(0.0, std::fabs(x));
}
double bessel_i1(double x) {
    const double value = std::cyl_bessel_i(1.0, std::fabs(x));
    return x < 0.0 ? -value : value;
}

// The argument is reduced before it is multiplied by pi, so that whole and half numbers come out exact.
double sine_pi(double x) {
    if (!std::isfinite(x)) return nan_value;
    const double r = std::remainder(x, 2.0);  // -1 to 1
    if (r == 0.0 || std::fabs(r) == 1.0) return std::copysign(0.0, x);
    if (std::fabs(r) > 0.5) return std::copysign(std::sin(pi * (1.0 - std::fabs(r))), r);
    return std::sin(pi * r);
}
double cosine_pi(double x) {
    if (!std::isfinite(x)) return nan_value;
    const double r = std::fabs(std::remainder(x, 2.0));
    if (r == 0.5) return 0.0;
    if (r > 0.5) return -std::cos(pi * (1.0 - r));
    return std::cos(pi * r);
}

}  // namespace simt::cuda
