// One butterfly of the FFT stages of radix 2 to 5 (UG1529, "Fast Fourier Transform"): its inputs, a
// factor for each but the first, and the roundings of the device, as AMD's open API computes it for
// AIE (Xilinx/aie_api, detail/aie1/fft_dit_*.hpp).
#pragma once

#include "multiply.hpp"

namespace aie {
namespace sim {

// The scales of factors and outputs, and the direction of the transform.
struct fft_scale {
    // Fractional bits of factors; right shift of sums, including those bits.
    int tw = 0, out = 0;
    bool inverse = false;
};

// A factor, conjugated for the inverse transform.
template <typename Twiddle>
exact_t<Twiddle> turned(const Twiddle &w, bool inverse) {
    const auto exact = converted<exact_t<Twiddle>>(w);
    return inverse ? wrap::conj(exact) : exact;
}

// The accumulators: radix 2 sums in the wide ones.
template <typename Input, typename Twiddle = cint32>
using fft_tag = std::conditional_t<is_float_v<Input>, caccfloat, std::conditional_t<std::is_same<Twiddle, cint16>::value, cacc48, cacc80>>;

// even + odd * w and even - odd * w, rounded once.
template <typename Output, typename Input, typename Twiddle>
void fft_point(const Input (&x)[2], const Twiddle (&w)[1], const fft_scale &s, Output (&out)[2]) {
    using lanes = lanes_of<fft_tag<Input>>;
    const auto first = lanes::shifted_up(x[0], s.tw), second = product<fft_tag<Input>>(x[1], turned(w[0], s.inverse));
    out[0] = lanes::template shifted_down<Output>(lanes::add(first, second), s.out);
    out[1] = lanes::template shifted_down<Output>(lanes::sub(first, second), s.out);
}

// Two butterflies of two stages: the first factor is the square of the second's. Sums of the first
// are words of 32 bits for the second.
template <typename Output, typename Input, typename Twiddle>
void fft_point(const Input (&x)[4], const Twiddle (&w)[3], const fft_scale &s, Output (&out)[4]) {
    using Tag = fft_tag<Input, Twiddle>;
    using lanes = lanes_of<Tag>;
    constexpr bool wide = std::is_same<Twiddle, cint32>::value;
    const auto start = [&s](const Input &value) {
        if constexpr (wide && std::is_same<Input, cint16>::value) return product<Tag>(value, exact_t<Twiddle>((std::int64_t(1) << s.tw) - 1, 0));
        else return lanes::shifted_up(value, s.tw);
    };
    const auto word = [&s](const typename lanes::lane &l) { return lanes::template shifted_down<cint32>(l, s.tw); };
    const auto again = [&](const typename lanes::lane &l) {
        if constexpr (wide) return l;
        else return lanes::shifted_up(word(l), s.tw);
    };
    const auto first = turned(w[0], s.inverse), plain = converted<exact_t<Twiddle>>(w[1]);
    const exact_t<Twiddle> by_minus_j(plain.imag, -plain.real);
    const auto second = turned(w[1], s.inverse), third = s.inverse ? wrap::conj(by_minus_j) : by_minus_j;
    const auto even = product<Tag>(x[2], first), odd = product<Tag>(x[3], first);
    const auto g = lanes::add(start(x[0]), even), h = lanes::sub(start(x[0]), even);
    const auto m = product<Tag>(word(lanes::add(start(x[1]), odd)), second), n = product<Tag>(word(lanes::sub(start(x[1]), odd)), third);
    out[0] = lanes::template shifted_down<Output>(lanes::add(again(g), m), s.out);
    out[1] = lanes::template shifted_down<Output>(lanes::add(again(h), n), s.out);
    out[2] = lanes::template shifted_down<Output>(lanes::sub(again(g), m), s.out);
    out[3] = lanes::template shifted_down<Output>(lanes::sub(again(h), n), s.out);
}

// The first and the second power of the root of unity, in fixed point with this many bits and in
// floating point.
template <typename Number>
Number fft_root(unsigned radix, unsigned power, int bits) {
    using part = part_t<Number>;
    if constexpr (is_float_v<Number>) {
        if (radix == 3) return Number(-0.5F, -0.866025F);
        // Digits of the reference.
        return power == 1 ? Number(0.309017F, -0.951016F) : Number(-0.809017F, -0.587785F);
    } else {
        constexpr bool narrow = std::is_same<Number, cint16>::value;
        const int by = bits_v<part> - 1 < unsigned(bits) ? 0 : int(bits_v<part>) - 1 - bits;
        const auto cut = [by](int x) { return part(x >> by); };
        if (radix == 3) return Number(part(bits > 0 ? -(1 << (bits - 1)) : 0), part(-cut(narrow ? 28378 : 1859775393)));
        if (power == 1) return narrow ? Number(part(-cut(-10126)), part(-cut(31164))) : Number(cut(663608942), part(-cut(2042378317)));
        return Number(part(-cut(narrow ? 26510 : 1737350766)), part(-cut(narrow ? 19261 : 1262259217)));
    }
}
// Any power; the upper half are conjugates of the lower.
template <typename Twiddle>
exact_t<Twiddle> fft_power(unsigned radix, unsigned power, const fft_scale &s) {
    const bool upper = power > radix / 2;
    return turned(fft_root<Twiddle>(radix, upper ? radix - power : power, s.tw), upper != s.inverse);
}

// Floats: each product of parts rounded, then each sum, the real parts of factors first.
inline cfloat fft_step(const cfloat &acc, const cfloat &x, const cfloat &w) {
    const float re = acc.real + x.real * w.real, im = acc.imag + x.imag * w.real;
    return cfloat(re - x.imag * w.imag, im + x.real * w.imag);
}
template <unsigned Radix>
void fft_floats(const cfloat (&x)[Radix], const cfloat (&w)[Radix - 1], const fft_scale &s, cfloat (&out)[Radix]) {
    cfloat v[Radix];
    out[0] = x[0];
    for (unsigned i = 1; i < Radix; ++i) {
        v[i] = fft_step(cfloat(0.0F, 0.0F), x[i], turned(w[i - 1], s.inverse));
        out[0] = cfloat(out[0].real + v[i].real, out[0].imag + v[i].imag);
    }
    for (unsigned m = 1; m < Radix; ++m) {
        out[m] = x[0];
        for (unsigned i = 1; i < Radix; ++i) out[m] = fft_step(out[m], v[i], fft_power<cfloat>(Radix, m * i % Radix, s));
    }
}
// Integers: inputs times factors become words of 32 bits, which are multiplied with the roots of
// unity.
template <unsigned Radix, typename Output, typename Input, typename Twiddle>
void fft_integers(const Input (&x)[Radix], const Twiddle (&w)[Radix - 1], const fft_scale &s, Output (&out)[Radix]) {
    using Tag = fft_tag<Input, Twiddle>;
    using lanes = lanes_of<Tag>;
    constexpr bool wide = std::is_same<Twiddle, cint32>::value, narrow = std::is_same<Input, cint16>::value;
    const int between = wide || (Radix == 3 && narrow) ? s.tw : s.out;
    const auto start = lanes::shifted_up(x[0], s.tw);
    auto sum = start;
    cint32 v[Radix];
    for (unsigned i = 1; i < Radix; ++i) {
        const auto turn = product<Tag>(x[i], turned(w[i - 1], s.inverse));
        v[i] = lanes::template shifted_down<cint32>(turn, between);
        if constexpr (wide) sum = lanes::add(sum, product<Tag>(v[i], exact_t<Twiddle>((std::int64_t(1) << s.tw) - 1, 0)));
        else sum = lanes::add(sum, narrow ? lanes::shifted_up(v[i], s.tw) : turn);
    }
    out[0] = lanes::template shifted_down<Output>(sum, s.out);
    for (unsigned m = 1; m < Radix; ++m) {
        auto all = start;
        for (unsigned i = 1; i < Radix; ++i) all = lanes::add(all, product<Tag>(v[i], fft_power<Twiddle>(Radix, m * i % Radix, s)));
        out[m] = lanes::template shifted_down<Output>(all, s.out);
    }
}
// Radix 3 and 5.
template <unsigned Radix, typename Output, typename Input, typename Twiddle>
void fft_point(const Input (&x)[Radix], const Twiddle (&w)[Radix - 1], const fft_scale &s, Output (&out)[Radix]) {
    if constexpr (is_float_v<Input>) fft_floats<Radix>(x, w, s, out);
    else fft_integers<Radix>(x, w, s, out);
}

} // namespace sim
} // namespace aie
