// Stages of a decimation-in-time FFT (UG1529, "Fast Fourier Transform"): each stage reads one array
// and writes another, and after the last the result is in natural order.
#pragma once

#include <array>

#include "fft_points.hpp"

namespace aie {
namespace sim {

template <unsigned Radix, typename Twiddle>
using fft_tables = std::array<const Twiddle *, Radix - 1>;

// Lanes of the outputs of a stage object (Xilinx/aie_api, detail/fft.hpp).
template <unsigned Radix, typename Input, typename Output, typename Twiddle>
constexpr unsigned fft_lanes_v = std::is_same<Twiddle, cint16>::value ? (std::is_same<Input, cint16>::value && Radix == 2 ? 8 : 4)
    : std::is_same<Twiddle, cint32>::value && std::is_same<Input, cint32>::value && std::is_same<Output, cint32>::value ? 2 : 4;

// The radices of these types (UG1529, "Supported FFT/IFFT Modes", column AIE; Xilinx/aie_api,
// detail/fft.hpp).
template <unsigned Radix, typename Input, typename Output, typename Twiddle>
constexpr bool fft_mode_v = std::is_same<Twiddle, cint16>::value ? Radix <= 5
    : std::is_same<Twiddle, cfloat>::value ? std::is_same<Input, cfloat>::value && (Radix == 2 || Radix == 3 || Radix == 5)
    : std::is_same<Input, cint32>::value && std::is_same<Output, cint32>::value ? Radix <= 5
    : std::is_same<Input, Output>::value ? Radix == 2 : Radix == 2 || Radix == 4;

// Cycles of the multiplier for this number of butterflies. The fixed-point multiplier gives sum and
// difference of a product at once; that of floats computes both.
template <unsigned Radix, typename Input, typename Twiddle>
constexpr unsigned fft_cycles(unsigned lanes) {
    constexpr unsigned products = Radix == 2 ? 1 : Radix == 4 ? 4 : Radix * (Radix - 1);
    if constexpr (is_float_v<Input>) return product_cycles<Input, Twiddle>(2 * products * lanes);
    else return product_cycles<cint32, Twiddle>(products * lanes);
}

// Counts one turn of a stage, which gives a vector of results for each input.
template <unsigned Radix, typename Input, typename Twiddle, unsigned Lanes, typename Results>
void count_butterflies(const Results &out) {
    constexpr unsigned loads = (Radix * Lanes * sizeof(Input) + 31) / 32 + (Radix == 2 ? 1 : 2);
    adf::sim::counts::transformed(out, Radix, loads, fft_cycles<Radix, Input, Twiddle>(Lanes), is_float_v<Input>, pair_of<Input, Twiddle>);
}

// One stage over n points: sub-transforms of Radix * m points from those of m, where m = n / (Radix
// * vectorization).
template <unsigned Radix, typename Output, typename Input, typename Twiddle>
void fft_stage(const Input *x, const fft_tables<Radix, Twiddle> &tw, unsigned n, unsigned vectorization, const fft_scale &s, Output *out) {
    adf::sim::counts::quiet whole;
    const unsigned apart = n / Radix;
    for (unsigned at = 0; at < apart; ++at) {
        const unsigned block = at / vectorization, from = Radix * block * vectorization + at % vectorization;
        Input in[Radix];
        Twiddle w[Radix - 1];
        Output results[Radix];
        for (unsigned i = 0; i < Radix; ++i) in[i] = x[from + i * vectorization];
        for (unsigned i = 0; i + 1 < Radix; ++i) w[i] = tw[i] ? tw[i][block] : Twiddle();
        fft_point(in, w, s, results);
        for (unsigned i = 0; i < Radix; ++i) out[at + i * apart] = results[i];
    }
    whole.end();
    // A stage object's loop, which AMD's functions contain.
    constexpr unsigned lanes = fft_lanes_v<Radix, Input, Output, Twiddle>;
    adf::sim::counts::repeated((apart + lanes - 1) / lanes, [&](unsigned turn) {
        struct results { Output lane[lanes]; };
        const std::array<results, Radix> vectors{};
        count_butterflies<Radix, Input, Twiddle, lanes>(vectors);
        for (unsigned i = 0; i < Radix; ++i) adf::sim::counts::copied(out + turn * lanes + i * apart, &vectors[i], sizeof vectors[i]);
    });
}

} // namespace sim

// A stage as an object, whose iterator gives the operands of one butterfly in each lane (UG1529,
// "fft_dit", which calls it deprecated; AMD's Vitis libraries). Radix 4 has two tables of factors
// and takes a third one that is not read.
template <unsigned Vectorization, unsigned Radix, typename Input, typename Output = Input,
          typename Twiddle = std::conditional_t<sim::is_float_v<Input>, cfloat, cint16>>
class fft_dit {
    static_assert(Radix >= 2 && sim::fft_mode_v<Radix, Input, Output, Twiddle>, "the device has no FFT of this radix for these types (UG1529, fft_dit)");
    using tables = sim::fft_tables<Radix, Twiddle>;

public:
    static constexpr unsigned radix = Radix, num_out_vector = Radix, out_vector_size = sim::fft_lanes_v<Radix, Input, Output, Twiddle>,
                              min_point_size = out_vector_size * Radix;
    using output_data = std::array<vector<Output, out_vector_size>, Radix>;
    struct input_data {
        Input x[out_vector_size][Radix];
        Twiddle tw[out_vector_size][Radix - 1];
    };
    class stage_iterator {
    public:
        stage_iterator(const Input *x, const tables &tw, unsigned vectorization) : x_(x), tw_(tw), vectorization_(vectorization) {}
        input_data operator*() const {
            adf::sim::counts::quiet whole;
            input_data d;
            for (unsigned lane = 0; lane < out_vector_size; ++lane) {
                const unsigned block = (at_ + lane) / vectorization_, from = Radix * block * vectorization_ + (at_ + lane) % vectorization_;
                for (unsigned i = 0; i < Radix; ++i) d.x[lane][i] = x_[from + i * vectorization_];
                for (unsigned i = 0; i + 1 < Radix; ++i) d.tw[lane][i] = i < (Radix == 4 ? 2 : Radix) ? tw_[i][block] : Twiddle();
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
        tables tw_;
        unsigned vectorization_, at_ = 0;
    };

    fft_dit() = default;
    fft_dit(unsigned shift_tw, unsigned shift, bool inv) : shift_tw_(shift_tw), shift_(shift), inv_(inv) {}
    static constexpr int block_size(unsigned n) { return int(n / min_point_size); }
    // Data, tables of factors, and the number of parallel sub-transforms if it differs from the
    // type's.
    template <typename... Tables>
    stage_iterator begin_stage(const Input *x, const Twiddle *tw, Tables... more) const {
        return begin(x, {tw}, 1, more...);
    }
    output_data dit(const input_data &d) const { return dit(d, shift_tw_, shift_, inv_); }
    output_data dit(const input_data &d, unsigned shift_tw, unsigned shift, bool inv) const {
        adf::sim::counts::quiet whole;
        output_data out;
        for (unsigned lane = 0; lane < out_vector_size; ++lane) {
            Output results[Radix];
            sim::fft_point(d.x[lane], d.tw[lane], {int(shift_tw), int(shift), inv}, results);
            for (unsigned i = 0; i < Radix; ++i) out[i].data()[lane] = results[i];
        }
        whole.end();
        sim::count_butterflies<Radix, Input, Twiddle, out_vector_size>(out);
        return out;
    }

private:
    static stage_iterator begin(const Input *x, const tables &tw, unsigned /*given*/) { return {x, tw, Vectorization}; }
    template <typename... More>
    static stage_iterator begin(const Input *x, tables tw, unsigned given, const Twiddle *next, More... more) {
        if (given < Radix - 1) tw[given] = next;
        return begin(x, tw, given + 1, more...);
    }
    static stage_iterator begin(const Input *x, const tables &tw, unsigned /*given*/, unsigned vectorization) { return {x, tw, vectorization}; }

    unsigned shift_tw_ = 0, shift_ = 0;
    bool inv_ = false;
};

// Fixed point: twiddles have `shift_tw` fractional bits. Sums have them too and are shifted down by
// `shift`.
template <unsigned Vectorization, typename Input, typename Output, typename Twiddle>
void fft_dit_r2_stage(const Input *x, const Twiddle *tw, unsigned n, unsigned shift_tw, unsigned shift, bool inv, Output *out) {
    sim::fft_stage<2, Output, Input, Twiddle>(x, {tw}, n, Vectorization, {int(shift_tw), int(shift), inv}, out);
}
template <typename Input, typename Output, typename Twiddle>
void fft_dit_r2_stage(const Input *x, const Twiddle *tw, unsigned n, unsigned shift_tw, unsigned shift,
                      unsigned vectorization, bool inv, Output *out) {
    sim::fft_stage<2, Output, Input, Twiddle>(x, {tw}, n, vectorization, {int(shift_tw), int(shift), inv}, out);
}
// Floating point.
template <unsigned Vectorization, typename Input, typename Output, typename Twiddle>
void fft_dit_r2_stage(const Input *x, const Twiddle *tw, unsigned n, bool inv, Output *out) {
    static_assert(sim::is_float_v<Input>, "integer stages say how twiddles and outputs are scaled");
    sim::fft_stage<2, Output, Input, Twiddle>(x, {tw}, n, Vectorization, {0, 0, inv}, out);
}
template <typename Input, typename Output, typename Twiddle>
void fft_dit_r2_stage(const Input *x, const Twiddle *tw, unsigned n, unsigned vectorization, bool inv, Output *out) {
    static_assert(sim::is_float_v<Input>, "integer stages say how twiddles and outputs are scaled");
    sim::fft_stage<2, Output, Input, Twiddle>(x, {tw}, n, vectorization, {0, 0, inv}, out);
}

// Radix 3, 4 and 5 have a table for each input but the first; that of the last is not read by radix
// 4.
#define AIE_SIM_STAGE(name, Radix, params, values)                                                                           \
    template <unsigned Vectorization, typename Input, typename Output, typename Twiddle>                                     \
    void name(const Input *x, params, unsigned n, unsigned shift_tw, unsigned shift, bool inv, Output *out) {                \
        sim::fft_stage<Radix, Output, Input, Twiddle>(x, {values}, n, Vectorization, {int(shift_tw), int(shift), inv}, out); \
    }                                                                                                                        \
    template <typename Input, typename Output, typename Twiddle>                                                             \
    void name(const Input *x, params, unsigned n, unsigned shift_tw, unsigned shift, unsigned vectorization, bool inv,       \
                                  Output *out) {                                                                             \
        sim::fft_stage<Radix, Output, Input, Twiddle>(x, {values}, n, vectorization, {int(shift_tw), int(shift), inv}, out); \
    }
#define AIE_SIM_FLOAT_STAGE(name, Radix, params, values)                                                 \
    template <unsigned Vectorization, typename Input, typename Output, typename Twiddle>                 \
    void name(const Input *x, params, unsigned n, bool inv, Output *out) {                               \
        static_assert(sim::is_float_v<Input>, "integer stages say how twiddles and outputs are scaled"); \
        sim::fft_stage<Radix, Output, Input, Twiddle>(x, {values}, n, Vectorization, {0, 0, inv}, out);  \
    }
#define AIE_SIM_TWO const Twiddle *tw0, const Twiddle *tw1
#define AIE_SIM_THREE AIE_SIM_TWO, const Twiddle *tw2
#define AIE_SIM_FOUR AIE_SIM_THREE, const Twiddle *tw3
#define AIE_SIM_LIST(...) __VA_ARGS__
AIE_SIM_STAGE(fft_dit_r3_stage, 3, AIE_SIM_LIST(AIE_SIM_TWO), AIE_SIM_LIST(tw0, tw1))
AIE_SIM_STAGE(fft_dit_r4_stage, 4, AIE_SIM_LIST(AIE_SIM_THREE), AIE_SIM_LIST(tw0, tw1, tw2))
AIE_SIM_STAGE(fft_dit_r5_stage, 5, AIE_SIM_LIST(AIE_SIM_FOUR), AIE_SIM_LIST(tw0, tw1, tw2, tw3))
AIE_SIM_FLOAT_STAGE(fft_dit_r3_stage, 3, AIE_SIM_LIST(AIE_SIM_TWO), AIE_SIM_LIST(tw0, tw1))
AIE_SIM_FLOAT_STAGE(fft_dit_r5_stage, 5, AIE_SIM_LIST(AIE_SIM_FOUR), AIE_SIM_LIST(tw0, tw1, tw2, tw3))
#undef AIE_SIM_LIST
#undef AIE_SIM_FOUR
#undef AIE_SIM_THREE
#undef AIE_SIM_TWO
#undef AIE_SIM_FLOAT_STAGE
#undef AIE_SIM_STAGE

} // namespace aie
