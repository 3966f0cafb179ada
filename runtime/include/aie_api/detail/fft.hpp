// Stages of a decimation-in-time FFT (UG1529, "Fast Fourier Transform"): each stage reads one array and writes
// another, and after the last the result is in natural order.
#pragma once

#include "multiply.hpp"

namespace aie {
namespace sim {

// The factor of a butterfly, conjugated for the inverse transform.
template <typename Twiddle>
exact_t<Twiddle> turned(const Twiddle &w, bool inverse) {
    const auto exact = converted<exact_t<Twiddle>>(w);
    return inverse ? wrap::conj(exact) : exact;
}

// One radix-2 stage over n points: sub-transforms of 2m points from those of m, where m = n / (2 * vectorization).
template <typename Output, typename Input, typename Twiddle>
void radix2(const Input *x, const Twiddle *tw, unsigned n, unsigned vectorization, int shift_tw, int shift, bool inverse, Output *out) {
    using tag = std::conditional_t<is_float_v<Input>, caccfloat, cacc80>;
    using lanes = lanes_of<tag>;
    for (unsigned j = 0; j < n / (2 * vectorization); ++j) {
        const auto w = turned(tw[j], inverse);
        for (unsigned k = 0; k < vectorization; ++k) {
            const auto even = lanes::shifted_up(x[2 * j * vectorization + k], shift_tw);
            const auto odd = product<tag>(x[(2 * j + 1) * vectorization + k], w);
            Output *to = out + j * vectorization + k;
            to[0] = lanes::template shifted_down<Output>(lanes::add(even, odd), shift_tw + shift);
            to[n / 2] = lanes::template shifted_down<Output>(lanes::sub(even, odd), shift_tw + shift);
        }
    }
}

} // namespace sim

// Fixed point: twiddles have `shift_tw` fractional bits, outputs are shifted down by `shift`.
template <unsigned Vectorization, typename Input, typename Output, typename Twiddle>
void fft_dit_r2_stage(const Input *x, const Twiddle *tw, unsigned n, unsigned shift_tw, unsigned shift, bool inv, Output *out) {
    sim::radix2(x, tw, n, Vectorization, int(shift_tw), int(shift), inv, out);
}
template <typename Input, typename Output, typename Twiddle>
void fft_dit_r2_stage(const Input *x, const Twiddle *tw, unsigned n, unsigned shift_tw, unsigned shift,
                      unsigned vectorization, bool inv, Output *out) {
    sim::radix2(x, tw, n, vectorization, int(shift_tw), int(shift), inv, out);
}
// Floating point.
template <unsigned Vectorization, typename Input, typename Output, typename Twiddle>
void fft_dit_r2_stage(const Input *x, const Twiddle *tw, unsigned n, bool inv, Output *out) {
    static_assert(sim::is_float_v<Input>, "integer stages say how twiddles and outputs are scaled");
    sim::radix2(x, tw, n, Vectorization, 0, 0, inv, out);
}
template <typename Input, typename Output, typename Twiddle>
void fft_dit_r2_stage(const Input *x, const Twiddle *tw, unsigned n, unsigned vectorization, bool inv, Output *out) {
    static_assert(sim::is_float_v<Input>, "integer stages say how twiddles and outputs are scaled");
    sim::radix2(x, tw, n, vectorization, 0, 0, inv, out);
}

} // namespace aie
