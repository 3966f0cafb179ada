// Accumulators: lanes wide enough for long sums of products (UG1529, "aie::accum"). A tag requests
// a minimum number of bits and gets the next width of the device: 48 or 80 on AIE, 32 or 64 on
// AIE-ML (UG1603, "Data Types"). Sums wrap at that width. Shifting back into a vector follows the
// modes of the core.
#pragma once

#include "shapes.hpp"
#include "srs.hpp"
#include "vector.hpp"

namespace aie {
namespace sim {

// Bits of the accumulator that holds at least `asked` bits.
constexpr unsigned native_bits(unsigned asked) {
#if __AIE_ARCH__ == 10
    return asked <= 48 ? 48 : 80;
#else
    return asked <= 32 ? 32 : 64;
#endif
}

// An integer accumulator lane. Arithmetic is on the unsigned `word` and cut to `bits` afterwards.
template <unsigned Asked, bool Complex>
struct integer_tag {
    static constexpr unsigned bits = native_bits(Asked);
    static constexpr bool complex = Complex;
    static constexpr bool floating = false;
    using word = std::conditional_t<(bits > 64), uint128, std::uint64_t>;
    using part = std::conditional_t<(bits > 64), int128, std::int64_t>;

    static part cut(word value) {
        constexpr unsigned spare = unsigned(sizeof(word) * 8) - bits;
        return part(value << spare) >> spare;
    }
    template <typename Part>
    static word widen(Part x) {
        return word(part(x));
    }
};

template <bool Complex>
struct float_tag {
    static constexpr unsigned bits = 32;
    static constexpr bool complex = Complex;
    static constexpr bool floating = true;
    using word = float;
    using part = float;

    static float cut(float value) { return value; }
    template <typename Part>
    static float widen(Part x) {
        return float(x);
    }
};

// A lane: one part, or real and imaginary part.
template <typename Part, bool Complex>
struct wide {
    Part real{};
    Part imag{};
};
template <typename Part>
struct wide<Part, false> {
    Part real{};
    static constexpr Part imag{};
};

} // namespace sim
} // namespace aie

#define AIE_SIM_TAG(Right)                                      \
    struct acc##Right : aie::sim::integer_tag<Right, false> {}; \
    struct cacc##Right : aie::sim::integer_tag<Right, true> {};
AIE_SIM_TAG(16)
AIE_SIM_TAG(24)
AIE_SIM_TAG(32)
AIE_SIM_TAG(40)
AIE_SIM_TAG(48)
AIE_SIM_TAG(56)
AIE_SIM_TAG(64)
AIE_SIM_TAG(72)
AIE_SIM_TAG(80)
#undef AIE_SIM_TAG
struct accfloat : aie::sim::float_tag<false> {};
struct caccfloat : aie::sim::float_tag<true> {};
struct accauto {}; // the tag that the operand types ask for

namespace aie {
namespace sim {

template <typename Type, typename = void>
struct tag_test : std::false_type {};
template <typename Type>
struct tag_test<Type, std::void_t<typename Type::word, typename Type::part>> : std::true_type {};
template <typename Type>
constexpr bool is_tag_v = tag_test<Type>::value;

// The accumulator for products of two element types (UG1529, "Arithmetic"; UG1603 for AIE-ML).
template <typename Left, typename Right>
struct product_tag {
    static constexpr bool complex = is_complex_v<Left> || is_complex_v<Right>;
    static constexpr unsigned width_a = bits_v<part_t<Left>>, width_b = bits_v<part_t<Right>>;
#if __AIE_ARCH__ == 10
    using real = std::conditional_t<(width_a + width_b <= 48), acc48, acc80>;
    using pair = std::conditional_t<(width_a + width_b <= 48), cacc48, cacc80>;
#else
    using real = std::conditional_t<(width_a + width_b <= 24), acc32, acc64>;
    using pair = cacc64;
#endif
    using integer = std::conditional_t<complex, pair, real>;
    using floating = std::conditional_t<complex, caccfloat, accfloat>;
    using type = std::conditional_t<is_float_v<Left> || is_float_v<Right>, floating, integer>;
};
template <typename Tag, typename Left, typename Right>
using tag_or_default_t =
    std::conditional_t<std::is_same<Tag, accauto>::value, typename product_tag<Left, Right>::type, Tag>;

// Element and lane.
template <typename Tag>
struct lanes_of {
    using lane = wide<typename Tag::part, Tag::complex>;
    using word = typename Tag::word;

