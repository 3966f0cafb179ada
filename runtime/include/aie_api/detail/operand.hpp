// Operands of operations: vectors, scalars, references to lanes, and lazy operations
// (`aie::op_conj(v)` and the like, UG1529, "Lazy Operations"), which are applied to each lane when
// the operation that takes them reads it.
#pragma once

#include "accum.hpp"
#include "mask.hpp"

namespace aie {

// The effect of a lazy operation on the lanes of a vector.
enum class operation { none, abs, conj, max, min, sign, transpose };

namespace sim {

// A vector operand whose lanes go through an operation. `second` is the other side of min and max.
// `read_signed` states how `sign` reads the bits.
template <operation Op, typename Type, unsigned Lanes>
struct lazy_vector {
    vector<Type, Lanes> first;
    vector<Type, Lanes> second{};
    bool read_signed = false;
};

// An accumulator operand: kept, negated or replaced by zeros.
template <typename Tag, unsigned Lanes>
struct lazy_accum {
    accum<Tag, Lanes> value;
};

// An integer of 64 bits, or a pair of them: exact for the conjugate and magnitude of every element
// type.
template <typename Type>
using exact_t = std::conditional_t<is_float_v<Type>, std::conditional_t<is_complex_v<Type>, cfloat, float>,
                                   std::conditional_t<is_complex_v<Type>, adf::sim::complex<std::int64_t>, std::int64_t>>;

template <operation Op, typename Type>
exact_t<Type> applied(const Type &a, [[maybe_unused]] const Type &b, [[maybe_unused]] bool read_signed) {
    const auto x = converted<exact_t<Type>>(a);
    if constexpr (Op == operation::conj) return wrap::conj(x);
    else if constexpr (Op == operation::sign) return read_signed ? exact_t<Type>(std::make_signed_t<Type>(a))
        : exact_t<Type>(std::make_unsigned_t<Type>(a));
    else if constexpr (Op == operation::abs) return x < 0 ? -x : x;
    else if constexpr (Op == operation::max) return a < b ? converted<exact_t<Type>>(b) : x;
    else if constexpr (Op == operation::min) return b < a ? converted<exact_t<Type>>(b) : x;
    else return x;
}

// Traits of an operand: its element type, its lanes (0: a scalar, used for every lane), and each
// lane.
template <typename Operand, typename = void>
struct operand {
    static constexpr bool valid = false;
};
template <typename Operand>
struct operand<Operand, std::enable_if_t<is_element_v<Operand>>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = 0;
    using value_type = Operand;
    static const Operand &lane(const Operand &x, unsigned) { return x; }
};
// Numbers of the host: int literals are int32, doubles are floats.
template <>
struct operand<double> {
    static constexpr bool valid = true;
    static constexpr unsigned size = 0;
    using value_type = float;
    static float lane(double x, unsigned) { return float(x); }
};
template <>
struct operand<bool> {
    static constexpr bool valid = false;
};
template <typename Type, unsigned Lanes>
struct operand<vector<Type, Lanes>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = Lanes;
    using value_type = Type;
    static const Type &lane(const vector<Type, Lanes> &v, unsigned i) { return v.data()[i % Lanes]; }
};
template <typename Type, unsigned Lanes>
struct operand<vector_elem_ref<Type, Lanes>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = 0;
    using value_type = Type;
    static Type lane(const vector_elem_ref<Type, Lanes> &r, unsigned) { return r; }
};
template <typename Type, unsigned Lanes>
struct operand<vector_elem_const_ref<Type, Lanes>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = 0;
    using value_type = Type;
    static Type lane(const vector_elem_const_ref<Type, Lanes> &r, unsigned) { return r; }
};
template <operation Op, typename Type, unsigned Lanes>
struct operand<lazy_vector<Op, Type, Lanes>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = Lanes;
    using value_type = Type;
    static exact_t<Type> lane(const lazy_vector<Op, Type, Lanes> &v, unsigned i) {
        return applied<Op>(v.first.data()[i % Lanes], v.second.data()[i % Lanes], v.read_signed);
    }
};

template <typename Operand>
using value_t = typename operand<Operand>::value_type;
template <typename Left, typename Right>
constexpr bool operands_v = operand<Left>::valid && operand<Right>::valid;

// True for a float or complex float, and for a reference to one in a vector.
template <typename Operand, typename = void>
struct is_float_scalar : std::false_type {};
template <typename Operand>
struct is_float_scalar<Operand, std::enable_if_t<operand<Operand>::valid>>
    : std::integral_constant<bool, operand<Operand>::size == 0 && is_float_v<value_t<Operand>>> {};
template <typename... Operands>
constexpr bool float_scalars_v = (is_float_scalar<Operands>::value && ...);

