// Scalar element types of vectors and their traits: parts, widths, wrapping arithmetic, saturation.
// Integers wrap unless the saturation mode of the core is set (UG1079, "AI Engine API").
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../../adf/types.h"
#include "core.hpp"

#ifndef AIEC_HAS_BFLOAT16
#define AIEC_HAS_BFLOAT16
#if __AIE_ARCH__ == 10
// A name without values: AIE has no such numbers (UG1079, "AI Engine Data Types"; Xilinx/aie_api,
// types.hpp).
struct bfloat16 {};
template <>
inline constexpr bool adf::sim::is_name_only<bfloat16> = true;
#else
// The upper half of a float (UG1603, "AI Engine-ML Data Types"). Conversion rounds to nearest, ties
// to even.
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
#endif

namespace aie {
namespace sim {

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

// Keeps an operand out of template deduction, so that literals convert.
template <typename Type>
struct same_type {
    using type = Type;
};
template <typename Type>
using same_type_t = typename same_type<Type>::type;

// A real or complex element: its part type and number of parts.
template <typename Type>
struct element {
    using part = Type;
    static constexpr bool complex = false;
};
template <typename Part>
struct element<adf::sim::complex<Part>> {
    using part = Part;
    static constexpr bool complex = true;
};
template <typename Type>
using part_t = typename element<Type>::part;
template <typename Type>
constexpr bool is_complex_v = element<Type>::complex;
template <typename Type>
constexpr bool is_float_v =
    std::is_same<part_t<Type>, float>::value || (__AIE_ARCH__ != 10 && std::is_same<part_t<Type>, bfloat16>::value);
template <typename Type>
constexpr bool is_signed_v = is_float_v<Type> || std::is_signed<part_t<Type>>::value;
template <typename Type>
constexpr unsigned bits_v = unsigned(sizeof(Type) * 8);

// Types that are elements of vectors.
template <typename Type>
constexpr bool is_element_v = std::is_arithmetic<Type>::value || std::is_same<Type, bfloat16>::value || is_complex_v<Type>;

// True for element types that have vectors on the modelled device (UG1529, "aie::vector": supported
// types).
template <typename Type>
constexpr bool has_lanes_v =
    __AIE_ARCH__ != 10 || std::is_same<Type, int8>::value || std::is_same<Type, uint8>::value || std::is_same<Type, int16>::value ||
    std::is_same<Type, int32>::value || std::is_same<Type, float>::value || std::is_same<Type, cint16>::value ||
    std::is_same<Type, cint32>::value || std::is_same<Type, cfloat>::value;

template <typename Type>
constexpr part_t<Type> real_of(const Type &x) {
    if constexpr (is_complex_v<Type>) return x.real;
    else return x;
}
template <typename Type>
constexpr part_t<Type> imag_of(const Type &x) {
    if constexpr (is_complex_v<Type>) return x.imag;
    else return part_t<Type>(0);
}

// Wrapping arithmetic for every element type; floats are left alone.
struct wrap {
    template <typename Part>
    static Part part_add(Part a, Part b) {
        if constexpr (std::is_integral<Part>::value) return Part(std::uint64_t(a) + std::uint64_t(b));
        else return Part(float(a) + float(b));
    }
    template <typename Part>
    static Part part_sub(Part a, Part b) {
        if constexpr (std::is_integral<Part>::value) return Part(std::uint64_t(a) - std::uint64_t(b));
        else return Part(float(a) - float(b));
    }
    template <typename Part>
    static Part part_mul(Part a, Part b) {
        if constexpr (std::is_integral<Part>::value) return Part(std::uint64_t(a) * std::uint64_t(b));
        else return Part(float(a) * float(b));
    }
    template <typename Type>
    static Type add(const Type &a, const Type &b) {
        if constexpr (is_complex_v<Type>) return Type(part_add(a.real, b.real), part_add(a.imag, b.imag));
        else return part_add(a, b);
    }
    template <typename Type>
    static Type sub(const Type &a, const Type &b) {
        if constexpr (is_complex_v<Type>) return Type(part_sub(a.real, b.real), part_sub(a.imag, b.imag));
        else return part_sub(a, b);
    }
    template <typename Type>
    static Type mul(const Type &a, const Type &b) {
        if constexpr (is_complex_v<Type>)
            return Type(part_sub(part_mul(a.real, b.real), part_mul(a.imag, b.imag)),
                     part_add(part_mul(a.real, b.imag), part_mul(a.imag, b.real)));
        else return part_mul(a, b);
    }
    template <typename Type>
    static Type neg(const Type &a) {
        if constexpr (is_float_v<Type> && is_complex_v<Type>) return Type(-a.real, -a.imag);
        else if constexpr (is_float_v<Type>) return Type(-float(a));
        else return sub(Type(0), a);
    }
    template <typename Type>
    static Type conj(const Type &a) {
        if constexpr (is_complex_v<Type>) return Type(a.real, neg(a.imag));
        else return a;
    }
};

// The value of an integer as the element type `Part`, by the saturation mode of the core.
template <typename Part>
Part narrowed(int128 value, saturation_mode mode) {
    if ((unsigned(mode) & 1U) == 0) return Part(std::uint64_t(uint128(value)));
    constexpr int bits = int(sizeof(Part) * 8);
    constexpr bool plain = std::is_unsigned<Part>::value;
    const int128 top = (int128(1) << (plain ? bits : bits - 1)) - 1;
    const int128 bottom = plain ? int128(0) : mode == saturation_mode::symmetric ? -top : -top - 1;
    return Part(value > top ? top : value < bottom ? bottom : value);
}

// Is a value one that its type keeps as it is, in any mode?
template <typename Part>
bool in_range(std::int64_t value) {
    constexpr int bits = int(sizeof(Part) * 8);
    constexpr int digits = std::is_unsigned<Part>::value && bits < 64 ? bits : bits - 1;
    constexpr std::int64_t top = std::int64_t((std::uint64_t(1) << digits) - 1);
    // The smallest number depends on the mode.
    return value <= top && value >= (std::is_unsigned<Part>::value ? 0 : -top);
}

// Converts a scalar from another element type: floats to and from bfloat16, integers by their low
// bits.
template <typename To, typename From>
To converted(const From &x) {
    if constexpr (is_complex_v<To>) return To(converted<part_t<To>>(real_of(x)), converted<part_t<To>>(imag_of(x)));
    else if constexpr (is_float_v<To>) return To(float(x));
    else return To(x);
}

// The element type of half and of double width, for pack and unpack.
template <typename Type> struct widths;
template <> struct widths<int8> { using twice = int16; };
// AIE has no uint16 lanes.
template <> struct widths<uint8> { using twice = std::conditional_t<__AIE_ARCH__ == 10, int16, uint16>; };
template <> struct widths<int16> { using twice = int32; using half = int8; };
template <> struct widths<uint16> { using twice = uint32; using half = uint8; };
template <> struct widths<int32> { using twice = int64; using half = int16; };
template <> struct widths<uint32> { using twice = uint64; using half = uint16; };
template <> struct widths<cint16> { using twice = cint32; };
template <> struct widths<cint32> { using half = cint16; };

} // namespace sim
} // namespace aie
