// The cascade: accumulators from one core to the next, four of 384 bits in flight (AM009, cascade).
#pragma once

#include "../aie_api/detail/accum.hpp"
#include "stream.h"

// Streams of accumulators are an older spelling of cascades.
template <typename Type>
struct input_cascade : input_stream<Type> {};
template <typename Type>
struct output_cascade : output_stream<Type> {};

#define ADF_SIM_CASCADES(Type)                        \
    using input_stream_##Type = input_stream<Type>;   \
    using output_stream_##Type = output_stream<Type>; \
    using input_cascade_##Type = input_cascade<Type>; \
    using output_cascade_##Type = output_cascade<Type>;
ADF_SIM_CASCADES(acc48)
ADF_SIM_CASCADES(cacc48)
ADF_SIM_CASCADES(acc80)
ADF_SIM_CASCADES(cacc80)
ADF_SIM_CASCADES(accfloat)
ADF_SIM_CASCADES(caccfloat)
#undef ADF_SIM_CASCADES

namespace adf {
namespace sim {

// Writes the bytes of an accumulator, and reads them. `bits` is its size in the core. The
// accumulators themselves travel beside the FIFO, which counts entries of 48 bytes.
ADF_SIM_RUN void write_accumulator(const stream_view &s, const void *value, std::size_t bytes, std::size_t bits);
// Does nothing to `value` when the other end writes an accumulator of another size.
ADF_SIM_RUN void read_accumulator(const stream_view &s, void *value, std::size_t bytes, std::size_t bits);

template <typename Value>
void write_cascade(const stream_view &s, const Value &value, std::size_t bits) {
    counts::quiet whole;
    write_accumulator(s, &value, sizeof value, bits);
    whole.end();
    counts::cascade(false, (bits + 383) / 384, &value);
}

template <typename Value>
Value read_cascade(const stream_view &s, std::size_t bits) {
    Value value{};
    counts::quiet whole;
    read_accumulator(s, static_cast<void *>(&value), sizeof value, bits);
    whole.end();
    counts::cascade(true, (bits + 383) / 384, &value);
    return value;
}

// The cascade port of the running kernel.
ADF_SIM_RUN const stream_view &running_cascade(direction way);

// Bits of one lane of an accumulator.
template <typename Tag, typename = void>
struct lane_bits {
    static constexpr std::size_t value = 48;
};
template <typename Tag>
struct lane_bits<Tag, std::void_t<decltype(Tag::bits), decltype(Tag::complex)>> {
    static constexpr std::size_t value = Tag::bits * (Tag::complex ? 2U : 1U);
};

// The result of get_scd() on AIE-ML: converts to the accumulator type that it is assigned to.
struct from_cascade {
    template <typename Tag, unsigned Lanes>
    operator aie::accum<Tag, Lanes>() const {
        return read_cascade<aie::accum<Tag, Lanes>>(running_cascade(direction::in), lane_bits<Tag>::value * Lanes);
    }
};

// What kernels call the accumulator of a tag: on AIE, one of floats is a vector of floats (UG1079).
template <typename Tag, unsigned Lanes, typename = void>
struct native_of {
    using type = aie::accum<Tag, Lanes>;
};
#if __AIE_ARCH__ == 10
template <typename Tag, unsigned Lanes>
struct native_of<Tag, Lanes, std::enable_if_t<Tag::floating>> {
    using type = aie::vector<std::conditional_t<Tag::complex, cfloat, float>, Lanes>;
};
#endif
template <typename Tag, unsigned Lanes>
using native = typename native_of<Tag, Lanes>::type;

// A cascade of accumulators carries vectors of 256 bits: one of floats those that its tag names,
// one of integers all.
template <typename Tag, typename Type, unsigned Lanes>
constexpr bool carries_vector() {
    if constexpr (element_of<Tag>::known || sizeof(Type) * Lanes != 32) return false;
    else if constexpr (Tag::floating) return std::is_same<aie::vector<Type, Lanes>, native<Tag, Lanes>>::value;
    else return true;
}

} // namespace sim
} // namespace adf

template <unsigned Lanes, typename Tag, typename = std::enable_if_t<!adf::sim::element_of<Tag>::known>, typename = void>
aie::accum<Tag, Lanes> readincr_v(input_stream<Tag> *s) {
    return adf::sim::read_cascade<aie::accum<Tag, Lanes>>(*s, adf::sim::lane_bits<Tag>::value * Lanes);
}
template <typename Tag, unsigned Lanes>
void writeincr(output_stream<Tag> *s, const aie::accum<Tag, Lanes> &a) {
    adf::sim::write_cascade(*s, a, adf::sim::lane_bits<Tag>::value * Lanes);
}
// A vector that the tag allows: kernels of float pass `v8float` (public: CHARM 0e4265b969ee).
template <typename Tag, typename Type, unsigned Lanes,
          typename = std::enable_if_t<adf::sim::carries_vector<Tag, Type, Lanes>()>, typename = void>
