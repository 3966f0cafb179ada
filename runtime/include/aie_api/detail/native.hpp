// The few intrinsics that kernels written for the AIE API still use (UG1078): parts of vectors,
// accumulators to vectors and back, modes of the core, scalar functions.
#pragma once

#include "math.hpp"
#include "multiply.hpp"
#include "reshape.hpp"

// The numbers of the rounding modes (UG1078, UG1583: "Mode Settings").
inline constexpr unsigned rnd_floor = unsigned(aie::rounding_mode::floor);
inline constexpr unsigned rnd_ceil = unsigned(aie::rounding_mode::ceil);
#if __AIE_ARCH__ != 10
inline constexpr unsigned rnd_sym_floor = unsigned(aie::rounding_mode::symmetric_floor);
inline constexpr unsigned rnd_sym_ceil = unsigned(aie::rounding_mode::symmetric_ceil);
#endif
inline constexpr unsigned rnd_pos_inf = unsigned(aie::rounding_mode::positive_inf);
inline constexpr unsigned rnd_neg_inf = unsigned(aie::rounding_mode::negative_inf);
inline constexpr unsigned rnd_sym_inf = unsigned(aie::rounding_mode::symmetric_inf);
inline constexpr unsigned rnd_sym_zero = unsigned(aie::rounding_mode::symmetric_zero);
inline constexpr unsigned rnd_conv_even = unsigned(aie::rounding_mode::conv_even);
inline constexpr unsigned rnd_conv_odd = unsigned(aie::rounding_mode::conv_odd);

inline void set_rnd(unsigned mode) { aie::set_rounding(aie::rounding_mode(mode)); }
inline unsigned get_rnd() { return unsigned(aie::get_rounding()); }
#if __AIE_ARCH__ == 10
// Two bits of the control register: symmetry alone saturates nothing (UG1078, "Control register").
inline void set_sat() { aie::sim::running_core()->saturation = aie::saturation_mode(unsigned(aie::get_saturation()) | 1U); }
inline void clr_sat() { aie::sim::running_core()->saturation = aie::saturation_mode(unsigned(aie::get_saturation()) & 2U); }
inline void set_symsat() { aie::sim::running_core()->saturation = aie::saturation_mode(unsigned(aie::get_saturation()) | 2U); }
inline void clr_symsat() { aie::sim::running_core()->saturation = aie::saturation_mode(unsigned(aie::get_saturation()) & 1U); }
inline unsigned get_sat() { return unsigned(aie::get_saturation()) & 1U; }
inline unsigned get_symsat() { return unsigned(aie::get_saturation()) >> 1 & 1U; }
#else
inline void set_sat() { aie::set_saturation(aie::saturation_mode::saturate); }
inline void set_symsat() { aie::set_saturation(aie::saturation_mode::symmetric); }
inline void clr_sat() { aie::set_saturation(aie::saturation_mode::none); }
inline unsigned get_sat() { return aie::get_saturation() != aie::saturation_mode::none; }
#endif

// Shift-round-saturate to elements of equal and of narrower width.
template <unsigned Lanes>
aie::vector<int16, Lanes> srs(const aie::accum<acc48, Lanes> &a, int shift) { return a.template to_vector<int16>(shift); }
template <unsigned Lanes>
aie::vector<int32, Lanes> lsrs(const aie::accum<acc48, Lanes> &a, int shift) { return a.template to_vector<int32>(shift); }
template <unsigned Lanes>
aie::vector<int8, Lanes> bsrs(const aie::accum<acc48, Lanes> &a, int shift) { return a.template to_vector<int8>(shift); }
template <unsigned Lanes>
aie::vector<uint8, Lanes> ubsrs(const aie::accum<acc48, Lanes> &a, int shift) { return a.template to_vector<uint8>(shift); }
template <unsigned Lanes>
aie::vector<int32, Lanes> srs(const aie::accum<acc80, Lanes> &a, int shift) { return a.template to_vector<int32>(shift); }
template <unsigned Lanes>
aie::vector<cint16, Lanes> srs(const aie::accum<cacc48, Lanes> &a, int shift) {
    return a.template to_vector<cint16>(shift);
}
template <unsigned Lanes>
aie::vector<cint32, Lanes> lsrs(const aie::accum<cacc48, Lanes> &a, int shift) {
    return a.template to_vector<cint32>(shift);
}
template <unsigned Lanes>
aie::vector<cint32, Lanes> srs(const aie::accum<cacc80, Lanes> &a, int shift) {
    return a.template to_vector<cint32>(shift);
}

