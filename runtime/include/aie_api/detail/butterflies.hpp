// Intrinsics of FFTs (UG1078, "FFT intrinsics", "FFT Addressing"; Xilinx/aie_api,
// detail/aie1/fft_dit_*.hpp, which shows the meaning of the numbers): pointers that walk over the
// inputs of one residue class, the factors of a butterfly, and butterflies.
#pragma once

#include "lanes.hpp"

using mod_t = int;
using umod_t = unsigned; // a count, and a flag of whether it was raised last
inline mod_t undef_mod() { return 0; }
inline umod_t undef_umod() { return 0; }
inline unsigned undef_uint() { return 0; }
inline float undef_float() { return 0.0F; }

// The radix that `fft_data_incr` steps by.
inline void set_rdx(unsigned radix) { aie::sim::running_core()->radix = radix; }
inline unsigned get_rdx() { return aie::sim::running_core()->radix; }

namespace aie {
namespace sim {
constexpr umod_t wrapped_now = 1U << 31;

// Four lanes: `a` and the products `b * f(z)`, where f conjugates the factors, and with -j
// multiplies by -j and then conjugates. `Data` and `Factor` each have one possible type: templates
// cost nothing in sources that do not use them.
template <typename Tag>
struct butterfly_operands {
    typename lanes_of<Tag>::lane a[4], product[4];
};
template <bool MinusJ, typename Data, typename Factor>
butterfly_operands<cacc48> butterfly(const vector<Data, 8> &x, const vector<Data, 8> &y, unsigned aoffsets, unsigned boffsets,
                                     const vector<Factor, 8> &z, int zstart, unsigned zoffsets, bool conjugate, int shift) {
    static_assert(std::is_same<Data, cint32>::value && std::is_same<Factor, cint16>::value, "butterflies are of cint32 by cint16 (UG1078, FFT intrinsics)");
    const picked a{0, aoffsets}, b{0, boffsets}, w{zstart, zoffsets};
    const auto either = [&](int index) { return element_at(index < 8 ? x : y, index); };
    butterfly_operands<cacc48> all;
    for (unsigned lane = 0; lane < 4; ++lane) {
        auto factor = exactly(element_at(z, w.start + w.offset(lane)), false);
        if (MinusJ) factor = decltype(factor)(factor.imag, -factor.real);
        if (conjugate) factor = wrap::conj(factor);
        all.a[lane] = lanes_of<cacc48>::shifted_up(either(a.offset(lane)), shift);
        all.product[lane] = product<cacc48>(either(b.offset(lane)), factor);
    }
    return all;
}
} // namespace sim
} // namespace aie

// The next vector of a class: within `range` vectors the next one; from its end, which is `target`,
// the class's part of the next block of radix times as many.
template <typename Vector>
Vector *fft_data_incr(Vector *at, int range, Vector *&target, umod_t &count) {
    count &= ~aie::sim::wrapped_now;
    if (++at != target) return at;
    const int radix = int(get_rdx());
    at += (radix - 1) * range;
    target += radix * range;
    count = (count + 1) | aie::sim::wrapped_now;
    return at;
}
template <typename Vector>
Vector *fft_data_incr(Vector *at, int range, Vector *&target) {
    umod_t count = 0;
    return fft_data_incr(at, range, target, count);
}
// The next vector of factors, once in 2^step blocks.
template <typename Vector>
Vector *fft_twiddle_incr(Vector *at, umod_t count, int step) {
    const bool next = (count & aie::sim::wrapped_now) != 0 && (count & ((1U << step) - 1)) == 0;
    return next ? at + 1 : at;
}
// Returns the count unchanged. The device delays it in the pipeline.
inline umod_t fft_mod_delay(umod_t count) { return count; }
// Offsets of the factor of this block in all four or, for narrow data, eight lanes; step 2: in one
// half, and of the next in the other. A register has eight factors, or two tables of four wide
// ones, of which the upper lanes take the second.
inline unsigned fft_zoffs(umod_t count, int step, bool wide_twiddle, bool wide_data) {
    const unsigned lanes = wide_data ? 8 : 4, blocks = step >= 3 ? 1 : 1U << (3 - step);
    unsigned offsets = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const unsigned block = count * blocks + lane * blocks / lanes;
        const unsigned factor = wide_twiddle ? block % 8 : block % 4 + (lane < 4 ? 0 : 4);
        offsets |= factor << (4 * lane);
    }
    return offsets;
}

