// Comparison, selection and bits (UG1529, "Comparison", "Bit-wise Operations", "Reshaping").
#pragma once

#include "arithmetic.hpp"

namespace aie {
namespace sim {

// Two floats give a bool (UG1529, "Floating-point Scalar Operations").
template <typename Left, typename Right, typename Test>
auto compared(const Left &a, const Right &b, Test test) {
    using Type = kept_t<Left, Right>;
    const auto holds = [&](unsigned i) {
        return test(converted<Type>(operand<Left>::lane(a, i)), converted<Type>(operand<Right>::lane(b, i)));
    };
    if constexpr (float_scalars_v<Left, Right>) return holds(0);
    else {
        adf::sim::counts::quiet whole;
        mask<common_size<Left, Right>()> m;
        for (unsigned i = 0; i < m.size(); ++i) m.set(i, holds(i));
        whole.end();
        adf::sim::counts::worked(m, (unsigned(m.size()) * bits_v<Type> + 511) / 512, is_float_v<Type>, a, b);
        return m;
    }
}

} // namespace sim

template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto lt(const Left &a, const Right &b) {
    return sim::compared(a, b, [](const auto &x, const auto &y) { return x < y; });
}
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto le(const Left &a, const Right &b) {
    return sim::compared(a, b, [](const auto &x, const auto &y) { return x <= y; });
}
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto gt(const Left &a, const Right &b) {
    return sim::compared(a, b, [](const auto &x, const auto &y) { return x > y; });
}
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto ge(const Left &a, const Right &b) {
    return sim::compared(a, b, [](const auto &x, const auto &y) { return x >= y; });
}
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto eq(const Left &a, const Right &b) {
    return sim::compared(a, b, [](const auto &x, const auto &y) { return x == y; });
}
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto neq(const Left &a, const Right &b) {
    return sim::compared(a, b, [](const auto &x, const auto &y) { return x != y; });
}

// Are all lanes equal? Does any differ?
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
bool equal(const Left &a, const Right &b) {
    return eq(a, b).full();
}
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
bool not_equal(const Left &a, const Right &b) {
    return !equal(a, b);
}

// Lane by lane: `if_set` where the mask is set, `if_clear` elsewhere. A set bit chooses the second
// operand.
template <typename Left, typename Right, unsigned Lanes, sim::if_operands<Left, Right> = 0>
auto select(const Left &if_clear, const Right &if_set, const mask<Lanes> &m) {
    using Type = sim::kept_t<Left, Right>;
    adf::sim::counts::quiet whole;
    vector<Type, Lanes> v;
    for (unsigned i = 0; i < Lanes; ++i)
        v.data()[i] = m.test(i) ? sim::converted<Type>(sim::operand<Right>::lane(if_set, i))
                                : sim::converted<Type>(sim::operand<Left>::lane(if_clear, i));
    whole.end();
    adf::sim::counts::worked(v, (v.bits() + 511) / 512, false, if_clear, if_set, m);
    return v;
}
template <typename Tag, unsigned Lanes>
accum<Tag, Lanes> select(const accum<Tag, Lanes> &if_clear, const accum<Tag, Lanes> &if_set, const mask<Lanes> &m) {
    adf::sim::counts::quiet whole;
    accum<Tag, Lanes> a;
    for (unsigned i = 0; i < Lanes; ++i) a.lane_at(i) = m.test(i) ? if_set.lane_at(i) : if_clear.lane_at(i);
    whole.end();
    adf::sim::counts::worked(a, 1, false, if_clear, if_set, m);
    return a;
}

template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto bit_and(const Left &a, const Right &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return std::decay_t<decltype(x)>(x & y); });
}
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto bit_or(const Left &a, const Right &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return std::decay_t<decltype(x)>(x | y); });
}
template <typename Left, typename Right, sim::if_operands<Left, Right> = 0>
auto bit_xor(const Left &a, const Right &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return std::decay_t<decltype(x)>(x ^ y); });
}
template <typename Left, sim::if_operand<Left> = 0>
auto bit_not(const Left &a) {
    return sim::eachlane(a, [](const auto &x) { return std::decay_t<decltype(x)>(~x); });
}

namespace sim {

// Integer lanes (both parts of complex ones) moved by a number of bits; amounts beyond the width
// move everything out.
template <typename Part>
Part up(Part x, unsigned by) {
    return by >= bits_v<Part> ? Part(0)
        : Part(std::make_unsigned_t<Part>(std::uint64_t(std::make_unsigned_t<Part>(x)) << by));
}
template <typename Part>
Part down(Part x, unsigned by) {
    return Part(x >> (by >= bits_v<Part> ? bits_v<Part> - 1 : by)); // signed types keep the sign
}
template <typename Part>
Part logical_down(Part x, unsigned by) {
    return by >= bits_v<Part> ? Part(0) : Part(std::make_unsigned_t<Part>(std::make_unsigned_t<Part>(x) >> by));
}
template <typename Type, unsigned Lanes, typename Move>
vector<Type, Lanes> moved(const vector<Type, Lanes> &v, Move move) {
    return vector<Type, Lanes>::map(v, [&](const Type &x) {
        if constexpr (is_complex_v<Type>) return Type(move(x.real), move(x.imag));
        else return Type(move(x));
    });
}

} // namespace sim

template <typename Type, unsigned Lanes>
vector<Type, Lanes> upshift(const vector<Type, Lanes> &v, unsigned by) {
    return sim::moved(v, [by](auto x) { return sim::up(x, by); });
}
// Arithmetic: signed lanes keep their sign.
template <typename Type, unsigned Lanes>
vector<Type, Lanes> downshift(const vector<Type, Lanes> &v, unsigned by) {
    if constexpr (sim::is_signed_v<Type>) return sim::moved(v, [by](auto x) { return sim::down(x, by); });
    else return sim::moved(v, [by](auto x) { return sim::logical_down(x, by); });
}
template <typename Type, unsigned Lanes>
vector<Type, Lanes> logical_downshift(const vector<Type, Lanes> &v, unsigned by) {
    return sim::moved(v, [by](auto x) { return sim::logical_down(x, by); });
}

} // namespace aie
