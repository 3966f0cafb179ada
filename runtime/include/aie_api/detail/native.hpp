// The few intrinsics that kernels written for the AIE API still use (UG1078): parts of vectors, accumulators to vectors
// and back, modes of the core, scalar functions.
#pragma once

#include "math.hpp"
#include "multiply.hpp"
#include "permute.hpp"
#include "reshape.hpp"

// The numbers of the rounding modes (UG1078, UG1583: "Mode Settings").
inline constexpr unsigned rnd_floor = unsigned(aie::rounding_mode::floor);
inline constexpr unsigned rnd_ceil = unsigned(aie::rounding_mode::ceil);
inline constexpr unsigned rnd_sym_floor = unsigned(aie::rounding_mode::symmetric_floor);
inline constexpr unsigned rnd_sym_ceil = unsigned(aie::rounding_mode::symmetric_ceil);
inline constexpr unsigned rnd_pos_inf = unsigned(aie::rounding_mode::positive_inf);
inline constexpr unsigned rnd_neg_inf = unsigned(aie::rounding_mode::negative_inf);
inline constexpr unsigned rnd_sym_inf = unsigned(aie::rounding_mode::symmetric_inf);
inline constexpr unsigned rnd_sym_zero = unsigned(aie::rounding_mode::symmetric_zero);
inline constexpr unsigned rnd_conv_even = unsigned(aie::rounding_mode::conv_even);
inline constexpr unsigned rnd_conv_odd = unsigned(aie::rounding_mode::conv_odd);

inline void set_rnd(unsigned mode) { aie::set_rounding(aie::rounding_mode(mode)); }
inline unsigned get_rnd() { return unsigned(aie::get_rounding()); }
inline void set_sat() { aie::set_saturation(aie::saturation_mode::saturate); }
inline void set_symsat() { aie::set_saturation(aie::saturation_mode::symmetric); }
inline void clr_sat() { aie::set_saturation(aie::saturation_mode::none); }
inline unsigned get_sat() { return aie::get_saturation() != aie::saturation_mode::none; }

// Shift-round-saturate to elements of the same and of narrower width.
template <unsigned N>
aie::vector<int16, N> srs(const aie::accum<acc48, N> &a, int shift) { return a.template to_vector<int16>(shift); }
template <unsigned N>
aie::vector<uint16, N> usrs(const aie::accum<acc48, N> &a, int shift) { return a.template to_vector<uint16>(shift); }
template <unsigned N>
aie::vector<int32, N> lsrs(const aie::accum<acc48, N> &a, int shift) { return a.template to_vector<int32>(shift); }
template <unsigned N>
aie::vector<int8, N> bsrs(const aie::accum<acc48, N> &a, int shift) { return a.template to_vector<int8>(shift); }
template <unsigned N>
aie::vector<uint8, N> ubsrs(const aie::accum<acc48, N> &a, int shift) { return a.template to_vector<uint8>(shift); }
template <unsigned N>
aie::vector<int32, N> srs(const aie::accum<acc80, N> &a, int shift) { return a.template to_vector<int32>(shift); }
template <unsigned N>
aie::vector<cint16, N> srs(const aie::accum<cacc48, N> &a, int shift) { return a.template to_vector<cint16>(shift); }
template <unsigned N>
aie::vector<cint32, N> lsrs(const aie::accum<cacc48, N> &a, int shift) { return a.template to_vector<cint32>(shift); }
template <unsigned N>
aie::vector<cint32, N> srs(const aie::accum<cacc80, N> &a, int shift) { return a.template to_vector<cint32>(shift); }

// Elements shifted up into an accumulator.
template <unsigned N>
aie::accum<acc48, N> ups(const aie::vector<int16, N> &v, int shift) { return aie::accum<acc48, N>(v, shift); }
template <unsigned N>
aie::accum<acc48, N> ups(const aie::vector<int8, N> &v, int shift) { return aie::accum<acc48, N>(v, shift); }
template <unsigned N>
aie::accum<acc48, N> ups(const aie::vector<uint8, N> &v, int shift) { return aie::accum<acc48, N>(v, shift); }
template <unsigned N>
aie::accum<acc48, N> lups(const aie::vector<int32, N> &v, int shift) { return aie::accum<acc48, N>(v, shift); }
template <unsigned N>
aie::accum<acc80, N> ups(const aie::vector<int32, N> &v, int shift) { return aie::accum<acc80, N>(v, shift); }
template <unsigned N>
aie::accum<cacc48, N> ups(const aie::vector<cint16, N> &v, int shift) { return aie::accum<cacc48, N>(v, shift); }
template <unsigned N>
aie::accum<cacc80, N> ups(const aie::vector<cint32, N> &v, int shift) { return aie::accum<cacc80, N>(v, shift); }

