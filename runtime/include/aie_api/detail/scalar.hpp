// Scalar element types of vectors and what the rest needs to know of them: parts, widths, wrapping arithmetic,
// saturation. Integers wrap unless the saturation mode of the core says otherwise (UG1079, "AI Engine API").
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../../adf/types.h"
#include "core.hpp"

#ifndef AIEC_HAS_BFLOAT16
#define AIEC_HAS_BFLOAT16
// The upper half of a float (UG1603, "AI Engine-ML Data Types"). Conversion rounds to nearest, ties to even.
struct bfloat16 {
    std::uint16_t bits = 0;

    bfloat16() = default;
    bfloat16(float value) {
        std::uint32_t word;
        std::memcpy(&word, &value, sizeof word);
        const bool nan = (word & 0x7FFFFFFFU) > 0x7F800000U;
        bits = nan ? std::uint16_t((word >> 16) | 0x40U) : std::uint16_t((word + 0x7FFFU + ((word >> 16) & 1U)) >> 16);
    }
    template <typename Number, typename = std::enable_if_t<std::is_arithmetic<Number>::value>>
    bfloat16(Number value) : bfloat16(float(value)) {}

    operator float() const {
        const std::uint32_t word = std::uint32_t(bits) << 16;
        float value;
        std::memcpy(&value, &word, sizeof value);
        return value;
    }
    bfloat16 &operator+=(bfloat16 o) { return *this = float(*this) + float(o); }
    bfloat16 &operator-=(bfloat16 o) { return *this = float(*this) - float(o); }
    bfloat16 &operator*=(bfloat16 o) { return *this = float(*this) * float(o); }
};
#endif

namespace aie {
namespace sim {

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

// Keeps an operand out of template deduction, so that literals convert.
template <typename T>
struct same_type {
    using type = T;
};
template <typename T>
using same_type_t = typename same_type<T>::type;

// A real or complex element: its part type and number of parts.
template <typename T>
struct element {
    using part = T;
    static constexpr bool complex = false;
};
template <typename P>
struct element<adf::sim::complex<P>> {
    using part = P;
    static constexpr bool complex = true;
};
template <typename T>
using part_t = typename element<T>::part;
template <typename T>
constexpr bool is_complex_v = element<T>::complex;
template <typename T>
constexpr bool is_float_v = std::is_same<part_t<T>, float>::value || std::is_same<part_t<T>, bfloat16>::value;
template <typename T>
constexpr bool is_signed_v = is_float_v<T> || std::is_signed<part_t<T>>::value;
template <typename T>
constexpr unsigned bits_v = unsigned(sizeof(T) * 8);

// Types that are elements of vectors.
template <typename T>
constexpr bool is_element_v = std::is_arithmetic<T>::value || std::is_same<T, bfloat16>::value || is_complex_v<T>;

template <typename T>
constexpr part_t<T> real_of(const T &x) {
    if constexpr (is_complex_v<T>) return x.real;
    else return x;
}
template <typename T>
constexpr part_t<T> imag_of(const T &x) {
    if constexpr (is_complex_v<T>) return x.imag;
    else return part_t<T>(0);
}

// Wrapping arithmetic for every element type; floats are left alone.
struct wrap {
    template <typename P>
    static P part_add(P a, P b) {
        if constexpr (std::is_integral<P>::value) return P(std::uint64_t(a) + std::uint64_t(b));
        else return P(float(a) + float(b));
    }
    template <typename P>
    static P part_sub(P a, P b) {
        if constexpr (std::is_integral<P>::value) return P(std::uint64_t(a) - std::uint64_t(b));
        else return P(float(a) - float(b));
    }
    template <typename P>
    static P part_mul(P a, P b) {
        if constexpr (std::is_integral<P>::value) return P(std::uint64_t(a) * std::uint64_t(b));
        else return P(float(a) * float(b));
    }
    template <typename T>
    static T add(const T &a, const T &b) {
        if constexpr (is_complex_v<T>) return T(part_add(a.real, b.real), part_add(a.imag, b.imag));
        else return part_add(a, b);
    }
    template <typename T>
    static T sub(const T &a, const T &b) {
        if constexpr (is_complex_v<T>) return T(part_sub(a.real, b.real), part_sub(a.imag, b.imag));
        else return part_sub(a, b);
    }
    template <typename T>
    static T mul(const T &a, const T &b) {
        if constexpr (is_complex_v<T>)
            return T(part_sub(part_mul(a.real, b.real), part_mul(a.imag, b.imag)),
                     part_add(part_mul(a.real, b.imag), part_mul(a.imag, b.real)));
        else return part_mul(a, b);
    }
    template <typename T>
    static T neg(const T &a) {
        if constexpr (is_float_v<T> && is_complex_v<T>) return T(-a.real, -a.imag);
        else if constexpr (is_float_v<T>) return T(-float(a));
        else return sub(T(0), a);
    }
    template <typename T>
    static T conj(const T &a) {
        if constexpr (is_complex_v<T>) return T(a.real, neg(a.imag));
        else return a;
    }
};

// The value of an integer as the element type `P`, by the saturation mode of the core.
template <typename P>
P narrowed(int128 value, saturation_mode mode) {
    if (mode == saturation_mode::none) return P(std::uint64_t(uint128(value)));
    constexpr int bits = int(sizeof(P) * 8);
    constexpr bool plain = std::is_unsigned<P>::value;
    const int128 top = (int128(1) << (plain ? bits : bits - 1)) - 1;
    const int128 bottom = plain ? int128(0) : mode == saturation_mode::symmetric ? -top : -top - 1;
    return P(value > top ? top : value < bottom ? bottom : value);
}

// Is a value one that its type keeps as it is, in any mode?
template <typename P>
bool in_range(std::int64_t value) {
    constexpr int bits = int(sizeof(P) * 8);
    constexpr int digits = std::is_unsigned<P>::value && bits < 64 ? bits : bits - 1;
    constexpr std::int64_t top = std::int64_t((std::uint64_t(1) << digits) - 1);
    return value <= top && value >= (std::is_unsigned<P>::value ? 0 : -top); // the smallest number depends on the mode
}

// The scalar between another element type and this one: floats to and from bfloat16, integers by their low bits.
template <typename To, typename From>
To converted(const From &x) {
    if constexpr (is_complex_v<To>) return To(converted<part_t<To>>(real_of(x)), converted<part_t<To>>(imag_of(x)));
    else if constexpr (is_float_v<To>) return To(float(x));
    else return To(x);
}

// The element type of half and of double width, for pack and unpack.
template <typename T> struct widths;
template <> struct widths<int8> { using twice = int16; };
template <> struct widths<uint8> { using twice = uint16; };
template <> struct widths<int16> { using twice = int32; using half = int8; };
template <> struct widths<uint16> { using twice = uint32; using half = uint8; };
template <> struct widths<int32> { using twice = int64; using half = int16; };
template <> struct widths<uint32> { using twice = uint64; using half = uint16; };
template <> struct widths<cint16> { using twice = cint32; };
template <> struct widths<cint32> { using half = cint16; };

} // namespace sim
} // namespace aie
