// Element-wise arithmetic (UG1529, "Arithmetic"). Operations on vectors wrap in the element type;
// products go to accumulators and are exact there. Sums of floats are computed in single precision,
// one rounding for each operation.
#pragma once

#include "operand.hpp"

namespace aie {

// Every lane zero; the type is an element type, or a tag for an accumulator.
template <typename Type, unsigned Lanes>
auto zeros() {
    if constexpr (sim::is_tag_v<Type>) return accum<Type, Lanes>();
    else return vector<Type, Lanes>();
}
template <typename Type>
vector<Type> zeros() {
    return {};
}

template <typename Type, unsigned Lanes>
vector<Type, Lanes> broadcast(const sim::same_type_t<Type> &value) {
    vector<Type, Lanes> v;
    for (unsigned i = 0; i < Lanes; ++i) v.data()[i] = value;
    adf::sim::counts::moved(v, 1);
    return v;
}
template <unsigned Lanes, typename Type, typename = std::enable_if_t<sim::is_element_v<Type>>>
vector<Type, Lanes> broadcast(const Type &value) {
    return broadcast<Type, Lanes>(value);
}
// A small vector again and again.
template <typename Type, unsigned Lanes, unsigned PartLanes>
vector<Type, Lanes> broadcast(const vector<Type, PartLanes> &value) {
    return value.template grow_replicate<Lanes>();
}
// A vector of 512 bits.
template <typename Type, typename = std::enable_if_t<sim::is_element_v<Type>>>
auto broadcast(const Type &value) {
    return broadcast<Type, native_vector_length_v<Type>>(value);
}

namespace sim {

// One element from two by an operation on their common type. A scalar side is converted to the
// vector's type.
template <typename Type, typename Left, typename Right, unsigned Lanes, typename Combine>
vector<Type, Lanes> combined(const Left &a, const Right &b, Combine combine) {
    adf::sim::counts::quiet whole;
    vector<Type, Lanes> v;
    for (unsigned i = 0; i < Lanes; ++i)
        v.data()[i] = combine(converted<Type>(operand<Left>::lane(a, i)), converted<Type>(operand<Right>::lane(b, i)));
    whole.end();
    adf::sim::counts::worked(v, (v.bits() + 511) / 512, is_float_v<Type>, a, b);
    return v;
}

// The element type of an operation that keeps types: that of the vector, or of the first of two.
template <typename Left, typename Right>
using kept_t = std::conditional_t<(operand<Left>::size != 0), value_t<Left>, value_t<Right>>;

template <typename Left, typename Right, typename Combine>
auto elementwise(const Left &a, const Right &b, Combine combine) {
    using Type = kept_t<Left, Right>;
    if constexpr (operand<Left>::size == 0 && operand<Right>::size == 0)
        return combine(converted<Type>(operand<Left>::lane(a, 0)), converted<Type>(operand<Right>::lane(b, 0)));
    else return combined<Type, Left, Right, common_size<Left, Right>()>(a, b, combine);
}

template <typename Left, typename Right>
using if_operands = std::enable_if_t<operands_v<Left, Right>, int>;
template <typename Left>
using if_operand = std::enable_if_t<operand<Left>::valid, int>;

// An operation on each lane.
template <typename Left, typename Change>
auto eachlane(const Left &a, Change change) {
    using Type = value_t<Left>;
    if constexpr (operand<Left>::size == 0) return change(converted<Type>(operand<Left>::lane(a, 0)));
    else {
        adf::sim::counts::quiet whole;
        vector<Type, operand<Left>::size> v;
        for (unsigned i = 0; i < v.size(); ++i) v.data()[i] = change(Type(operand<Left>::lane(a, i)));
        whole.end();
        adf::sim::counts::worked(v, (v.bits() + 511) / 512, is_float_v<Type>, a);
        return v;
    }
}

// Sum or difference in the element type, saturated by the mode of the core.
template <typename Type, typename Combine>
Type saturated(const Type &a, const Type &b, Combine combine) {
    if constexpr (is_float_v<Type>) return Type(combine(float(a), float(b)));
    else if constexpr (is_complex_v<Type>) return Type(saturated(a.real, b.real, combine), saturated(a.imag, b.imag,
                                                                                                     combine));
    else return narrowed<Type>(combine(int128(a), int128(b)), running_core()->saturation);
}

} // namespace sim

template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto add(const Left &a, const Right &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return sim::wrap::add(x, y); });
}
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto sub(const Left &a, const Right &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return sim::wrap::sub(x, y); });
}
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto saturating_add(const Left &a, const Right &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) {
        return sim::saturated(x, y, [](auto p, auto q) { return p + q; });
    });
}
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto saturating_sub(const Left &a, const Right &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) {
        return sim::saturated(x, y, [](auto p, auto q) { return p - q; });
    });
}
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto min(const Left &a, const Right &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return y < x ? y : x; });
}
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto max(const Left &a, const Right &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return x < y ? y : x; });
}
// The larger of a - b and zero (UG1078, "maxdiff").
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto maxdiff(const Left &a, const Right &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return y < x ? sim::wrap::sub(x, y) : sim::wrap::sub(x, x); });
}
// Unsigned lanes have no sign to flip and stay as they are (UG1079, "Vector Arithmetic
// Operations").
template <typename Left, sim::if_operand<Left> = 0>
auto neg(const Left &a) {
    return sim::eachlane(a, [](const auto &x) {
        if constexpr (sim::is_signed_v<std::decay_t<decltype(x)>>) return sim::wrap::neg(x);
        else return std::decay_t<decltype(x)>(x);
    });
}
// The most negative integer has no magnitude in its type and stays as it is.
template <typename Left, sim::if_operand<Left> = 0>
auto abs(const Left &a) {
    return sim::eachlane(a, [](const auto &x) { return x < decltype(+x)(0) ? sim::wrap::neg(x) : x; });
}
template <typename Left, sim::if_operand<Left> = 0>
auto conj(const Left &a) {
    return sim::eachlane(a, [](const auto &x) { return sim::wrap::conj(x); });
}