// The lower and the upper half of an accumulator in turn (Xilinx/aie_api, AMD's Vitis libraries).
template <typename Tag, unsigned Lanes>
auto srs_ilv(const aie::accum<Tag, Lanes> &a, int shift) {
    const auto plain = srs(a, shift);
    auto turned = plain;
    for (unsigned i = 0; i < Lanes; ++i) turned[i] = plain[i / 2 + (i % 2) * (Lanes / 2)];
    return turned;
}
// With 15 more bits, the fractional bits of a Q.15 factor.
template <typename Tag, unsigned Lanes>
auto fsrs(const aie::accum<Tag, Lanes> &a, int shift) { return srs(a, shift + 15); }

// Elements shifted up into an accumulator (UG1078, "Upshift"): `ups` of 48 bits, `lups` of 80.
#define AIE_SIM_UPSHIFT(name, Type, Tag)                                                    \
    template <unsigned Lanes>                                                               \
    aie::accum<Tag, Lanes> name(const aie::vector<Type, Lanes> &v, int shift) {             \
        return aie::accum<Tag, Lanes>(v, shift);                                            \
    }
AIE_SIM_UPSHIFT(ups, int8, acc48)
AIE_SIM_UPSHIFT(ups, uint8, acc48)
AIE_SIM_UPSHIFT(ups, int16, acc48)
AIE_SIM_UPSHIFT(ups, int32, acc48)
AIE_SIM_UPSHIFT(ups, cint16, cacc48)
AIE_SIM_UPSHIFT(ups, cint32, cacc48)
AIE_SIM_UPSHIFT(lups, int32, acc80)
AIE_SIM_UPSHIFT(lups, cint32, cacc80)
#undef AIE_SIM_UPSHIFT

// Parts of 128 (v), 256 (w) and 512 (x) bits of a larger vector.
#define AIE_SIM_PART(letter, Bytes)                                                                                                 \
    template <typename Type, unsigned Lanes>                                                                                        \
    aie::vector<Type, Bytes / sizeof(Type)> ext_##letter(const aie::vector<Type, Lanes> &v, int part) {                             \
        return v.template extract<Bytes / sizeof(Type)>(unsigned(part));                                                            \
    }                                                                                                                               \
    template <typename Type, unsigned Lanes>                                                                                        \
    aie::vector<Type, Lanes> upd_##letter(aie::vector<Type, Lanes> v, int part, const aie::vector<Type, Bytes / sizeof(Type)> &p) { \
        return v.insert(unsigned(part), p);                                                                                         \
    }
AIE_SIM_PART(v, 16)
AIE_SIM_PART(w, 32)
AIE_SIM_PART(x, 64)
#undef AIE_SIM_PART
// As above, with the number of the part in the name.
#define AIE_SIM_PART(letter, number, Bytes)                                                                                       \
    template <typename Type, unsigned Lanes>                                                                                      \
    auto ext_##letter##number(const aie::vector<Type, Lanes> &v) { return ext_##letter(v, number); }                              \
    template <typename Type, unsigned Lanes>                                                                                      \
    auto upd_##letter##number(const aie::vector<Type, Lanes> &v, const aie::vector<Type, Bytes / sizeof(Type)> &p) {              \
        return upd_##letter(v, number, p);                                                                                        \
    }
