// Stages of a decimation-in-time FFT (UG1529, "Fast Fourier Transform"): each stage reads one array and writes
// another, and after the last the result is in natural order.
#pragma once

#include <array>

#include "multiply.hpp"

namespace aie {
namespace sim {

// The factor of a butterfly, conjugated for the inverse transform.
template <typename Twiddle>
exact_t<Twiddle> turned(const Twiddle &w, bool inverse) {
    const auto exact = converted<exact_t<Twiddle>>(w);
    return inverse ? wrap::conj(exact) : exact;
}

// The accumulator of a stage.
template <typename Input>
using fft_tag = std::conditional_t<is_float_v<Input>, caccfloat, cacc80>;

// The two outputs of a butterfly: even + odd * w and even - odd * w, rounded once.
template <typename Output, typename Input, typename Twiddle>
void butterfly(const Input &even, const Input &odd, const Twiddle &w, int shift_tw, int shift, bool inverse, Output &sum, Output &difference) {
    using lanes = lanes_of<fft_tag<Input>>;
    const auto first = lanes::shifted_up(even, shift_tw);
    const auto second = product<fft_tag<Input>>(odd, turned(w, inverse));
    sum = lanes::template shifted_down<Output>(lanes::add(first, second), shift_tw + shift);
    difference = lanes::template shifted_down<Output>(lanes::sub(first, second), shift_tw + shift);
}

// One radix-2 stage over n points: sub-transforms of 2m points from those of m, where m = n / (2 * vectorization).
template <typename Output, typename Input, typename Twiddle>
void radix2(const Input *x, const Twiddle *tw, unsigned n, unsigned vectorization, int shift_tw, int shift, bool inverse, Output *out) {
    for (unsigned j = 0; j < n / (2 * vectorization); ++j)
        for (unsigned k = 0; k < vectorization; ++k) {
            Output *to = out + j * vectorization + k;
            butterfly(x[2 * j * vectorization + k], x[(2 * j + 1) * vectorization + k], tw[j], shift_tw, shift, inverse, to[0], to[n / 2]);
        }
}

// Lanes of the outputs of a stage object (Xilinx/aie_api, detail/fft.hpp).
template <typename Input, typename Output, typename Twiddle>
constexpr unsigned fft_lanes_v = std::is_same<Twiddle, cint16>::value ? (std::is_same<Input, cint16>::value ? 8 : 4)
    : std::is_same<Twiddle, cint32>::value && std::is_same<Input, cint32>::value && std::is_same<Output, cint32>::value ? 2 : 4;

} // namespace sim

// A radix-2 stage as an object, whose iterator gives the operands of one butterfly in each lane (UG1529, "fft_dit", which calls it
// deprecated; AMD's Vitis libraries).
template <unsigned Vectorization, unsigned Radix, typename Input, typename Output = Input,
          typename Twiddle = std::conditional_t<sim::is_float_v<Input>, cfloat, cint16>>
class fft_dit {
    static_assert(Radix == 2, "aiec has aie::fft_dit of radix 2 only yet");

public:
    static constexpr unsigned radix = Radix, num_out_vector = Radix, out_vector_size = sim::fft_lanes_v<Input, Output, Twiddle>;
    using output_data = std::array<vector<Output, out_vector_size>, Radix>;
    struct input_data {
        Input even[out_vector_size], odd[out_vector_size];
        Twiddle tw[out_vector_size];
    };
    class stage_iterator {
    public:
        stage_iterator(const Input *x, const Twiddle *tw, unsigned vectorization) : x_(x), tw_(tw), vectorization_(vectorization) {}
        input_data operator*() const {
            input_data d;
            for (unsigned i = 0; i < out_vector_size; ++i) {
                const unsigned block = (at_ + i) / vectorization_, from = 2 * block * vectorization_ + (at_ + i) % vectorization_;
                d.even[i] = x_[from];
                d.odd[i] = x_[from + vectorization_];
                d.tw[i] = tw_[block];
            }
            return d;
        }
        stage_iterator &operator++() {
            at_ += out_vector_size;
            return *this;
        }
        stage_iterator operator++(int) {
            const stage_iterator before = *this;
            ++*this;
            return before;
        }

    private:
        const Input *x_;
        const Twiddle *tw_;
        unsigned vectorization_, at_ = 0;
    };

    fft_dit() = default;
    fft_dit(unsigned shift_tw, unsigned shift, bool inv) : shift_tw_(shift_tw), shift_(shift), inv_(inv) {}
    static constexpr int block_size(unsigned n) { return int(n / (Radix * out_vector_size)); }
    stage_iterator begin_stage(const Input *x, const Twiddle *tw) const { return {x, tw, Vectorization}; }
    stage_iterator begin_stage(const Input *x, const Twiddle *tw, unsigned vectorization) const { return {x, tw, vectorization}; }
    output_data dit(const input_data &d) const { return dit(d, shift_tw_, shift_, inv_); }
    output_data dit(const input_data &d, unsigned shift_tw, unsigned shift, bool inv) const {
        output_data out;
        for (unsigned i = 0; i < out_vector_size; ++i)
            sim::butterfly(d.even[i], d.odd[i], d.tw[i], int(shift_tw), int(shift), inv, out[0].data()[i], out[1].data()[i]);
        return out;
    }

private:
    unsigned shift_tw_ = 0, shift_ = 0;
    bool inv_ = false;
};

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
