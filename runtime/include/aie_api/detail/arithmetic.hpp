// Element-wise arithmetic (UG1529, "Arithmetic"). Operations on vectors wrap in the element type; products go to
// accumulators and are exact there. Sums of floats are made in single precision, one rounding for each operation.
#pragma once

#include "operand.hpp"

namespace aie {

// Every lane zero; the type is an element type, or a tag for an accumulator.
template <typename T, unsigned N>
auto zeros() {
    if constexpr (sim::is_tag_v<T>) return accum<T, N>();
    else return vector<T, N>();
}

template <typename T, unsigned N>
vector<T, N> broadcast(const sim::same_type_t<T> &value) {
    vector<T, N> v;
    for (unsigned i = 0; i < N; ++i) v.data()[i] = value;
    return v;
}
template <unsigned N, typename T, typename = std::enable_if_t<sim::is_element_v<T>>>
vector<T, N> broadcast(const T &value) {
    return broadcast<T, N>(value);
}
// A small vector again and again.
template <typename T, unsigned N, unsigned K>
vector<T, N> broadcast(const vector<T, K> &value) {
    return value.template grow_replicate<N>();
}
// A vector of 512 bits on AIE-ML, of 256 bits on AIE.
template <typename T, typename = std::enable_if_t<sim::is_element_v<T>>>
auto broadcast(const T &value) {
    return broadcast<T, (__AIE_ARCH__ == 10 ? 32 : 64) / sizeof(T)>(value);
}

namespace sim {

// One element from two by an operation on their common type. A scalar side is converted to the vector's type.
template <typename T, typename A, typename B, unsigned N, typename Combine>
vector<T, N> combined(const A &a, const B &b, Combine combine) {
    vector<T, N> v;
    for (unsigned i = 0; i < N; ++i)
        v.data()[i] = combine(converted<T>(operand<A>::lane(a, i)), converted<T>(operand<B>::lane(b, i)));
    return v;
}

// The element type of an operation that keeps types: that of the vector, or of the first of two.
template <typename A, typename B>
using kept_t = std::conditional_t<(operand<A>::size != 0), value_t<A>, value_t<B>>;

template <typename A, typename B, typename Combine>
auto elementwise(const A &a, const B &b, Combine combine) {
    using T = kept_t<A, B>;
    if constexpr (operand<A>::size == 0 && operand<B>::size == 0)
        return combine(converted<T>(operand<A>::lane(a, 0)), converted<T>(operand<B>::lane(b, 0)));
    else return combined<T, A, B, common_size<A, B>()>(a, b, combine);
}

template <typename A, typename B>
using if_operands = std::enable_if_t<operands_v<A, B>, int>;
template <typename A>
using if_operand = std::enable_if_t<operand<A>::valid, int>;

// An operation on each lane.
template <typename A, typename Change>
auto eachlane(const A &a, Change change) {
    using T = value_t<A>;
    if constexpr (operand<A>::size == 0) return change(converted<T>(operand<A>::lane(a, 0)));
    else {
        vector<T, operand<A>::size> v;
        for (unsigned i = 0; i < v.size(); ++i) v.data()[i] = change(T(operand<A>::lane(a, i)));
        return v;
    }
}

// Sum or difference in the element type, saturated by the mode of the core.
template <typename T, typename Combine>
T saturated(const T &a, const T &b, Combine combine) {
    if constexpr (is_float_v<T>) return T(combine(float(a), float(b)));
    else if constexpr (is_complex_v<T>) return T(saturated(a.real, b.real, combine), saturated(a.imag, b.imag, combine));
    else return narrowed<T>(combine(int128(a), int128(b)), running_core()->saturation);
}

} // namespace sim

template <typename A, typename B, sim::if_operands<A, B> = 0>
auto add(const A &a, const B &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return sim::wrap::add(x, y); });
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto sub(const A &a, const B &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return sim::wrap::sub(x, y); });
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto saturating_add(const A &a, const B &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) {
        return sim::saturated(x, y, [](auto p, auto q) { return p + q; });
    });
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto saturating_sub(const A &a, const B &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) {
        return sim::saturated(x, y, [](auto p, auto q) { return p - q; });
    });
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto min(const A &a, const B &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return y < x ? y : x; });
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto max(const A &a, const B &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return x < y ? y : x; });
}
// The larger of a - b and zero (UG1078, "maxdiff").
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto maxdiff(const A &a, const B &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return y < x ? sim::wrap::sub(x, y) : sim::wrap::sub(x, x); });
}
// Unsigned lanes have no sign to flip and stay as they are (UG1079, "Vector Arithmetic Operations").
template <typename A, sim::if_operand<A> = 0>
auto neg(const A &a) {
    return sim::eachlane(a, [](const auto &x) {
        if constexpr (sim::is_signed_v<std::decay_t<decltype(x)>>) return sim::wrap::neg(x);
        else return std::decay_t<decltype(x)>(x);
    });
}
// The most negative integer has no magnitude in its type and stays as it is.
template <typename A, sim::if_operand<A> = 0>
auto abs(const A &a) {
    return sim::eachlane(a, [](const auto &x) { return x < decltype(+x)(0) ? sim::wrap::neg(x) : x; });
}
template <typename A, sim::if_operand<A> = 0>
auto conj(const A &a) {
    return sim::eachlane(a, [](const auto &x) { return sim::wrap::conj(x); });
}

// --- accumulators plus and minus something --------------------------------------------------------------------------

namespace sim {

// An operand as accumulator lanes.
template <typename Tag, unsigned N, typename X>
accum<Tag, N> accumulated(const X &x) {
    if constexpr (accumulator<X>::valid) return accumulator<X>::get(x);
    else {
        accum<Tag, N> a;
        for (unsigned i = 0; i < N; ++i) a.lane_at(i) = lanes_of<Tag>::shifted_up(operand<X>::lane(x, i), 0);
        return a;
    }
}

template <typename Acc, typename X, typename Combine>
auto on_lanes(const Acc &acc, const X &x, Combine combine) {
    using A = accumulator<Acc>;
    const auto &left = A::get(acc);
    const auto right = accumulated<typename A::tag, A::size>(x);
    accum<typename A::tag, A::size> sum;
    for (unsigned i = 0; i < A::size; ++i) sum.lane_at(i) = combine(left.lane_at(i), right.lane_at(i));
    return sum;
}

} // namespace sim

template <typename Acc, typename X, sim::if_accum<Acc> = 0>
auto add(const Acc &acc, const X &x) {
    return sim::on_lanes(acc, x, sim::lanes_of<typename sim::accumulator<Acc>::tag>::add);
}
template <typename Acc, typename X, sim::if_accum<Acc> = 0>
auto sub(const Acc &acc, const X &x) {
    return sim::on_lanes(acc, x, sim::lanes_of<typename sim::accumulator<Acc>::tag>::sub);
}
template <typename X, typename Acc, sim::if_accum<Acc> = 0, sim::if_operand<X> = 0>
auto add(const X &x, const Acc &acc) {
    return add(acc, x);
}
template <typename X, typename Acc, sim::if_accum<Acc> = 0, sim::if_operand<X> = 0>
auto sub(const X &x, const Acc &acc) {
    return add(sim::negated(sim::accumulator<Acc>::get(acc)), x);
}
template <typename Acc, sim::if_accum<Acc> = 0>
auto neg(const Acc &acc) {
    return sim::negated(sim::accumulator<Acc>::get(acc));
}

} // namespace aie