AIE_SIM_PART(v, 0, 16)
AIE_SIM_PART(v, 1, 16)
AIE_SIM_PART(v, 2, 16)
AIE_SIM_PART(v, 3, 16)
AIE_SIM_PART(v, 4, 16)
AIE_SIM_PART(v, 5, 16)
AIE_SIM_PART(v, 6, 16)
AIE_SIM_PART(v, 7, 16)
AIE_SIM_PART(w, 0, 32)
AIE_SIM_PART(w, 1, 32)
AIE_SIM_PART(w, 2, 32)
AIE_SIM_PART(w, 3, 32)
AIE_SIM_PART(x, 0, 64)
AIE_SIM_PART(x, 1, 64)
#undef AIE_SIM_PART

// A register of which only one part is known.
#define AIE_SIM_SET(prefix, letter, Bytes, Whole)                                                                              \
    template <typename Type>                                                                                                   \
    aie::vector<Type, Whole / sizeof(Type)> prefix##set_##letter(int part, const aie::vector<Type, Bytes / sizeof(Type)> &p) { \
        aie::vector<Type, Whole / sizeof(Type)> v;                                                                             \
        return v.insert(unsigned(part), p);                                                                                    \
    }
AIE_SIM_SET(w, v, 16, 32)
AIE_SIM_SET(x, v, 16, 64)
AIE_SIM_SET(y, v, 16, 128)
AIE_SIM_SET(x, w, 32, 64)
AIE_SIM_SET(y, w, 32, 128)
AIE_SIM_SET(y, x, 64, 128)
#undef AIE_SIM_SET

// Halves of accumulators.
template <typename Tag, unsigned Lanes>
aie::accum<Tag, Lanes> upd_lo(aie::accum<Tag, Lanes> a, const aie::sim::same_type_t<aie::accum<Tag, Lanes / 2>> &half) {
    return a.insert(0, half);
}
template <typename Tag, unsigned Lanes>
aie::accum<Tag, Lanes> upd_hi(aie::accum<Tag, Lanes> a, const aie::sim::same_type_t<aie::accum<Tag, Lanes / 2>> &half) {
    return a.insert(1, half);
}
template <typename Tag, unsigned Lanes>
aie::accum<Tag, Lanes / 2> ext_lo(const aie::accum<Tag, Lanes> &a) { return a.template extract<Lanes / 2>(0); }
template <typename Tag, unsigned Lanes>
aie::accum<Tag, Lanes / 2> ext_hi(const aie::accum<Tag, Lanes> &a) { return a.template extract<Lanes / 2>(1); }

// Reinterprets the bits as lanes of another type: `as_v16int16(v)`.
#define AIE_SIM_AS(Type, Lanes)                                                                 \
    template <typename From, unsigned FromLanes>                                                \
    aie::vector<Type, Lanes> as_v##Lanes##Type(const aie::vector<From, FromLanes> &v) {         \
        static_assert(sizeof(From) * FromLanes == sizeof(Type) * Lanes, "casts keep the size"); \
        return v.template cast_to<Type>();                                                      \
    }
// Float accumulators are vector registers (UG1079).
#define AIE_SIM_AS_FLOATS(Type, Lanes)                                                          \
    template <typename Tag, unsigned FromLanes>                                                 \
    aie::vector<Type, Lanes> as_v##Lanes##Type(const aie::accum<Tag, FromLanes> &a) {           \
        static_assert(Tag::floating, "other accumulators are no vector registers");             \
        using Element = std::conditional_t<Tag::complex, cfloat, float>;                        \
        return a.template to_vector<Element>().template cast_to<Type>();                        \
    }
AIE_SIM_AS_FLOATS(int32, 8)
AIE_SIM_AS_FLOATS(cint32, 4)
#undef AIE_SIM_AS_FLOATS
#define AIE_SIM_AS_WIDTHS(Type, First, Second, Third, Fourth) \
    AIE_SIM_AS(Type, First)                                   \
    AIE_SIM_AS(Type, Second)                                  \
    AIE_SIM_AS(Type, Third)                                   \
    AIE_SIM_AS(Type, Fourth)
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