    static lane make(word real, [[maybe_unused]] word imag) {
        lane l;
        l.real = Tag::cut(real);
        if constexpr (Tag::complex) l.imag = Tag::cut(imag);
        return l;
    }
    static lane add(const lane &a, const lane &b) { return make(word(a.real) + word(b.real), word(a.imag) + word(b.imag)); }
    static lane sub(const lane &a, const lane &b) { return make(word(a.real) - word(b.real), word(a.imag) - word(b.imag)); }
    static lane neg(const lane &a) {
        if constexpr (Tag::floating) return make(-a.real, -a.imag);
        else return make(word(0) - word(a.real), word(0) - word(a.imag));
    }

    template <typename Type>
    static lane shifted_up(const Type &x, int shift) {
        if constexpr (Tag::floating) return make(float(real_of(x)), float(imag_of(x)));
        else return make(word(sim::shifted_up(int128(real_of(x)), shift)), word(sim::shifted_up(int128(imag_of(x)), shift)));
    }
    template <typename Type>
    static Type shifted_down(const lane &l, [[maybe_unused]] int shift) {
        using Part = part_t<Type>;
        if constexpr (Tag::floating) {
            if constexpr (is_complex_v<Type>) return Type(Part(l.real), Part(l.imag));
            else return Type(Part(l.real));
        } else {
            if constexpr (is_complex_v<Type>) return Type(srs<Part>(l.real, shift), srs<Part>(l.imag, shift));
            else return srs<Part>(l.real, shift);
        }
    }
};

} // namespace sim

template <typename Tag, unsigned Lanes>
class accum {
    static_assert(sim::is_tag_v<Tag>, "the first argument of an accumulator is a tag such as acc48");
    static_assert(Lanes >= sim::least_lanes(Tag::bits, Tag::complex) && (Lanes & (Lanes - 1)) == 0,
                  "the device has no accumulator of so few lanes, or of a number that is no power of two (UG1529, aie::accum)");
    using ops = sim::lanes_of<Tag>;
    using float_element = std::conditional_t<Tag::complex, cfloat, float>;

public:
    using value_type = Tag;
    using lane = typename ops::lane;
    using native_type = accum;
    // Least size in a core's memory. A count of stack memory reads it from the debug information,
    // which only has constants that are used.
    static constexpr unsigned bytes_on_core = Lanes * (Tag::complex ? 2 : 1) * Tag::bits / 8;
    static_assert(bytes_on_core <= Lanes * sizeof(lane), "the host's lanes are wide enough");

    accum() = default;
#ifdef AIEC_SIM_TIMING
    accum(const accum &o) { *this = o; }
    accum &operator=(const accum &o) {
        adf::sim::counts::copied(this, &o, bytes_on_core);
        std::memcpy(static_cast<void *>(lanes_), o.lanes_, sizeof lanes_);
        return *this;
    }
#endif
    template <typename Type, std::enable_if_t<sim::is_complex_v<Type> == Tag::complex &&
                                               !(Tag::floating && std::is_same<Type, float_element>::value), int> = 0>
    explicit accum(const vector<Type, Lanes> &v, int shift = 0) {
        from_vector(v, shift);
    }
    // Float accumulators are vector registers: they convert implicitly to vectors and back
    // (UG1079).
    template <typename Float, std::enable_if_t<std::is_same<Float, float_element>::value && Tag::floating, int> = 0>
    accum(const vector<Float, Lanes> &v, int shift = 0) {
        from_vector(v, shift);
    }
    template <typename Float, typename = std::enable_if_t<std::is_same<Float, float_element>::value && Tag::floating>>
    operator vector<Float, Lanes>() const {
        return to_vector<Float>();
    }
    // From lanes of another width: they are cut to this one.
    template <typename From, typename = std::enable_if_t<!std::is_same<From, Tag>::value && From::complex == Tag::complex &&
                                                         From::floating == Tag::floating>>
    accum(const accum<From, Lanes> &o) {
        adf::sim::counts::quiet whole;
        for (unsigned i = 0; i < Lanes; ++i)
            lanes_[i] = ops::make(typename Tag::word(o.lane_at(i).real), typename Tag::word(o.lane_at(i).imag));
        whole.end();
        adf::sim::counts::renamed(*this, o);
    }

