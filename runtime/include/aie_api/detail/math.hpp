// Conversions between fixed and floating point, and elementary functions (UG1529, "Floating-point
// Conversion", "Elementary Functions"; UG1078, "Elementary Functions"). The device approximates the
// elementary functions; here they are correctly rounded or nearly so: compare with a tolerance.
#pragma once

#include <cmath>
#include <utility>

#include "arithmetic.hpp"

namespace aie {
namespace sim {

// A float with `shift` fractional bits as a 32-bit integer: the nearest, ties to even, within its
// range; then cut to the type asked for. Not a number becomes zero.
template <typename To>
To fixed(float x, int shift) {
    const double scaled = std::nearbyint(std::ldexp(double(x), shift));
    if (std::isnan(scaled)) return To(0);
    constexpr double top = std::is_unsigned<To>::value ? 4294967295.0 : 2147483647.0;
    constexpr double bottom = std::is_unsigned<To>::value ? 0.0 : -2147483648.0;
    return To(std::int64_t(scaled > top ? top : scaled < bottom ? bottom : scaled));
}

template <typename To, typename Type>
To fixed_element(const Type &x, int shift) {
    using Part = part_t<To>;
    if constexpr (is_complex_v<To>) return To(fixed<Part>(float(x.real), shift), fixed<Part>(float(x.imag), shift));
    else return fixed<Part>(float(x), shift);
}
template <typename To, typename Type>
To floating_element(const Type &x, int shift) {
    using Part = part_t<To>;
    const auto scaled = [shift](auto part) { return Part(float(std::ldexp(double(part), -shift))); };
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

template <typename Type, typename Function>
auto elementary(const Type &x, Function function) {
    if constexpr (std::is_integral<Type>::value) return Type(q15(function(angle(std::int32_t(x)))));
    else return Type(float(function(double(float(x)))));
}

template <typename Left, typename Function>
auto circular_function(const Left &a, Function function) {
    const auto all = eachlane(a, [&](const auto &x) { return elementary(x, function); });
    if constexpr (operand<Left>::size == 0 && !is_float_v<value_t<Left>>) return int16(all);
    else return all;
}

template <typename Operand, typename Function>
auto each_float(const Operand &x, Function function) {
    return eachlane(x, [&](const auto &value) {
        using Type = std::decay_t<decltype(value)>;
        if constexpr (is_float_v<Type>) return Type(float(function(double(float(value)))));
        else return float(function(double(value)));
    });
}
template <unsigned Lanes, typename Function>
accum<accfloat, Lanes> each_float(const accum<accfloat, Lanes> &a, Function function) {
    adf::sim::counts::quiet whole;
    accum<accfloat, Lanes> r;
    for (unsigned i = 0; i < Lanes; ++i) r.lane_at(i).real = float(function(double(a.lane_at(i).real)));
    whole.end();
    adf::sim::counts::worked(r, 1, true, a);
    return r;
}

// Lane i of the result is `convert(lane i)`, in one conversion of the whole operand.
template <typename To, typename Left, typename Convert>
vector<To, operand<Left>::size> converted_lanes(const Left &a, Convert convert) {
    adf::sim::counts::quiet whole;
    vector<To, operand<Left>::size> v;
    for (unsigned i = 0; i < v.size(); ++i) v[i] = convert(operand<Left>::lane(a, i));
    whole.end();
    adf::sim::counts::worked(v, (v.bits() + 511) / 512, true, a);
    return v;
}

template <typename To, typename Left>
auto to_fixed(const Left &a, int shift) {
    const auto convert = [shift](const auto &x) { return fixed_element<To>(x, shift); };
    if constexpr (operand<Left>::size == 0) return convert(operand<Left>::lane(a, 0));
    else return converted_lanes<To>(a, convert);
}
template <typename To, typename Left>
auto to_float(const Left &a, int shift) {
    using Result = std::conditional_t<is_complex_v<value_t<Left>>, cfloat, To>;
    const auto convert = [shift](const auto &x) { return floating_element<Result>(x, shift); };
    if constexpr (operand<Left>::size == 0) return convert(operand<Left>::lane(a, 0));
    else return converted_lanes<Result>(a, convert);
}

} // namespace sim

// The lanes and the type of the vector may be named, too: `to_fixed<int32, 8>(v)` and
// `to_float<float, int32, 8>(v)` (UG1529 2022.2 and 2023.1, "Floating-point Conversion").
template <typename To = int32, typename Left, sim::if_operand<Left> = 0>
auto to_fixed(const Left &a, int shift = 0) {
    return sim::to_fixed<To>(a, shift);
}
template <typename To, unsigned Lanes, typename Type>
vector<To, Lanes> to_fixed(const vector<Type, Lanes> &v, int shift = 0) {
    return sim::to_fixed<To>(v, shift);
}
template <typename To = float, typename Left, sim::if_operand<Left> = 0>
auto to_float(const Left &a, int shift = 0) {
    return sim::to_float<To>(a, shift);
}
template <typename To, typename Type, unsigned Lanes>
auto to_float(const vector<Type, Lanes> &v, int shift = 0) {
    return sim::to_float<To>(v, shift);
}

template <typename Operand>
auto inv(const Operand &x) {
    return sim::each_float(x, [](double v) { return 1.0 / v; });
}
template <typename Operand>
auto sqrt(const Operand &x) {
    return sim::each_float(x, [](double v) { return std::sqrt(v); });
}
template <typename Operand>
auto invsqrt(const Operand &x) {
    return sim::each_float(x, [](double v) { return 1.0 / std::sqrt(v); });
}
#if __AIE_ARCH__ != 10
template <typename Operand>
auto exp2(const Operand &x) {
    return sim::each_float(x, [](double v) { return std::exp2(v); });
}
template <typename Operand>
auto tanh(const Operand &x) {
    return sim::each_float(x, [](double v) { return std::tanh(v); });
}
#endif
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto div(const Left &a, const Right &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) {
        using Type = std::decay_t<decltype(x)>;
        static_assert(sim::is_float_v<Type> && !sim::is_complex_v<Type>, "only floats divide");
        return Type(float(x) / float(y));
    });
}

// Floats are angles in radians. Integers are Q1.31 scaled by 1/pi, and the result is Q.15: in lanes
// as wide as the angles, or an int16 for a scalar.
template <typename Left, sim::if_operand<Left> = 0>
auto sin(const Left &a) {
    return sim::circular_function(a, [](double v) { return std::sin(v); });
}
template <typename Left, sim::if_operand<Left> = 0>
auto cos(const Left &a) {
    return sim::circular_function(a, [](double v) { return std::cos(v); });
}
template <typename Left, sim::if_operand<Left> = 0>
auto sincos(const Left &a) {
    return std::make_pair(sin(a), cos(a));
}
// Cosine and sine as real and imaginary part.
template <typename Left, sim::if_operand<Left> = 0>
auto sincos_complex(const Left &a) {
    using Result = std::conditional_t<sim::is_float_v<sim::value_t<Left>>, cfloat, cint16>;
    using Part = sim::part_t<Result>;
    if constexpr (sim::operand<Left>::size == 0) return Result(Part(cos(a)), Part(sin(a)));
    else {
        const auto real = cos(a), imag = sin(a);
        vector<Result, sim::operand<Left>::size> v;
        for (unsigned i = 0; i < v.size(); ++i) v[i] = Result(Part(real[i]), Part(imag[i]));
        return v;
    }
}

} // namespace aie
