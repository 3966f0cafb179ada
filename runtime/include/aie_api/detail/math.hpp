// Conversions between fixed and floating point, and elementary functions (UG1529, "Floating-point Conversion",
// "Elementary Functions"; UG1078, "Elementary Functions"). The device approximates the elementary functions; here they
// are correctly rounded or nearly so: compare with a tolerance.
#pragma once

#include <cmath>
#include <utility>

#include "arithmetic.hpp"

namespace aie {
namespace sim {

// A float with `shift` fractional bits as a 32-bit integer: the nearest, ties to even, within its range; then cut to
// the type asked for. Not a number becomes zero.
template <typename To>
To fixed(float x, int shift) {
    const double scaled = std::nearbyint(std::ldexp(double(x), shift));
    if (std::isnan(scaled)) return To(0);
    constexpr double top = std::is_unsigned<To>::value ? 4294967295.0 : 2147483647.0;
    constexpr double bottom = std::is_unsigned<To>::value ? 0.0 : -2147483648.0;
    return To(std::int64_t(scaled > top ? top : scaled < bottom ? bottom : scaled));
}

template <typename To, typename T>
To fixed_element(const T &x, int shift) {
    using P = part_t<To>;
    if constexpr (is_complex_v<To>) return To(fixed<P>(float(x.real), shift), fixed<P>(float(x.imag), shift));
    else return fixed<P>(float(x), shift);
}
template <typename To, typename T>
To floating_element(const T &x, int shift) {
    using P = part_t<To>;
    const auto scaled = [shift](auto part) { return P(float(std::ldexp(double(part), -shift))); };
    if constexpr (is_complex_v<To>) return To(scaled(x.real), scaled(x.imag));
    else return scaled(x);
}

// The angle of an integer: Q1.31, scaled by 1/pi, of which the upper 20 bits count.
inline double angle(std::int32_t x) { return double(x & ~0xFFF) * (3.14159265358979323846 / 2147483648.0); }
// A sine or cosine as Q.15.
inline std::int32_t q15(double value) {
    const double scaled = std::nearbyint(value * 32768.0);
    return std::int32_t(scaled > 32767.0 ? 32767.0 : scaled);
}

template <typename T, typename Function>
auto elementary(const T &x, Function function) {
    if constexpr (std::is_integral<T>::value) return T(q15(function(angle(std::int32_t(x)))));
    else return T(float(function(double(float(x)))));
}

template <typename A, typename Function>
auto circular_function(const A &a, Function function) {
    const auto all = eachlane(a, [&](const auto &x) { return elementary(x, function); });
    if constexpr (operand<A>::size == 0 && !is_float_v<value_t<A>>) return int16(all);
    else return all;
}

template <typename X, typename Function>
auto each_float(const X &x, Function function) {
    return eachlane(x, [&](const auto &value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (is_float_v<T>) return T(float(function(double(float(value)))));
        else return float(function(double(value)));
    });
}
template <unsigned N, typename Function>
accum<accfloat, N> each_float(const accum<accfloat, N> &a, Function function) {
    accum<accfloat, N> r;
    for (unsigned i = 0; i < N; ++i) r.lane_at(i).real = float(function(double(a.lane_at(i).real)));
    return r;
}

} // namespace sim

template <typename To = int32, typename A, sim::if_operand<A> = 0>
auto to_fixed(const A &a, int shift = 0) {
    if constexpr (sim::operand<A>::size == 0) return sim::fixed_element<To>(sim::operand<A>::lane(a, 0), shift);
    else {
        vector<To, sim::operand<A>::size> v;
        for (unsigned i = 0; i < v.size(); ++i) v[i] = sim::fixed_element<To>(sim::operand<A>::lane(a, i), shift);
        return v;
    }
}
template <typename To = float, typename A, sim::if_operand<A> = 0>
auto to_float(const A &a, int shift = 0) {
    using F = std::conditional_t<sim::is_complex_v<sim::value_t<A>>, cfloat, To>;
    if constexpr (sim::operand<A>::size == 0) return sim::floating_element<F>(sim::operand<A>::lane(a, 0), shift);
    else {
        vector<F, sim::operand<A>::size> v;
        for (unsigned i = 0; i < v.size(); ++i) v[i] = sim::floating_element<F>(sim::operand<A>::lane(a, i), shift);
        return v;
    }
}

template <typename X>
auto inv(const X &x) {
    return sim::each_float(x, [](double v) { return 1.0 / v; });
}
template <typename X>
auto sqrt(const X &x) {
    return sim::each_float(x, [](double v) { return std::sqrt(v); });
}
template <typename X>
auto invsqrt(const X &x) {
    return sim::each_float(x, [](double v) { return 1.0 / std::sqrt(v); });
}
template <typename X>
auto exp2(const X &x) {
    return sim::each_float(x, [](double v) { return std::exp2(v); });
}
template <typename X>
auto tanh(const X &x) {
    return sim::each_float(x, [](double v) { return std::tanh(v); });
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto div(const A &a, const B &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) {
        using T = std::decay_t<decltype(x)>;
        static_assert(sim::is_float_v<T> && !sim::is_complex_v<T>, "only floats divide");
        return T(float(x) / float(y));
    });
}

// Floats are angles in radians. Integers are Q1.31 scaled by 1/pi, and the result is Q.15: in lanes as wide as the
// angles, or an int16 for a scalar.
template <typename A, sim::if_operand<A> = 0>
auto sin(const A &a) {
    return sim::circular_function(a, [](double v) { return std::sin(v); });
}
template <typename A, sim::if_operand<A> = 0>
auto cos(const A &a) {
    return sim::circular_function(a, [](double v) { return std::cos(v); });
}
template <typename A, sim::if_operand<A> = 0>
auto sincos(const A &a) {
    return std::make_pair(sin(a), cos(a));
}
// Cosine and sine as real and imaginary part.
template <typename A, sim::if_operand<A> = 0>
auto sincos_complex(const A &a) {
    using C = std::conditional_t<sim::is_float_v<sim::value_t<A>>, cfloat, cint16>;
    using P = sim::part_t<C>;
    if constexpr (sim::operand<A>::size == 0) return C(P(cos(a)), P(sin(a)));
    else {
        const auto real = cos(a), imag = sin(a);
        vector<C, sim::operand<A>::size> v;
        for (unsigned i = 0; i < v.size(); ++i) v[i] = C(P(real[i]), P(imag[i]));
        return v;
    }
}

} // namespace aie