// Parts of 128 (v), 256 (w) and 512 (x) bits of a larger vector.
#define AIE_SIM_PART(letter, Bytes)                                                                            \
    template <typename T, unsigned N>                                                                          \
    aie::vector<T, Bytes / sizeof(T)> ext_##letter(const aie::vector<T, N> &v, int part) {                     \
        return v.template extract<Bytes / sizeof(T)>(unsigned(part));                                          \
    }                                                                                                          \
    template <typename T, unsigned N>                                                                          \
    aie::vector<T, N> upd_##letter(aie::vector<T, N> v, int part, const aie::vector<T, Bytes / sizeof(T)> &p) { \
        return v.insert(unsigned(part), p);                                                                    \
    }
AIE_SIM_PART(v, 16)
AIE_SIM_PART(w, 32)
AIE_SIM_PART(x, 64)
#undef AIE_SIM_PART

// A register of which only one part is known.
#define AIE_SIM_SET(prefix, letter, Bytes, Whole)                                                      \
    template <typename T>                                                                              \
    aie::vector<T, Whole / sizeof(T)> prefix##set_##letter(int part, const aie::vector<T, Bytes / sizeof(T)> &p) { \
        aie::vector<T, Whole / sizeof(T)> v;                                                           \
        return v.insert(unsigned(part), p);                                                            \
    }
AIE_SIM_SET(w, v, 16, 32)
AIE_SIM_SET(x, v, 16, 64)
AIE_SIM_SET(y, v, 16, 128)
AIE_SIM_SET(x, w, 32, 64)
AIE_SIM_SET(y, w, 32, 128)
AIE_SIM_SET(y, x, 64, 128)
#undef AIE_SIM_SET

// Halves of accumulators.
template <typename Tag, unsigned N>
aie::accum<Tag, N> upd_lo(aie::accum<Tag, N> a, const aie::sim::same_type_t<aie::accum<Tag, N / 2>> &half) { return a.insert(0, half); }
template <typename Tag, unsigned N>
aie::accum<Tag, N> upd_hi(aie::accum<Tag, N> a, const aie::sim::same_type_t<aie::accum<Tag, N / 2>> &half) { return a.insert(1, half); }
template <typename Tag, unsigned N>
aie::accum<Tag, N / 2> ext_lo(const aie::accum<Tag, N> &a) { return a.template extract<N / 2>(0); }
template <typename Tag, unsigned N>
aie::accum<Tag, N / 2> ext_hi(const aie::accum<Tag, N> &a) { return a.template extract<N / 2>(1); }

using aie::concat;

// The same bits as lanes of another type: `as_v16int16(v)`.
#define AIE_SIM_AS(T, N)                                                     \
    template <typename From, unsigned M>                                     \
    aie::vector<T, N> as_v##N##T(const aie::vector<From, M> &v) {            \
        static_assert(sizeof(From) * M == sizeof(T) * N, "casts keep the size"); \
        return v.template cast_to<T>();                                      \
    }
#define AIE_SIM_AS_WIDTHS(T, A, B, C, D) AIE_SIM_AS(T, A) AIE_SIM_AS(T, B) AIE_SIM_AS(T, C) AIE_SIM_AS(T, D)
AIE_SIM_AS_WIDTHS(int8, 16, 32, 64, 128)
AIE_SIM_AS_WIDTHS(uint8, 16, 32, 64, 128)
AIE_SIM_AS_WIDTHS(int16, 8, 16, 32, 64)
AIE_SIM_AS_WIDTHS(int32, 4, 8, 16, 32)
AIE_SIM_AS_WIDTHS(float, 4, 8, 16, 32)
AIE_SIM_AS_WIDTHS(cint16, 4, 8, 16, 32)
AIE_SIM_AS_WIDTHS(cint32, 2, 4, 8, 16)
AIE_SIM_AS_WIDTHS(cfloat, 2, 4, 8, 16)
#undef AIE_SIM_AS_WIDTHS
#undef AIE_SIM_AS

// A word seen as a complex number, and back.
inline cint16 as_cint16(std::int32_t word) {
    cint16 value;
    std::memcpy(static_cast<void *>(&value), &word, sizeof value);
    return value;
}
inline std::int32_t as_int32(const cint16 &value) {
    std::int32_t word;
    std::memcpy(&word, &value, sizeof word);
    return word;
}
inline std::int32_t as_int32(float value) {
    std::int32_t word;
    std::memcpy(&word, &value, sizeof word);
    return word;
}
inline float as_float(std::int32_t word) {
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
}

// The vector one lane up, with `value` in lane 0.
template <typename T, unsigned N>
aie::vector<T, N> shft_elem(aie::vector<T, N> v, const aie::sim::same_type_t<T> &value) {
    v.push(value);
    return v;
}

inline float inv(float x) { return aie::inv(x); }
inline float invsqrt(float x) { return aie::invsqrt(x); }
// Fixed point values with so many fractional bits.
inline float fix2float(int x, int shift = 0) { return aie::to_float(x, shift); }
inline int float2fix(float x, int shift = 0) { return aie::to_fixed<int32>(x, shift); }
// Sine and cosine of a Q1.31 angle scaled by 1/pi, as real (cosine) and imaginary (sine) Q.15.
inline cint16 sincos(unsigned angle) { return aie::sincos_complex(int32(angle)); }