// --- sums and differences with accumulators ------------------------------------------------------

namespace sim {

// An operand as accumulator lanes.
template <typename Tag, unsigned Lanes, typename Operand>
accum<Tag, Lanes> accumulated(const Operand &x) {
    if constexpr (accumulator<Operand>::valid) return accumulator<Operand>::get(x);
    else {
        accum<Tag, Lanes> a;
        for (unsigned i = 0; i < Lanes; ++i) a.lane_at(i) = lanes_of<Tag>::shifted_up(operand<Operand>::lane(x, i), 0);
        return a;
    }
}

template <typename Acc, typename Operand, typename Combine>
auto on_lanes(const Acc &acc, const Operand &x, Combine combine) {
    using Left = accumulator<Acc>;
    const auto &left = Left::get(acc);
    adf::sim::counts::quiet whole;
    const auto right = accumulated<typename Left::tag, Left::size>(x);
    accum<typename Left::tag, Left::size> sum;
    for (unsigned i = 0; i < Left::size; ++i) sum.lane_at(i) = combine(left.lane_at(i), right.lane_at(i));
    whole.end();
    adf::sim::counts::worked(sum, 1, Left::tag::floating, left, x);
    return sum;
}

} // namespace sim

template <typename Acc, typename Operand, sim::if_accum<Acc> = 0>
auto add(const Acc &acc, const Operand &x) {
    return sim::on_lanes(acc, x, sim::lanes_of<typename sim::accumulator<Acc>::tag>::add);
}
template <typename Acc, typename Operand, sim::if_accum<Acc> = 0>
auto sub(const Acc &acc, const Operand &x) {
    return sim::on_lanes(acc, x, sim::lanes_of<typename sim::accumulator<Acc>::tag>::sub);
}
template <typename Operand, typename Acc, sim::if_accum<Acc> = 0, sim::if_operand<Operand> = 0>
auto add(const Operand &x, const Acc &acc) {
    return add(acc, x);
}
template <typename Operand, typename Acc, sim::if_accum<Acc> = 0, sim::if_operand<Operand> = 0>
auto sub(const Operand &x, const Acc &acc) {
    return add(sim::negated(sim::accumulator<Acc>::get(acc)), x);
}
template <typename Acc, sim::if_accum<Acc> = 0>
auto neg(const Acc &acc) {
    return sim::negated(sim::accumulator<Acc>::get(acc));
}

} // namespace aie
