// Products, element by element, into accumulators (UG1529, "Arithmetic"): mul, negmul, mac, msc and
// the squares.
#pragma once

#include "arithmetic.hpp"
#include "shapes.hpp"

namespace aie {
namespace sim {

// Multiplications per cycle for these elements (UG1079, "MAC Intrinsics"). Columns times lanes
// equals this.
template <typename Data, typename Factor>
constexpr unsigned products_per_cycle() {
    constexpr bool mixed = is_complex_v<Data> != is_complex_v<Factor>;
    constexpr unsigned x = bits_v<Data> / (mixed && is_complex_v<Data> ? 2 : 1);
    constexpr unsigned z = bits_v<Factor> / (mixed && is_complex_v<Factor> ? 2 : 1);
    // 128 of 8 by 8 bits. Each doubling of a width or of the parts halves the number.
    return (mixed ? 64 : 128) / (x / 8 * (z / 8));
}

// Cycles of the multiplier for a number of products of these elements.
template <typename Left, typename Right>
constexpr unsigned product_cycles(unsigned products) {
    constexpr unsigned most = products_per_cycle<Left, Right>();
    return most == 0 ? products : (products + most - 1) / most;
}
// The types of a product as one number.
template <typename Left, typename Right>
constexpr unsigned pair_of = (unsigned(operand_kind_v<Left>) % 8) * 8 + unsigned(operand_kind_v<Right>) % 8;
template <typename Left, typename Right>
constexpr bool in_floats = is_float_v<Left> || is_float_v<Right>;

// Counts `products` of two elements whose sum is `r`, from zero or from an accumulator.
template <typename Left, typename Right, typename Result, typename... Operands>
void count_products(unsigned products, const Result &r, const Operands &...operands) {
    adf::sim::counts::multiplied(r, product_cycles<Left, Right>(products), in_floats<Left, Right>, pair_of<Left, Right>, operands...);
}
template <typename Left, typename Right, typename Result, typename Acc, typename... Operands>
void count_sums(unsigned products, const Result &r, const Acc &acc, const Operands &...operands) {
    adf::sim::counts::accumulated(r, product_cycles<Left, Right>(products), in_floats<Left, Right>, pair_of<Left, Right>, acc, operands...);
}

// A sum of products in word arithmetic. It is cut to the lane once at the end, which wraps like
// cutting at each step.
template <typename Tag>
struct summing {
    using word = typename Tag::word;
    word real = 0;
    word imag = 0;