    static constexpr unsigned size() { return Lanes; }
    static constexpr unsigned value_bits() { return Tag::complex ? 2 * Tag::bits : Tag::bits; }
    static constexpr unsigned bits() { return Lanes * value_bits(); }
    static constexpr unsigned accum_bits() { return Tag::bits; }
    static constexpr bool is_complex() { return Tag::complex; }
    static constexpr bool is_real() { return !Tag::complex; }
    static constexpr bool is_floating_point() { return Tag::floating; }
    accum to_native() const { return *this; }

    const lane &lane_at(unsigned i) const { return lanes_[i]; }
    lane &lane_at(unsigned i) { return lanes_[i]; }

    // Every element shifted up by `shift` bits.
    template <typename Type>
    void from_vector(const vector<Type, Lanes> &v, int shift = 0) {
        adf::sim::counts::quiet whole;
        for (unsigned i = 0; i < Lanes; ++i) lanes_[i] = ops::shifted_up(v[i], shift);
        whole.end();
        converted(*this, v);
    }
    // As above, with the sign as an argument.
    template <typename Type>
    void from_vector_sign(const vector<Type, Lanes> &v, bool is_signed_value, int shift = 0) {
        adf::sim::counts::quiet whole;
        for (unsigned i = 0; i < Lanes; ++i)
            lanes_[i] = is_signed_value ? ops::shifted_up(std::make_signed_t<Type>(v[i]), shift)
                                        : ops::shifted_up(std::make_unsigned_t<Type>(v[i]), shift);
        whole.end();
        converted(*this, v);
    }

    // Every lane shifted down by `shift` bits, rounded and saturated as the core is set.
    template <typename Type>
    vector<Type, Lanes> to_vector(int shift = 0) const {
        static_assert(sim::is_complex_v<Type> == Tag::complex, "lanes and elements are both real or both complex");
        adf::sim::counts::quiet whole;
        vector<Type, Lanes> v;
        for (unsigned i = 0; i < Lanes; ++i) v[i] = ops::template shifted_down<Type>(lanes_[i], shift);
        whole.end();
        converted(v, *this);
        return v;
    }
    // Floats without a change of type.
    template <typename Own = Tag, std::enable_if_t<Own::floating, int> = 0>
    vector<float_element, Lanes> to_vector() const {
        return to_vector<float_element>();
    }
    template <typename Type>
    vector<Type, Lanes> to_vector_sign(bool is_signed_value, int shift = 0) const {
        if (is_signed_value) return to_vector<std::make_signed_t<Type>>(shift).template cast_to<Type>();
        return to_vector<std::make_unsigned_t<Type>>(shift).template cast_to<Type>();
    }

