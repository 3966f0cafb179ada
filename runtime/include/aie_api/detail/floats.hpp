// Intrinsics of the floating-point unit (UG1078, "Floating-point"; Xilinx/Vitis-Tutorials, "Using
// Floating-Point in the AI Engine"): eight lanes of floats or four of complex ones, whose sums are
// vectors of 256 bits.
#pragma once

#include <cmath>

#include "macs.hpp"
#include "select.hpp"

// Options of the configurable forms for a product: all lanes added or subtracted, or in turn, the
// first of each pair added or subtracted; and whether the sum is kept, or the smaller or larger of
// accumulator and product.
enum fpadd_mode : unsigned { fpadd_add, fpadd_sub, fpadd_mixadd, fpadd_mixsub };
enum fpcmp_mode : unsigned { fpcmp_lt, fpcmp_ge, fpcmp_nrm };

namespace aie {
namespace sim {

template <typename... Types>
constexpr unsigned float_lanes_v = (is_complex_v<Types> || ...) ? 4 : 8;
template <unsigned Lanes, typename Type, unsigned Size>
vector<Type, Lanes> float_lanes(const vector<Type, Size> &x) {
    return x.template extract<Lanes>(0);
}
template <unsigned Lanes, typename Type, unsigned Size>
vector<Type, Lanes> float_lanes(const vector<Type, Size> &x, int start, unsigned offsets) {
    return shuffled<Lanes>(x, {start, offsets});
}

// Products: each lane rounded once for every multiplication of parts, and for their sum.
template <unsigned Code, typename Left, typename Right, unsigned Lanes>
auto float_product(const vector<Left, Lanes> &x, const vector<Right, Lanes> &z) {
    constexpr form how = form_of(Code);
    using Type = std::conditional_t<is_complex_v<Left> || is_complex_v<Right>, cfloat, float>;
    vector<Type, Lanes> r;
    for (unsigned i = 0; i < Lanes; ++i) {
        const auto a = how.conj_x ? wrap::conj(x.data()[i]) : x.data()[i];
        const auto b = how.conj_z ? wrap::conj(z.data()[i]) : z.data()[i];
        summing<std::conditional_t<is_complex_v<Type>, caccfloat, accfloat>> sum;
        sum.take(a, b);
        if constexpr (is_complex_v<Type>) r.data()[i] = Type(sum.real, sum.imag);
        else r.data()[i] = sum.real;
    }
    return r;
}
// x, start, offsets, z, start, offsets; or both registers alone.
template <unsigned Code, typename Left, unsigned XSize, typename Right, unsigned ZSize>
auto float_products(const vector<Left, XSize> &x, int xstart, unsigned xoffsets, const vector<Right, ZSize> &z, int zstart, unsigned zoffsets) {
    constexpr unsigned lanes = float_lanes_v<Left, Right>;
    return float_product<Code>(float_lanes<lanes>(x, xstart, xoffsets), float_lanes<lanes>(z, zstart, zoffsets));
}
template <unsigned Code, typename Left, unsigned XSize, typename Right, unsigned ZSize>
auto float_products(const vector<Left, XSize> &x, const vector<Right, ZSize> &z) {
    constexpr unsigned lanes = float_lanes_v<Left, Right>;
    return float_product<Code>(float_lanes<lanes>(x), float_lanes<lanes>(z));
}

// A product, perhaps negated, and its sum with or difference from an accumulator: each one
// operation of the multiplier.
template <unsigned Code, bool Negated, typename First, typename... More>
auto plain_float(const First &x, const More &...more) {
    adf::sim::counts::quiet whole;
    auto r = float_products<Code>(x, more...);
    if constexpr (Negated) r = aie::neg(r);
    whole.end();
    using factors = factors_of<First, More...>;
    count_products<typename factors::left, typename factors::right>(r.size(), r, x, more...);
    return r;
}
template <unsigned Code, bool Negated, typename Acc, typename First, typename... More>
auto summed_float(const Acc &acc, const First &x, const More &...more) {
    adf::sim::counts::quiet whole;
    const auto product = float_products<Code>(x, more...);
    auto r = Negated ? aie::sub(acc, product) : aie::add(acc, product);
    whole.end();
    using factors = factors_of<First, More...>;
    count_sums<typename factors::left, typename factors::right>(r.size(), r, acc, x, more...);
    return r;
}

// Float accumulators are vector registers (UG1079).
template <typename Tag, unsigned Lanes>
auto as_floats(const accum<Tag, Lanes> &a) {
    static_assert(Tag::floating, "the sum is of floats");
    return a.template to_vector<std::conditional_t<Tag::complex, cfloat, float>>();
}

// Parts as lanes of their own, as the configurable forms see complex numbers.
template <typename Type, unsigned Size>
auto parts_of(const vector<Type, Size> &v) {
    return v.template cast_to<float>();
}

// One lane of the configurable forms.
inline float configured(unsigned lane, float acc, float product, unsigned addmode, unsigned addmask, unsigned cmpmode, unsigned &chose) {
    if (cmpmode != fpcmp_nrm) {
        const bool keep = cmpmode == fpcmp_lt ? acc < product : acc >= product;
        chose |= unsigned(keep) << lane;
        return keep ? acc : product;
    }
    const bool odd = lane % 2 != 0, mixed = addmode == fpadd_mixadd || addmode == fpadd_mixsub;
    const bool subtracts = (addmode == fpadd_sub || addmode == fpadd_mixsub) != (mixed && odd);
    return subtracts != ((addmask >> lane & 1U) != 0) ? acc - product : acc + product;
}
template <unsigned XLanes, unsigned ZLanes>
vector<float, 8> float_conf(const vector<float, 8> &acc, const vector<float, XLanes> &x, int xstart, unsigned xoffsets,
                            const vector<float, ZLanes> &z, int zstart, unsigned zoffsets, bool ones, bool abs, unsigned addmode,
                            unsigned addmask, unsigned cmpmode, unsigned &chose) {
    const auto left = float_lanes<8>(x, xstart, xoffsets), right = float_lanes<8>(z, zstart, zoffsets);
    vector<float, 8> r;
    chose = 0;
    for (unsigned i = 0; i < 8; ++i) {
        const float product = ones ? left.data()[i] : left.data()[i] * right.data()[i];
        r.data()[i] = configured(i, acc.data()[i], abs ? std::fabs(product) : product, addmode, addmask, cmpmode, chose);
    }
    return r;
}

template <typename Type>
using if_float = std::enable_if_t<is_float_v<Type>, int>;

} // namespace sim
} // namespace aie

