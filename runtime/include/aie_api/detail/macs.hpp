// The multiplication intrinsics by name (UG1078, "MAC intrinsics"):
// [l]{mul|negmul|mac|msc}{2|4|8|16}, followed by [_abs|_max|_min|_maxdiff] or
// [_conj][{_sym|_antisym}[_ct|_uct]], and [_c|_cn|_nc|_cc].
#pragma once

#include "calls.hpp"

namespace aie {
namespace sim {

// The element types of the first and the last register of an intrinsic.
template <typename First, typename... Others>
struct factors_of {
    using left = typename First::value_type;
    template <typename Last, typename Next, typename... More>
    static auto last() {
        using now = std::conditional_t<vector_test<Next>::value, Next, Last>;
        if constexpr (sizeof...(More) == 0) return now();
        else return last<now, More...>();
    }
    using right = typename decltype(last<First, First, Others...>())::value_type;
};
// Counts a multiplication: a cycle, unless it has more lanes than the multiplier.
template <unsigned Lanes, typename Result, typename First, typename... More, std::enable_if_t<vector_test<First>::value, int> = 0>
void count_intrinsic(const Result &r, const First &first, const More &...more) {
    using factors = factors_of<First, More...>;
    count_products<typename factors::left, typename factors::right>(Lanes, r, first, more...);
}
template <unsigned Lanes, typename Result, typename Tag, unsigned AccLanes, typename First, typename... More>
void count_intrinsic(const Result &r, const accum<Tag, AccLanes> &acc, const First &first, const More &...more) {
    using factors = factors_of<First, More...>;
    count_sums<typename factors::left, typename factors::right>(Lanes, r, acc, first, more...);
}
template <typename Product, bool Negated, typename First, typename... More>
auto plain_product(const First &first, const More &...more) {
    adf::sim::counts::quiet whole;
    const auto r = [&] {
        if constexpr (Negated) return aie::neg(Product::call(first, more...));
        else return Product::call(first, more...);
    }();
    whole.end();
    count_intrinsic<std::decay_t<decltype(r)>::size()>(r, first, more...);
    return r;
}

// `mac` and `msc`: an accumulator comes first.
template <typename Product, typename Tag, unsigned Lanes, typename... Arguments>
auto accumulated_product(const accum<Tag, Lanes> &acc, const Arguments &...arguments) {
    adf::sim::counts::quiet whole;
    const auto r = aie::add(acc, Product::call(arguments...));
    whole.end();
    count_intrinsic<Lanes>(r, acc, arguments...);
    return r;
}
template <typename Product, typename Tag, unsigned Lanes, typename... Arguments>
auto subtracted_product(const accum<Tag, Lanes> &acc, const Arguments &...arguments) {
    adf::sim::counts::quiet whole;
    const auto r = aie::sub(acc, Product::call(arguments...));
    whole.end();
    count_intrinsic<Lanes>(r, acc, arguments...);
    return r;
}

} // namespace sim
} // namespace aie

// Four names of one form. Users' overloads of these names stay reachable, since ours take registers
// only.
#define AIE_SIM_PRODUCT(l, Lanes, number, suffix, Long, Code)                                                  \
    template <typename Data, unsigned Size, typename... More>                                                  \
    auto l##mul##number##suffix(const aie::vector<Data, Size> &x, const More &...more) {                       \
        return aie::sim::plain_product<aie::sim::product_of<Lanes, Long, Code>, false>(x, more...);            \
    }                                                                                                          \
    template <typename Data, unsigned Size, typename... More>                                                  \
    auto l##negmul##number##suffix(const aie::vector<Data, Size> &x, const More &...more) {                    \
        return aie::sim::plain_product<aie::sim::product_of<Lanes, Long, Code>, true>(x, more...);             \
    }                                                                                                          \
    template <typename Tag, unsigned Size, typename... More>                                                   \
    auto l##mac##number##suffix(const aie::accum<Tag, Size> &acc, const More &...more) {                       \
        return aie::sim::accumulated_product<aie::sim::product_of<Lanes, Long, Code>>(acc, more...);           \
    }                                                                                                          \
    template <typename Tag, unsigned Size, typename... More>                                                   \
    auto l##msc##number##suffix(const aie::accum<Tag, Size> &acc, const More &...more) {                       \
        return aie::sim::subtracted_product<aie::sim::product_of<Lanes, Long, Code>>(acc, more...);            \
    }