    template <unsigned PartLanes>
    accum<Tag, PartLanes> extract(unsigned part) const {
        static_assert(PartLanes <= Lanes, "more lanes are extracted than there are");
        adf::sim::counts::quiet whole;
        accum<Tag, PartLanes> a;
        for (unsigned i = 0; i < PartLanes; ++i) a.lane_at(i) = lanes_[(part * PartLanes + i) % Lanes];
        whole.end();
        adf::sim::counts::renamed(a, *this);
        return a;
    }
    template <typename From, unsigned PartLanes>
    accum &insert(unsigned part, const accum<From, PartLanes> &a) {
        static_assert(PartLanes <= Lanes, "more lanes are inserted than there are");
        const accum<Tag, PartLanes> same = a;
        for (unsigned i = 0; i < PartLanes; ++i) lanes_[(part * PartLanes + i) % Lanes] = same.lane_at(i);
        adf::sim::counts::renamed(*this, *this, same);
        return *this;
    }
    template <unsigned PartLanes>
    accum<Tag, PartLanes> grow(unsigned part = 0) const {
        accum<Tag, PartLanes> a;
        a.insert(part, *this);
        return a;
    }
    template <unsigned PartLanes>
    accum<Tag, PartLanes> grow_replicate() const {
        adf::sim::counts::quiet whole;
        accum<Tag, PartLanes> a;
        for (unsigned i = 0; i < PartLanes; ++i) a.lane_at(i) = lanes_[i % Lanes];
        whole.end();
        adf::sim::counts::renamed(a, *this);
        return a;
    }
    // Reinterprets the bits as lanes of another tag: two real lanes are one complex one, two narrow
    // parts are one wide one, the first being the lower (UG1079, "Casting and Datatype
    // Conversion").
    template <typename To>
    auto cast_to() const {
        static_assert(To::floating == Tag::floating, "integer and float accumulators have different bits");
        constexpr unsigned narrow = Tag::bits < To::bits ? Tag::bits : To::bits;
        constexpr unsigned units_from = units(Tag::complex, Tag::bits, narrow), units_to = units(To::complex, To::bits, narrow);
        accum<To, Lanes * units_from / units_to> to;
        for (unsigned i = 0; i < to.size(); ++i) {
            to.lane_at(i).real = unit_part<To>(i * units_to);
            if constexpr (To::complex) to.lane_at(i).imag = unit_part<To>(i * units_to + units_to / 2);
        }
        adf::sim::counts::renamed(to, *this);
        return to;
    }

private:
    // Counts a conversion: 384 bits of an accumulator at a time. Floats are vectors already.
    template <typename To, typename From>
    static void converted(const To &to, const From &from) {
        if constexpr (Tag::floating) adf::sim::counts::renamed(to, from);
        else adf::sim::counts::shifted(to, (bits() + 383) / 384, from);
    }
    // Parts of the narrower width in a lane.
    static constexpr unsigned units(bool complex, unsigned bits, unsigned narrow) {
        return (complex ? 2 : 1) * (bits == narrow ? 1 : 2);
    }
    typename Tag::part part_at(unsigned i) const {
        if constexpr (Tag::complex) return i % 2 == 0 ? lanes_[i / 2].real : lanes_[i / 2].imag;
        else return lanes_[i].real;
    }
    // The part of another tag that begins at a unit.
    template <typename To>
    typename To::part unit_part(unsigned unit) const {
        using word = typename To::word;
        if constexpr (To::bits == Tag::bits) return part_at(unit);
        else if constexpr (To::bits < Tag::bits) return To::cut(word(part_at(unit / 2) >> (unit % 2 == 0 ? 0 : To::bits)));
        else {
            const word low = word(part_at(unit)) & ((word(1) << Tag::bits) - 1);
            return To::cut(low | (word(part_at(unit + 1)) << Tag::bits));
        }
    }

    lane lanes_[Lanes] = {};
};

} // namespace aie

// The native accumulator types, as kernels name them (UG1078, "Accumulator Types").
#define AIE_SIM_NATIVE_ACCUM(Type, Lanes)                                    \
    using v##Lanes##Type = aie::accum<Type, Lanes>;                          \
    inline v##Lanes##Type null_v##Lanes##Type() { return v##Lanes##Type(); } \
    inline v##Lanes##Type undef_v##Lanes##Type() { return v##Lanes##Type(); }
AIE_SIM_NATIVE_ACCUM(acc48, 8)
AIE_SIM_NATIVE_ACCUM(acc48, 16)
AIE_SIM_NATIVE_ACCUM(cacc48, 4)
AIE_SIM_NATIVE_ACCUM(cacc48, 8)
AIE_SIM_NATIVE_ACCUM(acc80, 4)
AIE_SIM_NATIVE_ACCUM(acc80, 8)
AIE_SIM_NATIVE_ACCUM(cacc80, 2)
AIE_SIM_NATIVE_ACCUM(cacc80, 4)
AIE_SIM_NATIVE_ACCUM(acc32, 16)
AIE_SIM_NATIVE_ACCUM(acc32, 32)
AIE_SIM_NATIVE_ACCUM(acc64, 8)
AIE_SIM_NATIVE_ACCUM(acc64, 16)
AIE_SIM_NATIVE_ACCUM(accfloat, 8)
AIE_SIM_NATIVE_ACCUM(accfloat, 16)
#undef AIE_SIM_NATIVE_ACCUM