void writeincr(output_stream<Tag> *s, const aie::vector<Type, Lanes> &v) {
    adf::sim::write_cascade(*s, v, 8 * sizeof(Type) * Lanes);
}
// The older spellings. The value is of the type that the tag names, so that it may be a vector of
// floats wherever such a vector is an accumulator.
#define ADF_SIM_LANES(Lanes)                                                                                 \
    template <typename Tag, typename = std::enable_if_t<!adf::sim::element_of<Tag>::known>, typename = void> \
    adf::sim::native<Tag, Lanes> readincr_v##Lanes(input_stream<Tag> *s) {                                   \
        return adf::sim::read_cascade<adf::sim::native<Tag, Lanes>>(*s, adf::sim::lane_bits<Tag>::value * Lanes); \
    }                                                                                                        \
    template <typename Tag, typename = std::enable_if_t<!adf::sim::element_of<Tag>::known>, typename = void> \
    void writeincr_v##Lanes(output_stream<Tag> *s, const adf::sim::native<Tag, Lanes> &a) { writeincr(s, a); }
ADF_SIM_LANES(2)
ADF_SIM_LANES(4)
ADF_SIM_LANES(8)
ADF_SIM_LANES(16)
ADF_SIM_LANES(32)
#undef ADF_SIM_LANES
// Vectors travel like accumulators (AIE API 2024.2).
template <unsigned Lanes, typename Type, typename = std::enable_if_t<adf::sim::element_of<Type>::known>>
aie::vector<Type, Lanes> readincr_v(input_cascade<Type> *s) {
    return adf::sim::read_cascade<aie::vector<Type, Lanes>>(*s, 8 * sizeof(Type) * Lanes);
}
template <typename Type, unsigned Lanes>
void writeincr(output_cascade<Type> *s, const aie::vector<Type, Lanes> &v) {
    adf::sim::write_cascade(*s, v, 8 * sizeof(Type) * Lanes);
}

#if __AIE_ARCH__ == 10
// One accumulator, of the type in the name (AMD's Vitis libraries; UG1078, "Streams").
#define ADF_SIM_ACCUM(name, Tag, Lanes)                                                                                      \
    template <typename = void>                                                                                               \
    aie::accum<Tag, Lanes> name() {                                                                                          \
        return adf::sim::read_cascade<aie::accum<Tag, Lanes>>(adf::sim::running_cascade(adf::sim::direction::in), 384);     \
    }
ADF_SIM_ACCUM(get_scd, acc48, 8)
ADF_SIM_ACCUM(getc_scd, cacc48, 4)
ADF_SIM_ACCUM(getl_scd, acc80, 4)
ADF_SIM_ACCUM(getlc_scd, cacc80, 2)
#undef ADF_SIM_ACCUM
#else
inline adf::sim::from_cascade get_scd() { return {}; }
inline adf::sim::from_cascade getc_scd() { return {}; }
#endif
// Vectors of 256 bits (public: AMD's Vitis libraries), by the port or without one. These are
// templates, which cost nothing if unused.
#define ADF_SIM_VECTOR(Type, Lanes)                                                                                        \
    template <typename = void>                                                                                             \
    aie::vector<Type, Lanes> get_scd_v##Lanes##Type() {                                                                    \
        return adf::sim::read_cascade<aie::vector<Type, Lanes>>(adf::sim::running_cascade(adf::sim::direction::in), 256);  \
    }                                                                                                                      \
    template <typename Tag, typename = std::enable_if_t<!adf::sim::element_of<Tag>::known>>                                \
    aie::vector<Type, Lanes> readincr_v##Lanes##Type(input_stream<Tag> *s) {                                               \
        return adf::sim::read_cascade<aie::vector<Type, Lanes>>(*s, 256);                                                  \
    }                                                                                                                      \
    template <typename Tag, typename = std::enable_if_t<!adf::sim::element_of<Tag>::known>>                                \
    void writeincr_v##Lanes##Type(output_stream<Tag> *s, const aie::vector<Type, Lanes> &v) {                              \
        adf::sim::write_cascade(*s, v, 256);                                                                               \
    }
ADF_SIM_VECTOR(int8, 32)
ADF_SIM_VECTOR(uint8, 32)
ADF_SIM_VECTOR(int16, 16)
ADF_SIM_VECTOR(int32, 8)
ADF_SIM_VECTOR(float, 8)
ADF_SIM_VECTOR(cint16, 8)
ADF_SIM_VECTOR(cint32, 4)
ADF_SIM_VECTOR(cfloat, 4)
#undef ADF_SIM_VECTOR
template <typename Tag, unsigned Lanes>
void put_mcd(const aie::accum<Tag, Lanes> &a) {
    adf::sim::write_cascade(adf::sim::running_cascade(adf::sim::direction::out), a, adf::sim::lane_bits<Tag>::value * Lanes);
}
template <typename Type, unsigned Lanes>
void put_mcd(const aie::vector<Type, Lanes> &v) {
    adf::sim::write_cascade(adf::sim::running_cascade(adf::sim::direction::out), v, 8 * sizeof(Type) * Lanes);
}

namespace adf {
using ::input_cascade;
using ::output_cascade;
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "cascade.inl"
#endif