// Forms for real numbers; for a pre-addition that a code's first digits name; and with conjugates
// of either side.
#define AIE_SIM_REAL(l, Lanes, Long)                             \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, , Long, 0)                  \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, _sym, Long, 0x100)          \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, _antisym, Long, 0x200)      \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, _abs, Long, 0x300)          \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, _max, Long, 0x400)          \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, _min, Long, 0x500)          \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, _maxdiff, Long, 0x600)
#define AIE_SIM_CONJUGATES(l, Lanes, name, Long, code)      \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, name##_c, Long, code##3)  \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, name##_cn, Long, code##1) \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, name##_nc, Long, code##2) \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, name##_cc, Long, code##3)
#define AIE_SIM_CENTERS(l, Lanes, Long)                          \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, _sym_ct, Long, 0x110)       \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, _antisym_ct, Long, 0x210)
#define AIE_SIM_COMPLEX(l, Lanes, Long)                         \
    AIE_SIM_CONJUGATES(l, Lanes, , Long, 0x00)                  \
    AIE_SIM_CONJUGATES(l, Lanes, _sym, Long, 0x10)              \
    AIE_SIM_CONJUGATES(l, Lanes, _antisym, Long, 0x20)          \
    AIE_SIM_CONJUGATES(l, Lanes, _sym_ct, Long, 0x11)           \
    AIE_SIM_CONJUGATES(l, Lanes, _antisym_ct, Long, 0x21)       \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, _abs_c, Long, 0x303)       \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, _conj_sym, Long, 0x104)    \
    AIE_SIM_PRODUCT(l, Lanes, Lanes, _conj_antisym, Long, 0x204)
#define AIE_SIM_UNIT(Lanes)                                     \
    AIE_SIM_PRODUCT(, Lanes, Lanes, _sym_uct, false, 0x120)     \
    AIE_SIM_PRODUCT(, Lanes, Lanes, _antisym_uct, false, 0x220) \
    AIE_SIM_CONJUGATES(, Lanes, _sym_uct, false, 0x12)          \
    AIE_SIM_CONJUGATES(, Lanes, _antisym_uct, false, 0x22)
AIE_SIM_REAL(, 2, false)
AIE_SIM_REAL(, 4, false)
AIE_SIM_REAL(, 8, false)
AIE_SIM_REAL(, 16, false)
AIE_SIM_REAL(l, 2, true)
AIE_SIM_REAL(l, 4, true)
AIE_SIM_REAL(l, 8, true)
AIE_SIM_CENTERS(, 2, false)
AIE_SIM_CENTERS(, 4, false)
AIE_SIM_CENTERS(, 8, false)
AIE_SIM_CENTERS(l, 2, true)
AIE_SIM_CENTERS(l, 4, true)
AIE_SIM_CENTERS(l, 8, true)
AIE_SIM_COMPLEX(, 2, false)
AIE_SIM_COMPLEX(, 4, false)
AIE_SIM_COMPLEX(, 8, false)
AIE_SIM_COMPLEX(l, 2, true)
AIE_SIM_COMPLEX(l, 4, true)
AIE_SIM_UNIT(4)
AIE_SIM_UNIT(8)
// One form for each number of lanes. `mul` and the like of 48 bits are in aie::, beside the type.
// Names that designs may use for kernels are not made global: the name of an overloaded function
// cannot name a kernel.
AIE_SIM_PRODUCT(l, 0, , , true, 0)
#undef AIE_SIM_UNIT
#undef AIE_SIM_COMPLEX
#undef AIE_SIM_CENTERS
#undef AIE_SIM_CONJUGATES
#undef AIE_SIM_REAL
#undef AIE_SIM_PRODUCT
