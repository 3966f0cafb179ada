// Comparison, selection and bits (UG1529, "Comparison", "Bit-wise Operations", "Reshaping").
#pragma once

#include "arithmetic.hpp"

namespace aie {
namespace sim {

template <typename A, typename B, typename Test>
mask<common_size<A, B>()> compared(const A &a, const B &b, Test test) {
    using T = kept_t<A, B>;
    mask<common_size<A, B>()> m;
    for (unsigned i = 0; i < m.size(); ++i)
        m.set(i, test(converted<T>(operand<A>::lane(a, i)), converted<T>(operand<B>::lane(b, i))));
    return m;
}

} // namespace sim

template <typename A, typename B, sim::if_operands<A, B> = 0>
auto lt(const A &a, const B &b) {
    return sim::compared(a, b, [](const auto &x, const auto &y) { return x < y; });
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto le(const A &a, const B &b) {
    return sim::compared(a, b, [](const auto &x, const auto &y) { return x <= y; });
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto gt(const A &a, const B &b) {
    return sim::compared(a, b, [](const auto &x, const auto &y) { return x > y; });
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto ge(const A &a, const B &b) {
    return sim::compared(a, b, [](const auto &x, const auto &y) { return x >= y; });
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto eq(const A &a, const B &b) {
    return sim::compared(a, b, [](const auto &x, const auto &y) { return x == y; });
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto neq(const A &a, const B &b) {
    return sim::compared(a, b, [](const auto &x, const auto &y) { return x != y; });
}

// Are all lanes equal? Does any differ?
template <typename A, typename B, sim::if_operands<A, B> = 0>
bool equal(const A &a, const B &b) {
    return eq(a, b).full();
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
bool not_equal(const A &a, const B &b) {
    return !equal(a, b);
}

// Lane by lane: `if_set` where the mask is set, `if_clear` elsewhere (the second operand is the one that is chosen).
template <typename A, typename B, unsigned N, sim::if_operands<A, B> = 0>
auto select(const A &if_clear, const B &if_set, const mask<N> &m) {
    using T = sim::kept_t<A, B>;
    vector<T, N> v;
    for (unsigned i = 0; i < N; ++i)
        v.data()[i] = m.test(i) ? sim::converted<T>(sim::operand<B>::lane(if_set, i))
                                : sim::converted<T>(sim::operand<A>::lane(if_clear, i));
    return v;
}
template <typename Tag, unsigned N>
accum<Tag, N> select(const accum<Tag, N> &if_clear, const accum<Tag, N> &if_set, const mask<N> &m) {
    accum<Tag, N> a;
    for (unsigned i = 0; i < N; ++i) a.lane_at(i) = m.test(i) ? if_set.lane_at(i) : if_clear.lane_at(i);
    return a;
}

template <typename A, typename B, sim::if_operands<A, B> = 0>
auto bit_and(const A &a, const B &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return std::decay_t<decltype(x)>(x & y); });
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto bit_or(const A &a, const B &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return std::decay_t<decltype(x)>(x | y); });
}
template <typename A, typename B, sim::if_operands<A, B> = 0>
auto bit_xor(const A &a, const B &b) {
    return sim::elementwise(a, b, [](const auto &x, const auto &y) { return std::decay_t<decltype(x)>(x ^ y); });
}
template <typename A, sim::if_operand<A> = 0>
auto bit_not(const A &a) {
    return sim::eachlane(a, [](const auto &x) { return std::decay_t<decltype(x)>(~x); });
}

namespace sim {

// Integer lanes (both parts of complex ones) moved by a number of bits; amounts beyond the width move everything out.
template <typename P>
P up(P x, unsigned by) {
    return by >= bits_v<P> ? P(0) : P(std::make_unsigned_t<P>(std::uint64_t(std::make_unsigned_t<P>(x)) << by));
}
template <typename P>
P down(P x, unsigned by) {
    return P(x >> (by >= bits_v<P> ? bits_v<P> - 1 : by)); // signed types keep the sign
}
template <typename P>
P logical_down(P x, unsigned by) {
    return by >= bits_v<P> ? P(0) : P(std::make_unsigned_t<P>(std::make_unsigned_t<P>(x) >> by));
}
template <typename T, unsigned N, typename Move>
vector<T, N> moved(const vector<T, N> &v, Move move) {
    return vector<T, N>::map(v, [&](const T &x) {
        if constexpr (is_complex_v<T>) return T(move(x.real), move(x.imag));
        else return T(move(x));
    });
}

} // namespace sim

template <typename T, unsigned N>
vector<T, N> upshift(const vector<T, N> &v, unsigned by) {
    return sim::moved(v, [by](auto x) { return sim::up(x, by); });
}
// Arithmetic: signed lanes keep their sign.
template <typename T, unsigned N>
vector<T, N> downshift(const vector<T, N> &v, unsigned by) {
    if constexpr (sim::is_signed_v<T>) return sim::moved(v, [by](auto x) { return sim::down(x, by); });
    else return sim::moved(v, [by](auto x) { return sim::logical_down(x, by); });
}
template <typename T, unsigned N>
vector<T, N> logical_upshift(const vector<T, N> &v, unsigned by) {
    return upshift(v, by);
}
template <typename T, unsigned N>
vector<T, N> logical_downshift(const vector<T, N> &v, unsigned by) {
    return sim::moved(v, [by](auto x) { return sim::logical_down(x, by); });
}

} // namespace aie