// a + b * f(z) in the lower lanes and a - b * f(z) in the upper.
#define AIE_SIM_BUTTERFLY(name, MinusJ)                                                                                          \
    template <typename Data, typename Factor>                                                                                    \
    auto name(const aie::vector<Data, 8> &x, const aie::vector<Data, 8> &y, unsigned aoffsets, unsigned boffsets,                \
              const aie::vector<Factor, 8> &z, int zstart, unsigned zoffsets, bool conjugate, int shift) {                       \
        const auto all = aie::sim::butterfly<MinusJ>(x, y, aoffsets, boffsets, z, zstart, zoffsets, conjugate, shift);           \
        aie::accum<cacc48, 8> r;                                                                                                 \
        for (unsigned lane = 0; lane < 4; ++lane) {                                                                              \
            r.lane_at(lane) = aie::sim::lanes_of<cacc48>::add(all.a[lane], all.product[lane]);                                   \
            r.lane_at(lane + 4) = aie::sim::lanes_of<cacc48>::sub(all.a[lane], all.product[lane]);                               \
        }                                                                                                                        \
        aie::sim::count_products<Data, Factor>(4, r, x, y, z);                                                                   \
        return r;                                                                                                                \
    }                                                                                                                            \
    template <typename Data, typename Factor>                                                                                    \
    auto name(const aie::vector<Data, 8> &x, const aie::vector<Data, 8> &y, unsigned aoffsets, unsigned boffsets,                \
              const aie::vector<Factor, 8> &z, int zstart, unsigned zoffsets, int shift) {                                       \
        return name(x, y, aoffsets, boffsets, z, zstart, zoffsets, false, shift);                                                \
    }
AIE_SIM_BUTTERFLY(butterfly_dit, false)
AIE_SIM_BUTTERFLY(butterfly_dit_minj, true)
#undef AIE_SIM_BUTTERFLY

// a + b * f(z) in the lower lanes and the product alone in the upper; onto an accumulator, whose
// lower lanes are `a`.
template <typename Data, typename Factor>
auto half_butterfly_dit(const aie::vector<Data, 8> &x, const aie::vector<Data, 8> &y, unsigned aoffsets, unsigned boffsets,
                        const aie::vector<Factor, 8> &z, int zstart, unsigned zoffsets, bool conjugate, int shift) {
    const auto all = aie::sim::butterfly<false>(x, y, aoffsets, boffsets, z, zstart, zoffsets, conjugate, shift);
    aie::accum<cacc48, 8> r;
    for (unsigned lane = 0; lane < 4; ++lane) {
        r.lane_at(lane) = aie::sim::lanes_of<cacc48>::add(all.a[lane], all.product[lane]);
        r.lane_at(lane + 4) = all.product[lane];
    }
    aie::sim::count_products<Data, Factor>(4, r, x, y, z);
    return r;
}
template <typename Tag, typename Data, typename Factor>
auto half_butterfly_dit(aie::accum<Tag, 8> acc, const aie::vector<Data, 8> &x, const aie::vector<Data, 8> &y, unsigned boffsets,
                        const aie::vector<Factor, 8> &z, int zstart, unsigned zoffsets, bool conjugate) {
    const auto all = aie::sim::butterfly<false>(x, y, 0, boffsets, z, zstart, zoffsets, conjugate, 0);
    for (unsigned lane = 0; lane < 4; ++lane) {
        acc.lane_at(lane) = aie::sim::lanes_of<cacc48>::add(acc.lane_at(lane), all.product[lane]);
        acc.lane_at(lane + 4) = all.product[lane];
    }
    aie::sim::count_sums<Data, Factor>(4, acc, acc, x, y, z);
    return acc;
}