// Products and their sums: name, form, and whether the product is negated or its magnitude is
// taken.
#define AIE_SIM_FLOAT(suffix, Code)                                                                                   \
    template <typename Type, unsigned Size, typename... More, aie::sim::if_float<Type> = 0>                           \
    auto fpmul##suffix(const aie::vector<Type, Size> &x, const More &...more) {                                       \
        return aie::sim::plain_float<Code, false>(x, more...);                                                        \
    }                                                                                                                 \
    template <typename Type, unsigned Size, typename... More, aie::sim::if_float<Type> = 0>                           \
    auto fpneg_mul##suffix(const aie::vector<Type, Size> &x, const More &...more) {                                   \
        return aie::sim::plain_float<Code, true>(x, more...);                                                         \
    }                                                                                                                 \
    template <typename Acc, unsigned Lanes, typename Type, unsigned Size, typename... More, aie::sim::if_float<Type> = 0> \
    auto fpmac##suffix(const aie::vector<Acc, Lanes> &acc, const aie::vector<Type, Size> &x, const More &...more) {   \
        return aie::sim::summed_float<Code, false>(acc, x, more...);                                                  \
    }                                                                                                                 \
    template <typename Acc, unsigned Lanes, typename Type, unsigned Size, typename... More, aie::sim::if_float<Type> = 0> \
    auto fpmsc##suffix(const aie::vector<Acc, Lanes> &acc, const aie::vector<Type, Size> &x, const More &...more) {   \
        return aie::sim::summed_float<Code, true>(acc, x, more...);                                                   \
    }                                                                                                                 \
    template <typename Tag, unsigned Lanes, typename Type, unsigned Size, typename... More, aie::sim::if_float<Type> = 0> \
    auto fpmac##suffix(const aie::accum<Tag, Lanes> &acc, const aie::vector<Type, Size> &x, const More &...more) {    \
        return fpmac##suffix(aie::sim::as_floats(acc), x, more...);                                                   \
    }                                                                                                                 \
    template <typename Tag, unsigned Lanes, typename Type, unsigned Size, typename... More, aie::sim::if_float<Type> = 0> \
    auto fpmsc##suffix(const aie::accum<Tag, Lanes> &acc, const aie::vector<Type, Size> &x, const More &...more) {    \
        return fpmsc##suffix(aie::sim::as_floats(acc), x, more...);                                                   \
    }
