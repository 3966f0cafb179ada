// Scalar element types of windows, as ADF kernels spell them (UG1079, "data types"): global names,
// no namespace.
#pragma once

#include <cstdint>

using int8 = std::int8_t;
using int16 = std::int16_t;
using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint16 = std::uint16_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;

// The core's compiler knows C's keyword in C++, too, whatever header came first.
#ifndef restrict
#define restrict __restrict
#endif

namespace adf {
namespace sim {

// Wrapping integer arithmetic (the vector and complex units do not saturate by default). Floats are
// unchanged.
template <typename Type>
struct arithmetic {
    static Type add(Type a, Type b) { return Type(std::uint64_t(a) + std::uint64_t(b)); }
    static Type sub(Type a, Type b) { return Type(std::uint64_t(a) - std::uint64_t(b)); }
    static Type mul(Type a, Type b) { return Type(std::uint64_t(a) * std::uint64_t(b)); }
    static Type neg(Type a) { return Type(std::uint64_t(0) - std::uint64_t(a)); }
};

template <>
struct arithmetic<float> {
    static float add(float a, float b) { return a + b; }
    static float sub(float a, float b) { return a - b; }
    static float mul(float a, float b) { return a * b; }
    static float neg(float a) { return -a; }
};

// A complex number whose parts are laid out real first, as windows, PLIO files and GMIO memory
// expect.
template <typename Part>
struct complex {
    Part real = 0;
    Part imag = 0;

    complex() = default;
    constexpr complex(Part r, Part i = 0) : real(r), imag(i) {}

    complex &operator+=(const complex &o) { return *this = *this + o; }
    complex &operator-=(const complex &o) { return *this = *this - o; }
    complex &operator*=(const complex &o) { return *this = *this * o; }

    friend complex operator+(const complex &a, const complex &b) {
        return {math::add(a.real, b.real), math::add(a.imag, b.imag)};
    }
    friend complex operator-(const complex &a, const complex &b) {
        return {math::sub(a.real, b.real), math::sub(a.imag, b.imag)};
    }
    friend complex operator-(const complex &a) { return {math::neg(a.real), math::neg(a.imag)}; }
    friend complex operator*(const complex &a, const complex &b) {
        return {math::sub(math::mul(a.real, b.real), math::mul(a.imag, b.imag)),
                math::add(math::mul(a.real, b.imag), math::mul(a.imag, b.real))};
    }
    // Each part by itself, of complex integers.
    friend complex operator<<(const complex &a, int by) { return {Part(a.real << by), Part(a.imag << by)}; }
    friend complex operator>>(const complex &a, int by) { return {Part(a.real >> by), Part(a.imag >> by)}; }
    friend bool operator==(const complex &a, const complex &b) { return a.real == b.real && a.imag == b.imag; }
    friend bool operator!=(const complex &a, const complex &b) { return !(a == b); }

private:
    using math = arithmetic<Part>;
};

} // namespace sim
} // namespace adf

using cint16 = adf::sim::complex<int16>;
using cint32 = adf::sim::complex<int32>;
using cint64 = adf::sim::complex<int64>;
using cfloat = adf::sim::complex<float>;
using cint16_t = cint16;
using cint32_t = cint32;
using cint64_t = cint64;
using cfloat_t = cfloat;

namespace adf {
namespace sim {

// An element of a window: its type, as far as moves between memory and text files need it.
struct element {
    enum class number { none, sign, plain, real };
    number kind = number::none; // signed, unsigned or floating parts
    unsigned part_bytes = 0;    // bytes of one part
    unsigned parts = 0;         // 1, or 2 for complex types

    unsigned bytes() const { return part_bytes * parts; }
    friend bool operator==(const element &a, const element &b) {
        return a.kind == b.kind && a.part_bytes == b.part_bytes && a.parts == b.parts;
    }
    friend bool operator!=(const element &a, const element &b) { return !(a == b); }
};

// True for a type that this device has by name only.
template <typename Type>
inline constexpr bool is_name_only = false;
// Refuses such a type where data passes.
template <typename Type>
struct of_this_device {
    static_assert(!is_name_only<Type>, "AIE has no bfloat16, which is a type of AIE-ML (UG1079, \"AI Engine Data Types\")");
    static constexpr bool value = true;
};

// The element description of a C++ type; `known` is false for types a window cannot carry.
template <typename Type>
struct element_of {
    static constexpr bool known = false;
};

template <element::number Kind, unsigned PartBytes, unsigned Parts>
struct element_is {
    static constexpr bool known = true;
    static element get() { return {Kind, PartBytes, Parts}; }
};

template <> struct element_of<int8> : element_is<element::number::sign, 1, 1> {};
template <> struct element_of<int16> : element_is<element::number::sign, 2, 1> {};
template <> struct element_of<int32> : element_is<element::number::sign, 4, 1> {};
template <> struct element_of<int64> : element_is<element::number::sign, 8, 1> {};
template <> struct element_of<uint8> : element_is<element::number::plain, 1, 1> {};
template <> struct element_of<uint16> : element_is<element::number::plain, 2, 1> {};
template <> struct element_of<uint32> : element_is<element::number::plain, 4, 1> {};
template <> struct element_of<uint64> : element_is<element::number::plain, 8, 1> {};
template <> struct element_of<float> : element_is<element::number::real, 4, 1> {};
template <> struct element_of<cint16> : element_is<element::number::sign, 2, 2> {};
template <> struct element_of<cint32> : element_is<element::number::sign, 4, 2> {};
template <> struct element_of<cfloat> : element_is<element::number::real, 4, 2> {};

} // namespace sim
} // namespace adf
