// `using namespace aie::operators;` gives vectors, masks and accumulators the operators of numbers
// (UG1529, "Operator Overloading").
#pragma once

#include "compare.hpp"
#include "multiply.hpp"

namespace aie {
namespace operators {

// At least one side is a vector; the other may be a scalar.
template <typename Left, typename Right>
using if_vector =
    std::enable_if_t<sim::operands_v<Left, Right> && (sim::operand<Left>::size != 0 || sim::operand<Right>::size != 0), int>;

#define AIE_SIM_OPERATOR(symbol, name)                                   \
    template <typename Left, typename Right, if_vector<Left, Right> = 0> \
    auto operator symbol(const Left &a, const Right &b) {                \
        return aie::name(a, b);                                          \
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

template <typename Type, unsigned Lanes>
auto operator-(const vector<Type, Lanes> &v) { return neg(v); }
template <typename Type, unsigned Lanes>
auto operator~(const vector<Type, Lanes> &v) { return bit_not(v); }
template <typename Type, unsigned Lanes>
auto operator<<(const vector<Type, Lanes> &v, unsigned by) { return upshift(v, by); }
template <typename Type, unsigned Lanes>
auto operator>>(const vector<Type, Lanes> &v, unsigned by) { return downshift(v, by); }

template <typename Type, unsigned Lanes, typename Right, sim::if_operand<Right> = 0>
vector<Type, Lanes> &operator+=(vector<Type, Lanes> &v, const Right &b) { return v = add(v, b); }
template <typename Type, unsigned Lanes, typename Right, sim::if_operand<Right> = 0>
vector<Type, Lanes> &operator-=(vector<Type, Lanes> &v, const Right &b) { return v = sub(v, b); }
template <typename Type, unsigned Lanes, typename Right, sim::if_operand<Right> = 0>
vector<Type, Lanes> &operator&=(vector<Type, Lanes> &v, const Right &b) { return v = bit_and(v, b); }
template <typename Type, unsigned Lanes, typename Right, sim::if_operand<Right> = 0>
vector<Type, Lanes> &operator|=(vector<Type, Lanes> &v, const Right &b) { return v = bit_or(v, b); }
template <typename Type, unsigned Lanes, typename Right, sim::if_operand<Right> = 0>
vector<Type, Lanes> &operator^=(vector<Type, Lanes> &v, const Right &b) { return v = bit_xor(v, b); }

template <typename Tag, unsigned Lanes, typename Right>
auto operator+(const accum<Tag, Lanes> &a, const Right &b) { return add(a, b); }
template <typename Tag, unsigned Lanes, typename Right>
auto operator-(const accum<Tag, Lanes> &a, const Right &b) { return sub(a, b); }
template <typename Tag, unsigned Lanes>
auto operator-(const accum<Tag, Lanes> &a) { return neg(a); }
template <typename Tag, unsigned Lanes, typename Right>
accum<Tag, Lanes> &operator+=(accum<Tag, Lanes> &a, const Right &b) { return a = add(a, b); }
template <typename Tag, unsigned Lanes, typename Right>
accum<Tag, Lanes> &operator-=(accum<Tag, Lanes> &a, const Right &b) { return a = sub(a, b); }

} // namespace operators
} // namespace aie