// Reinterpretation of accumulators (UG1078, "Casting"): two lanes of 48 bits are one complex one or
// one of 80.
#define AIE_SIM_AS(Tag, Lanes)                                                                                     \
    template <typename From, unsigned FromLanes>                                                                   \
    aie::accum<Tag, Lanes> as_v##Lanes##Tag(const aie::accum<From, FromLanes> &a) {                                \
        return a.template cast_to<Tag>();                                                                          \
    }
AIE_SIM_AS(acc48, 8)
AIE_SIM_AS(acc48, 16)
AIE_SIM_AS(cacc48, 4)
AIE_SIM_AS(cacc48, 8)
AIE_SIM_AS(acc80, 4)
AIE_SIM_AS(acc80, 8)
AIE_SIM_AS(cacc80, 2)
AIE_SIM_AS(cacc80, 4)
#undef AIE_SIM_AS

// Lanes of half the width without sign; `pack` and `unpack` are found beside the type, in aie::.
template <unsigned Lanes>
aie::vector<uint8, Lanes> upack(const aie::vector<int16, Lanes> &v) { return v.template pack<uint8>(); }

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

// The pointer moved by a number of bytes.
template <typename Type>
Type *byte_incr(Type *at, int bytes) {
    using byte = std::conditional_t<std::is_const<Type>::value, const char, char>;
    return reinterpret_cast<Type *>(reinterpret_cast<byte *>(at) + bytes);
}

// The pointer moved by a number of elements, forwards or backwards, in a circular buffer of `len`
// from `start` (UG1078, "Cyclic Addressing").
template <typename Type, typename Start>
Type *cyclic_add(Type *at, int elements, Start *start, int len) {
    const std::ptrdiff_t index = (at - start + elements) % len;
    return at + ((index < 0 ? index + len : index) - (at - start));
}

// The vector one lane up, with `value` in lane 0.
template <typename Type, unsigned Lanes>
aie::vector<Type, Lanes> shft_elem(aie::vector<Type, Lanes> v, const aie::sim::same_type_t<Type> &value) {
    v.push(value);
    return v;
}

inline float inv(float x) { return aie::inv(x); }
inline float invsqrt(float x) { return aie::invsqrt(x); }
inline float _sqrtf(float x) { return aie::sqrt(x); }
// Fixed point values with this many fractional bits.
inline float fix2float(int x, int shift = 0) { return aie::to_float(x, shift); }
inline int float2fix(float x, int shift = 0) { return aie::to_fixed<int32>(x, shift); }
template <unsigned Lanes>
auto fix2float(const aie::vector<int32, Lanes> &v, int shift = 0) { return aie::to_float(v, shift); }
template <unsigned Lanes>
auto float2fix(const aie::vector<float, Lanes> &v, int shift = 0) { return aie::to_fixed<int32>(v, shift); }
// As above through floats, for values with `from` and results with `to` fractional bits.
inline int inv(int x, int from, int to) { return float2fix(inv(fix2float(x, from)), to); }
inline int invsqrt(int x, int from, int to) { return float2fix(invsqrt(fix2float(x, from)), to); }
inline int sqrt(int x, int from, int to) { return float2fix(_sqrtf(fix2float(x, from)), to); }
// Number of leading bits equal to the sign, or of leading zeros for unsigned types (UG1078,
// "Integer Operations").
inline unsigned clb(unsigned x) { return x == 0 ? 32 : unsigned(__builtin_clz(x)); }
inline unsigned clb(int x) { return clb(unsigned(x < 0 ? ~x : x)); }
inline unsigned clb(unsigned long long x) { return x == 0 ? 64 : unsigned(__builtin_clzll(x)); }
inline unsigned clb(long long x) { return clb(static_cast<unsigned long long>(x < 0 ? ~x : x)); }
// Sine and cosine of a Q1.31 angle scaled by 1/pi, as real (cosine) and imaginary (sine) Q.15.
inline cint16 sincos(unsigned angle) { return aie::sincos_complex(int32(angle)); }