AIE_SIM_FLOAT(, 0)
AIE_SIM_FLOAT(_c, 3)
AIE_SIM_FLOAT(_cn, 1)
AIE_SIM_FLOAT(_nc, 2)
AIE_SIM_FLOAT(_cc, 3)
#undef AIE_SIM_FLOAT
template <unsigned Size, typename... More>
auto fpabs_mul(const aie::vector<float, Size> &x, const More &...more) { return aie::abs(fpmul(x, more...)); }
template <unsigned Size, typename... More>
auto fpneg_abs_mul(const aie::vector<float, Size> &x, const More &...more) { return aie::neg(fpabs_mul(x, more...)); }
template <unsigned Size, typename... More>
auto fpmac_abs(const aie::vector<float, 8> &acc, const aie::vector<float, Size> &x, const More &...more) {
    return aie::add(acc, fpabs_mul(x, more...));
}
template <unsigned Size, typename... More>
auto fpmsc_abs(const aie::vector<float, 8> &acc, const aie::vector<float, Size> &x, const More &...more) {
    return aie::sub(acc, fpabs_mul(x, more...));
}

// One register, with start and offsets or without.
#define AIE_SIM_FLOAT(name, expression)                                                                       \
    template <typename Type, unsigned Size, typename... Numbers, aie::sim::if_float<Type> = 0>                \
    auto name(const aie::vector<Type, Size> &x, const Numbers &...numbers) {                                  \
        adf::sim::counts::quiet whole;                                                                        \
        const auto b = aie::sim::float_lanes<aie::sim::float_lanes_v<Type>>(x, numbers...);                   \
        const auto r = expression;                                                                            \
        whole.end();                                                                                          \
        adf::sim::counts::worked(r, 1, false, x);                                                             \
        return r;                                                                                             \
    }
AIE_SIM_FLOAT(fpshuffle, b)
AIE_SIM_FLOAT(fpneg, aie::neg(b))
AIE_SIM_FLOAT(fpabs, aie::abs(b))
AIE_SIM_FLOAT(fpneg_abs, aie::neg(aie::abs(b)))
#undef AIE_SIM_FLOAT
// The forms above with an accumulator. Comparisons give bits, the lowest for lane 0. `fast` and
// `safe` differ in how they treat NaN.
#define AIE_SIM_FLOAT(name, expression)                                                                                            \
    template <typename Acc, unsigned Lanes, typename Type, unsigned Size, typename... Numbers, aie::sim::if_float<Type> = 0>       \
    auto name(const aie::vector<Acc, Lanes> &a, const aie::vector<Type, Size> &x, const Numbers &...numbers) {                     \
        adf::sim::counts::quiet whole;                                                                                             \
        const auto b = aie::sim::float_lanes<aie::sim::float_lanes_v<Type>>(x, numbers...);                                        \
        const auto r = expression;                                                                                                 \
        whole.end();                                                                                                               \
        adf::sim::counts::worked(r, 1, true, a, x);                                                                                \
        return r;                                                                                                                  \
    }