    template <typename Left, typename Right>
    void take(const Left &a, const Right &b) {
        const word ar = Tag::widen(real_of(a)), br = Tag::widen(real_of(b));
        if constexpr (!Tag::complex) {
            static_assert(!is_complex_v<Left> && !is_complex_v<Right>, "complex products need a complex accumulator");
            real += ar * br;
        } else if constexpr (is_complex_v<Left> && is_complex_v<Right>) {
            const word ai = Tag::widen(a.imag), bi = Tag::widen(b.imag);
            real += ar * br - ai * bi;
            imag += ar * bi + ai * br;
        } else {
            real += ar * br;
            imag += Tag::widen(imag_of(a)) * br + ar * Tag::widen(imag_of(b));
        }
    }
    typename lanes_of<Tag>::lane total() const { return lanes_of<Tag>::make(real, imag); }
};

// The lane that holds the product of two elements.
template <typename Tag, typename Left, typename Right>
typename lanes_of<Tag>::lane product(const Left &a, const Right &b) {
    summing<Tag> one;
    one.take(a, b);
    return one.total();
}

template <typename Tag, unsigned Lanes, typename Left, typename Right>
accum<Tag, Lanes> products(const Left &a, const Right &b) {
    accum<Tag, Lanes> acc;
    for (unsigned i = 0; i < Lanes; ++i) acc.lane_at(i) = product<Tag>(operand<Left>::lane(a, i), operand<Right>::lane(b,
                                                                                                                       i));
    return acc;
}

// The element type a scalar takes part with: integer literals join a float vector as floats.
template <typename Operand, typename Other>
using partner_t =
    std::conditional_t<operand<Operand>::size == 0 && is_float_v<value_t<Other>> && !is_float_v<value_t<Operand>>,
                                     value_t<Other>, value_t<Operand>>;

template <typename Tag, typename Left, typename Right>
auto multiplied(const Left &a, const Right &b) {
    return products<tag_or_default_t<Tag, partner_t<Left, Right>, partner_t<Right, Left>>, common_size<Left, Right>()>(a,
                                                                                                                       b);
}

template <typename Tag>
constexpr bool tag_argument_v = is_tag_v<Tag> || std::is_same<Tag, accauto>::value;

} // namespace sim

template <typename Tag = accauto, typename Left, typename Right,
          typename = std::enable_if_t<sim::tag_argument_v<Tag> && sim::operands_v<Left, Right> && !sim::float_scalars_v<Left, Right>>>
auto mul(const Left &a, const Right &b) {
    adf::sim::counts::quiet whole;
    const auto r = sim::multiplied<Tag>(a, b);
    whole.end();
    sim::count_products<sim::partner_t<Left, Right>, sim::partner_t<Right, Left>>(r.size(), r, a, b);
    return r;
}
template <typename Tag = accauto, typename Left, typename Right,
          typename = std::enable_if_t<sim::tag_argument_v<Tag> && sim::operands_v<Left, Right>>>
auto negmul(const Left &a, const Right &b) {
    adf::sim::counts::quiet whole;
    const auto r = neg(sim::multiplied<Tag>(a, b));
    whole.end();
    sim::count_products<sim::partner_t<Left, Right>, sim::partner_t<Right, Left>>(r.size(), r, a, b);
    return r;
}
template <typename Acc, typename Left, typename Right, sim::if_accum<Acc> = 0>
auto mac(const Acc &acc, const Left &a, const Right &b) {
    using Type = sim::accumulator<Acc>;
    adf::sim::counts::quiet whole;
    const auto r = add(acc, sim::products<typename Type::tag, Type::size>(a, b));
    whole.end();
    sim::count_sums<sim::partner_t<Left, Right>, sim::partner_t<Right, Left>>(Type::size, r, acc, a, b);
    return r;
}
template <typename Acc, typename Left, typename Right, sim::if_accum<Acc> = 0>
auto msc(const Acc &acc, const Left &a, const Right &b) {
    using Type = sim::accumulator<Acc>;
    adf::sim::counts::quiet whole;
    const auto r = sub(acc, sim::products<typename Type::tag, Type::size>(a, b));
    whole.end();
    sim::count_sums<sim::partner_t<Left, Right>, sim::partner_t<Right, Left>>(Type::size, r, acc, a, b);
    return r;
}

// The product of two floats is a float, and so is their sum with one (UG1529, "Floating-point
// Scalar Operations").
template <typename Left, typename Right, std::enable_if_t<sim::float_scalars_v<Left, Right>, int> = 0>
auto mul(const Left &a, const Right &b) {
    using Type = std::conditional_t<sim::is_complex_v<sim::value_t<Left>> || sim::is_complex_v<sim::value_t<Right>>, cfloat, float>;
    return sim::wrap::mul(sim::converted<Type>(sim::operand<Left>::lane(a, 0)), sim::converted<Type>(sim::operand<Right>::lane(b, 0)));
}
template <typename Sum, typename Left, typename Right, std::enable_if_t<sim::float_scalars_v<Sum, Left, Right>, int> = 0>
auto mac(const Sum &sum, const Left &a, const Right &b) {
    return add(sum, mul(a, b));
}
template <typename Sum, typename Left, typename Right, std::enable_if_t<sim::float_scalars_v<Sum, Left, Right>, int> = 0>
auto msc(const Sum &sum, const Left &a, const Right &b) {
    return sub(sum, mul(a, b));
}

template <typename Tag = accauto, typename Left, typename = std::enable_if_t<sim::operand<Left>::valid>>
auto mul_square(const Left &a) {
    return mul<Tag>(a, a);
}
template <typename Acc, typename Left, sim::if_accum<Acc> = 0>
auto mac_square(const Acc &acc, const Left &a) {
    return mac(acc, a, a);
}
template <typename Acc, typename Left, sim::if_accum<Acc> = 0>
auto msc_square(const Acc &acc, const Left &a) {
    return msc(acc, a, a);
}

// Squared magnitude of complex lanes, shifted down and narrowed to `To`.
template <typename To = int32, typename Type, unsigned Lanes>
auto abs_square(const vector<Type, Lanes> &v, int shift = 0) {
    static_assert(sim::is_complex_v<Type>, "abs_square is for complex vectors");
    if constexpr (sim::is_float_v<Type>) {
        vector<float, Lanes> r;
        for (unsigned i = 0; i < Lanes; ++i) r[i] = v[i].real * v[i].real + v[i].imag * v[i].imag;
        return r;
    } else {
        vector<To, Lanes> r;
        for (unsigned i = 0; i < Lanes; ++i) {
            const auto re = sim::int128(v[i].real), im = sim::int128(v[i].imag);
            r[i] = sim::srs<To>(re * re + im * im, shift);
        }
        return r;
    }
}

} // namespace aie
