// Operands of operations: vectors, scalars, references to lanes, and lazy operations (`aie::op_conj(v)` and the like,
// UG1529, "Lazy Operations"), which are applied to each lane when the operation that takes them reads it.
#pragma once

#include "accum.hpp"
#include "mask.hpp"

namespace aie {

// What a lazy operation does to the lanes of a vector.
enum class operation { none, abs, conj, max, min, sign, transpose };

namespace sim {

// A vector operand whose lanes go through an operation. `second` is the other side of min and max; `read_signed` says
// how `sign` reads the bits.
template <operation Op, typename T, unsigned N>
struct lazy_vector {
    vector<T, N> first;
    vector<T, N> second{};
    bool read_signed = false;
};

// An accumulator operand: kept, negated or replaced by zeros.
template <typename Tag, unsigned N>
struct lazy_accum {
    accum<Tag, N> value;
};

// An integer of 64 bits, or a pair of them: exact for the conjugate and magnitude of every element type.
template <typename T>
using exact_t = std::conditional_t<is_float_v<T>, std::conditional_t<is_complex_v<T>, cfloat, float>,
                                   std::conditional_t<is_complex_v<T>, adf::sim::complex<std::int64_t>, std::int64_t>>;

template <operation Op, typename T>
exact_t<T> applied(const T &a, [[maybe_unused]] const T &b, [[maybe_unused]] bool read_signed) {
    const auto x = converted<exact_t<T>>(a);
    if constexpr (Op == operation::conj) return wrap::conj(x);
    else if constexpr (Op == operation::sign) return read_signed ? exact_t<T>(std::make_signed_t<T>(a)) : exact_t<T>(std::make_unsigned_t<T>(a));
    else if constexpr (Op == operation::abs) return x < 0 ? -x : x;
    else if constexpr (Op == operation::max) return a < b ? converted<exact_t<T>>(b) : x;
    else if constexpr (Op == operation::min) return b < a ? converted<exact_t<T>>(b) : x;
    else return x;
}

// What an operand is: its element type, its lanes (0: a scalar, which serves every lane), and each lane.
template <typename X, typename = void>
struct operand {
    static constexpr bool valid = false;
};
template <typename X>
struct operand<X, std::enable_if_t<is_element_v<X>>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = 0;
    using value_type = X;
    static const X &lane(const X &x, unsigned) { return x; }
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
template <typename T, unsigned N>
struct operand<vector<T, N>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = N;
    using value_type = T;
    static const T &lane(const vector<T, N> &v, unsigned i) { return v.data()[i % N]; }
};
template <typename T, unsigned N>
struct operand<vector_elem_ref<T, N>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = 0;
    using value_type = T;
    static T lane(const vector_elem_ref<T, N> &r, unsigned) { return r; }
};
template <typename T, unsigned N>
struct operand<vector_elem_const_ref<T, N>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = 0;
    using value_type = T;
    static T lane(const vector_elem_const_ref<T, N> &r, unsigned) { return r; }
};
template <operation Op, typename T, unsigned N>
struct operand<lazy_vector<Op, T, N>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = N;
    using value_type = T;
    static exact_t<T> lane(const lazy_vector<Op, T, N> &v, unsigned i) {
        return applied<Op>(v.first.data()[i % N], v.second.data()[i % N], v.read_signed);
    }
};

template <typename X>
using value_t = typename operand<X>::value_type;
template <typename A, typename B>
constexpr bool operands_v = operand<A>::valid && operand<B>::valid;

// Lanes of an operation on two operands: those of the vectors, which agree.
template <typename A, typename B>
constexpr unsigned common_size() {
    constexpr unsigned a = operand<A>::size, b = operand<B>::size;
    static_assert(a == 0 || b == 0 || a == b, "the vectors have different numbers of lanes");
    static_assert(a != 0 || b != 0, "one operand is a vector");
    return a != 0 ? a : b;
}

// Accumulators, plain or lazy.
template <typename X>
struct accumulator {
    static constexpr bool valid = false;
};
template <typename Tag, unsigned N>
struct accumulator<accum<Tag, N>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = N;
    using tag = Tag;
    static const accum<Tag, N> &get(const accum<Tag, N> &a) { return a; }
};
template <typename Tag, unsigned N>
struct accumulator<lazy_accum<Tag, N>> {
    static constexpr bool valid = true;
    static constexpr unsigned size = N;
    using tag = Tag;
    static const accum<Tag, N> &get(const lazy_accum<Tag, N> &a) { return a.value; }
};
template <typename X>
using if_accum = std::enable_if_t<accumulator<X>::valid, int>;

template <typename Tag, unsigned N>
accum<Tag, N> negated(const accum<Tag, N> &a) {
    accum<Tag, N> n;
    for (unsigned i = 0; i < N; ++i) n.lane_at(i) = lanes_of<Tag>::neg(a.lane_at(i));
    return n;
}

} // namespace sim

template <typename T, unsigned N>
sim::lazy_vector<operation::none, T, N> op_none(const vector<T, N> &v) { return {v}; }
template <typename T, unsigned N>
sim::lazy_vector<operation::conj, T, N> op_conj(const vector<T, N> &v) { return {v}; }
template <typename T, unsigned N>
sim::lazy_vector<operation::abs, T, N> op_abs(const vector<T, N> &v) { return {v}; }
template <typename T, unsigned N>
sim::lazy_vector<operation::transpose, T, N> op_transpose(const vector<T, N> &v) { return {v}; }
// The bits of the lanes read as signed or unsigned numbers, whatever their type.
template <typename T, unsigned N>
sim::lazy_vector<operation::sign, T, N> op_sign(const vector<T, N> &v, bool is_signed_value) { return {v, {}, is_signed_value}; }
template <typename T, unsigned N>
sim::lazy_vector<operation::max, T, N> op_max(const vector<T, N> &a, const vector<T, N> &b) { return {a, b}; }
template <typename T, unsigned N>
sim::lazy_vector<operation::min, T, N> op_min(const vector<T, N> &a, const vector<T, N> &b) { return {a, b}; }
template <typename T, unsigned N>
auto op_max(const vector<T, N> &a, const sim::same_type_t<T> &b) {
    return op_max(a, vector<T, N>::map(a, [&](const T &) { return b; }));
}
template <typename T, unsigned N>
auto op_min(const vector<T, N> &a, const sim::same_type_t<T> &b) {
    return op_min(a, vector<T, N>::map(a, [&](const T &) { return b; }));
}

template <typename Tag, unsigned N>
sim::lazy_accum<Tag, N> op_none(const accum<Tag, N> &a) { return {a}; }
// The accumulator is added; or subtracted, which negates it.
template <typename Tag, unsigned N>
sim::lazy_accum<Tag, N> op_add(const accum<Tag, N> &a) { return {a}; }
template <typename Tag, unsigned N>
sim::lazy_accum<Tag, N> op_sub(const accum<Tag, N> &a) { return {sim::negated(a)}; }
// Zeros instead of the accumulator, always or when `clear` says so.
template <typename Tag, unsigned N>
sim::lazy_accum<Tag, N> op_zero(const accum<Tag, N> &a, bool clear = true) {
    return {clear ? accum<Tag, N>() : a};
}

} // namespace aie
