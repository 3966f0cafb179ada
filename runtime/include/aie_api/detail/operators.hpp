// `using namespace aie::operators;` gives vectors, masks and accumulators the operators of numbers (UG1529,
// "Operator Overloading").
#pragma once

#include "compare.hpp"
#include "multiply.hpp"

namespace aie {
namespace operators {

// At least one side is a vector; the other may be a scalar.
template <typename A, typename B>
using if_vector = std::enable_if_t<sim::operands_v<A, B> && (sim::operand<A>::size != 0 || sim::operand<B>::size != 0), int>;

#define AIE_SIM_OPERATOR(symbol, name)                                     \
    template <typename A, typename B, if_vector<A, B> = 0>                 \
    auto operator symbol(const A &a, const B &b) {                         \
        return aie::name(a, b);                                            \
    }
AIE_SIM_OPERATOR(+, add)
AIE_SIM_OPERATOR(-, sub)
AIE_SIM_OPERATOR(*, mul)
AIE_SIM_OPERATOR(<, lt)
AIE_SIM_OPERATOR(<=, le)
AIE_SIM_OPERATOR(>, gt)
AIE_SIM_OPERATOR(>=, ge)
AIE_SIM_OPERATOR(==, eq)
AIE_SIM_OPERATOR(!=, neq)
AIE_SIM_OPERATOR(&, bit_and)
AIE_SIM_OPERATOR(|, bit_or)
AIE_SIM_OPERATOR(^, bit_xor)
#undef AIE_SIM_OPERATOR

template <typename T, unsigned N>
auto operator-(const vector<T, N> &v) { return neg(v); }
template <typename T, unsigned N>
auto operator~(const vector<T, N> &v) { return bit_not(v); }
template <typename T, unsigned N>
auto operator<<(const vector<T, N> &v, unsigned by) { return upshift(v, by); }
template <typename T, unsigned N>
auto operator>>(const vector<T, N> &v, unsigned by) { return downshift(v, by); }

template <typename T, unsigned N, typename B, sim::if_operand<B> = 0>
vector<T, N> &operator+=(vector<T, N> &v, const B &b) { return v = add(v, b); }
template <typename T, unsigned N, typename B, sim::if_operand<B> = 0>
vector<T, N> &operator-=(vector<T, N> &v, const B &b) { return v = sub(v, b); }
template <typename T, unsigned N, typename B, sim::if_operand<B> = 0>
vector<T, N> &operator&=(vector<T, N> &v, const B &b) { return v = bit_and(v, b); }
template <typename T, unsigned N, typename B, sim::if_operand<B> = 0>
vector<T, N> &operator|=(vector<T, N> &v, const B &b) { return v = bit_or(v, b); }
template <typename T, unsigned N, typename B, sim::if_operand<B> = 0>
vector<T, N> &operator^=(vector<T, N> &v, const B &b) { return v = bit_xor(v, b); }

template <typename Tag, unsigned N, typename B>
auto operator+(const accum<Tag, N> &a, const B &b) { return add(a, b); }
template <typename Tag, unsigned N, typename B>
auto operator-(const accum<Tag, N> &a, const B &b) { return sub(a, b); }
template <typename Tag, unsigned N>
auto operator-(const accum<Tag, N> &a) { return neg(a); }
template <typename Tag, unsigned N, typename B>
accum<Tag, N> &operator+=(accum<Tag, N> &a, const B &b) { return a = add(a, b); }
template <typename Tag, unsigned N, typename B>
accum<Tag, N> &operator-=(accum<Tag, N> &a, const B &b) { return a = sub(a, b); }

} // namespace operators
} // namespace aie
