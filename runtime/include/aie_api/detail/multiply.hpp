// Products, element by element, into accumulators (UG1529, "Arithmetic"): mul, negmul, mac, msc and the squares.
#pragma once

#include "arithmetic.hpp"

namespace aie {
namespace sim {

// A sum of products in word arithmetic. It is cut to the lane once at the end, which wraps as cutting each step would.
template <typename Tag>
struct summing {
    using word = typename Tag::word;
    word real = 0;
    word imag = 0;

    template <typename A, typename B>
    void take(const A &a, const B &b) {
        const word ar = Tag::widen(real_of(a)), br = Tag::widen(real_of(b));
        if constexpr (!Tag::complex) {
            static_assert(!is_complex_v<A> && !is_complex_v<B>, "complex products need a complex accumulator");
            real += ar * br;
        } else if constexpr (is_complex_v<A> && is_complex_v<B>) {
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
template <typename Tag, typename A, typename B>
typename lanes_of<Tag>::lane product(const A &a, const B &b) {
    summing<Tag> one;
    one.take(a, b);
    return one.total();
}

template <typename Tag, unsigned N, typename A, typename B>
accum<Tag, N> products(const A &a, const B &b) {
    accum<Tag, N> acc;
    for (unsigned i = 0; i < N; ++i) acc.lane_at(i) = product<Tag>(operand<A>::lane(a, i), operand<B>::lane(b, i));
    return acc;
}

// The element type a scalar takes part with: integer literals join a float vector as floats.
template <typename X, typename Other>
using partner_t = std::conditional_t<operand<X>::size == 0 && is_float_v<value_t<Other>> && !is_float_v<value_t<X>>,
                                     value_t<Other>, value_t<X>>;

template <typename Tag, typename A, typename B>
auto multiplied(const A &a, const B &b) {
    return products<tag_or_default_t<Tag, partner_t<A, B>, partner_t<B, A>>, common_size<A, B>()>(a, b);
}

template <typename Tag>
constexpr bool tag_argument_v = is_tag_v<Tag> || std::is_same<Tag, accauto>::value;

} // namespace sim

template <typename Tag = accauto, typename A, typename B,
          typename = std::enable_if_t<sim::tag_argument_v<Tag> && sim::operands_v<A, B>>>
auto mul(const A &a, const B &b) {
    return sim::multiplied<Tag>(a, b);
}
template <typename Tag = accauto, typename A, typename B,
          typename = std::enable_if_t<sim::tag_argument_v<Tag> && sim::operands_v<A, B>>>
auto negmul(const A &a, const B &b) {
    return neg(sim::multiplied<Tag>(a, b));
}
template <typename Acc, typename A, typename B, sim::if_accum<Acc> = 0>
auto mac(const Acc &acc, const A &a, const B &b) {
    using T = sim::accumulator<Acc>;
    return add(acc, sim::products<typename T::tag, T::size>(a, b));
}
template <typename Acc, typename A, typename B, sim::if_accum<Acc> = 0>
auto msc(const Acc &acc, const A &a, const B &b) {
    using T = sim::accumulator<Acc>;
    return sub(acc, sim::products<typename T::tag, T::size>(a, b));
}

template <typename Tag = accauto, typename A, typename = std::enable_if_t<sim::operand<A>::valid>>
auto mul_square(const A &a) {
    return mul<Tag>(a, a);
}
template <typename Acc, typename A, sim::if_accum<Acc> = 0>
auto mac_square(const Acc &acc, const A &a) {
    return mac(acc, a, a);
}
template <typename Acc, typename A, sim::if_accum<Acc> = 0>
auto msc_square(const Acc &acc, const A &a) {
    return msc(acc, a, a);
}

// Squared magnitude of complex lanes, shifted down and narrowed to `To`.
template <typename To = int32, typename T, unsigned N>
auto abs_square(const vector<T, N> &v, int shift = 0) {
    static_assert(sim::is_complex_v<T>, "abs_square is for complex vectors");
    if constexpr (sim::is_float_v<T>) {
        vector<float, N> r;
        for (unsigned i = 0; i < N; ++i) r[i] = v[i].real * v[i].real + v[i].imag * v[i].imag;
        return r;
    } else {
        vector<To, N> r;
        for (unsigned i = 0; i < N; ++i) {
            const auto re = sim::int128(v[i].real), im = sim::int128(v[i].imag);
            r[i] = sim::srs<To>(re * re + im * im, shift);
        }
        return r;
    }
}

} // namespace aie
