// Traits of the element types of windows: complex or not, with vectors or without.
#pragma once

#include <adf.h>

namespace aiec {

// Pairs of .real and .imag.
template <typename Element>
inline constexpr bool is_complex = false;
template <>
inline constexpr bool is_complex<cint16> = true;
template <>
inline constexpr bool is_complex<cint32> = true;
template <>
inline constexpr bool is_complex<cfloat> = true;

// The vector unit has no lanes of 64-bit integers, and 8 bits is its only unsigned width (UG1079,
// "Data Types").
template <typename Element>
inline constexpr bool has_vectors = sizeof(Element) < 8 || is_complex<Element>;
template <>
inline constexpr bool has_vectors<uint16> = false;
template <>
inline constexpr bool has_vectors<uint32> = false;

// A type of equal bits that has vectors, if one exists. Loops use it where only the bits matter.
template <typename Element>
struct lane {
    using type = Element;
};
template <>
struct lane<uint16> {
    using type = int16;
};
template <>
struct lane<uint32> {
    using type = int32;
};

} // namespace aiec