// Number of lanes of an operation on two operands: that of the vectors, which must agree.
template <typename Left, typename Right>
constexpr unsigned common_size() {
    constexpr unsigned a = operand<Left>::size, b = operand<Right>::size;
    static_assert(a == 0 || b == 0 || a == b, "the vectors have different numbers of lanes");
    static_assert(a != 0 || b != 0, "one operand is a vector");
    return a != 0 ? a : b;
}

// Accumulators, plain or lazy.
template <typename Operand>
struct accumulator {
    static constexpr bool valid = false;
};
template <typename Tag, unsigned Lanes>
struct accumulator<accum<Tag, Lanes>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = Lanes;
    using tag = Tag;
    static const accum<Tag, Lanes> &get(const accum<Tag, Lanes> &a) { return a; }
};
template <typename Tag, unsigned Lanes>
struct accumulator<lazy_accum<Tag, Lanes>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = Lanes;
    using tag = Tag;
    static const accum<Tag, Lanes> &get(const lazy_accum<Tag, Lanes> &a) { return a.value; }
};
template <typename Operand>
using if_accum = std::enable_if_t<accumulator<Operand>::valid, int>;

template <typename Tag, unsigned Lanes>
accum<Tag, Lanes> negated(const accum<Tag, Lanes> &a) {
    adf::sim::counts::quiet whole;
    accum<Tag, Lanes> n;
    for (unsigned i = 0; i < Lanes; ++i) n.lane_at(i) = lanes_of<Tag>::neg(a.lane_at(i));
    whole.end();
    adf::sim::counts::worked(n, 1, Tag::floating, a);
    return n;
}

} // namespace sim

template <typename Type, unsigned Lanes>
sim::lazy_vector<operation::none, Type, Lanes> op_none(const vector<Type, Lanes> &v) { return {v}; }
template <typename Type, unsigned Lanes>
sim::lazy_vector<operation::conj, Type, Lanes> op_conj(const vector<Type, Lanes> &v) { return {v}; }
// A number has its conjugate at once (AMD's Vitis libraries).
template <typename Part>
adf::sim::complex<Part> op_conj(const adf::sim::complex<Part> &x) {
    return sim::wrap::conj(x);
}
template <typename Type, unsigned Lanes>
sim::lazy_vector<operation::abs, Type, Lanes> op_abs(const vector<Type, Lanes> &v) { return {v}; }
#if __AIE_ARCH__ != 10
template <typename Type, unsigned Lanes>
sim::lazy_vector<operation::transpose, Type, Lanes> op_transpose(const vector<Type, Lanes> &v) { return {v}; }
#endif
// The bits of the lanes read as signed or unsigned numbers, whatever their type.
template <typename Type, unsigned Lanes>
sim::lazy_vector<operation::sign, Type, Lanes> op_sign(const vector<Type, Lanes> &v, bool is_signed_value) {
    return {v, {}, is_signed_value};
}
template <typename Type, unsigned Lanes>
sim::lazy_vector<operation::max, Type, Lanes> op_max(const vector<Type, Lanes> &a, const vector<Type, Lanes> &b) {
    return {a, b};
}
template <typename Type, unsigned Lanes>
sim::lazy_vector<operation::min, Type, Lanes> op_min(const vector<Type, Lanes> &a, const vector<Type, Lanes> &b) {
    return {a, b};
}
template <typename Type, unsigned Lanes>
auto op_max(const vector<Type, Lanes> &a, const sim::same_type_t<Type> &b) {
    return op_max(a, vector<Type, Lanes>::map(a, [&](const Type &) { return b; }));
}
template <typename Type, unsigned Lanes>
auto op_min(const vector<Type, Lanes> &a, const sim::same_type_t<Type> &b) {
    return op_min(a, vector<Type, Lanes>::map(a, [&](const Type &) { return b; }));
}

template <typename Tag, unsigned Lanes>
sim::lazy_accum<Tag, Lanes> op_none(const accum<Tag, Lanes> &a) { return {a}; }
// The accumulator is added; or subtracted, which negates it.
template <typename Tag, unsigned Lanes>
sim::lazy_accum<Tag, Lanes> op_add(const accum<Tag, Lanes> &a) { return {a}; }
template <typename Tag, unsigned Lanes>
sim::lazy_accum<Tag, Lanes> op_sub(const accum<Tag, Lanes> &a) { return {sim::negated(a)}; }
// Zeros instead of the accumulator, always or if `clear` is set.
template <typename Tag, unsigned Lanes>
sim::lazy_accum<Tag, Lanes> op_zero(const accum<Tag, Lanes> &a, bool clear = true) {
    return {clear ? accum<Tag, Lanes>() : a};
}

} // namespace aie