AIE_SIM_FLOAT(fpadd, aie::add(a, b))
AIE_SIM_FLOAT(fpsub, aie::sub(a, b))
AIE_SIM_FLOAT(fpadd_abs, aie::add(a, aie::abs(b)))
AIE_SIM_FLOAT(fpsub_abs, aie::sub(a, aie::abs(b)))
AIE_SIM_FLOAT(fpmax, aie::max(a, b))
AIE_SIM_FLOAT(fpmin, aie::min(a, b))
AIE_SIM_FLOAT(fpmax_abs, aie::max(a, aie::abs(b)))
AIE_SIM_FLOAT(fpmin_abs, aie::min(a, aie::abs(b)))
AIE_SIM_FLOAT(fplt_abs, aie::lt(a, aie::abs(b)).to_uint32())
AIE_SIM_FLOAT(fpge_abs, aie::ge(a, aie::abs(b)).to_uint32())
AIE_SIM_FLOAT(fplt, aie::lt(a, b).to_uint32())
AIE_SIM_FLOAT(fplt_fast, aie::lt(a, b).to_uint32())
AIE_SIM_FLOAT(fplt_safe, aie::lt(a, b).to_uint32())
AIE_SIM_FLOAT(fpge, aie::ge(a, b).to_uint32())
AIE_SIM_FLOAT(fpge_fast, aie::ge(a, b).to_uint32())
AIE_SIM_FLOAT(fpge_safe, aie::ge(a, b).to_uint32())
#undef AIE_SIM_FLOAT
// Part by part, as conjugates need it: one of each pair added, the other subtracted.
template <unsigned Size, typename... Numbers>
auto fpadd_c(const aie::vector<cfloat, 4> &a, const aie::vector<cfloat, Size> &x, const Numbers &...numbers) {
    return aie::add(a, aie::conj(aie::sim::float_lanes<4>(x, numbers...)));
}
template <unsigned Size, typename... Numbers>
auto fpsub_c(const aie::vector<cfloat, 4> &a, const aie::vector<cfloat, Size> &x, const Numbers &...numbers) {
    return aie::sub(a, aie::conj(aie::sim::float_lanes<4>(x, numbers...)));
}

// Fully configurable: `ones` takes 1.0 for the factors, `abs` the product's magnitude, `addmask`
// negates lanes. `chose` gets a bit where a comparison chose the accumulator. Complex numbers are
// two lanes, which starts and offsets count.
template <typename Acc, unsigned AccLanes, typename Left, unsigned XSize, typename Right, unsigned ZSize>
aie::vector<Acc, AccLanes> fpmac_conf(const aie::vector<Acc, AccLanes> &acc, const aie::vector<Left, XSize> &x, int xstart, unsigned xoffsets,
                                      const aie::vector<Right, ZSize> &z, int zstart, unsigned zoffsets, bool ones, bool abs,
                                      unsigned addmode, unsigned addmask, unsigned cmpmode, unsigned &chose) {
    using namespace aie::sim;
    adf::sim::counts::quiet whole;
    const auto r = float_conf(parts_of(acc), parts_of(x), xstart, xoffsets, parts_of(z), zstart, zoffsets, ones, abs, addmode, addmask, cmpmode, chose)
        .template cast_to<Acc>();
    whole.end();
    count_sums<float, float>(8, r, acc, x, z);
    return r;
}
template <typename Acc, unsigned AccLanes, typename Left, unsigned XSize, typename Right, unsigned ZSize>
aie::vector<Acc, AccLanes> fpmac_conf(const aie::vector<Acc, AccLanes> &acc, const aie::vector<Left, XSize> &x, int xstart, unsigned xoffsets,
                                      const aie::vector<Right, ZSize> &z, int zstart, unsigned zoffsets, bool ones, bool abs,
                                      unsigned addmode, unsigned addmask, unsigned cmpmode) {
    unsigned chose = 0;
    return fpmac_conf(acc, x, xstart, xoffsets, z, zstart, zoffsets, ones, abs, addmode, addmask, cmpmode, chose);
}
// Both factors from one register.
template <typename Acc, unsigned AccLanes, typename Left, unsigned XSize, typename... Numbers>
aie::vector<Acc, AccLanes> fpmac_conf(const aie::vector<Acc, AccLanes> &acc, const aie::vector<Left, XSize> &x, int xstart, unsigned xoffsets,
                                      int zstart, unsigned zoffsets, bool ones, bool abs, unsigned addmode, Numbers &&...numbers) {
    return fpmac_conf(acc, x, xstart, xoffsets, x, zstart, zoffsets, ones, abs, addmode, numbers...);
}
// Without an accumulator: from zeros.
template <typename Left, unsigned XSize, typename... More>
auto fpmul_conf(const aie::vector<Left, XSize> &x, int xstart, unsigned xoffsets, More &&...more) {
    return fpmac_conf(aie::vector<Left, 32 / sizeof(Left)>(), x, xstart, xoffsets, more...);
}
