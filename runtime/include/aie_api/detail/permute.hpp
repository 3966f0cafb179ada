// The multiplication and selection intrinsics, whose arguments say which lanes of two registers meet (UG1078, "Vector
// Multiplication Intrinsics Explained"; UG1079, "MAC Intrinsics", "Data Shuffle").
//
// A product has lanes and columns; the columns of a lane are summed. Lane l and column c take element
// `start + offset(l) + c * step` of a register, counted modulo its size; an offset is four bits. Elements of 16 bits in
// the first register go in pairs: see `pair_index`. Registers of 8-bit elements are not there.
#pragma once

#include "multiply.hpp"

namespace aie {
namespace sim {

// Which elements of a register a product takes.
struct picked {
    int start = 0;
    std::uint64_t offsets = 0; // four bits for each lane
    int step = 0;
    unsigned square = 0x3210; // elements of 16 bits: how two lanes and two columns are arranged
    int offset(unsigned lane) const { return int(offsets >> (4 * lane) & 15U); }
};
constexpr std::uint64_t both(unsigned low, unsigned high) { return std::uint64_t(high) << 32 | low; }

// Multiplications in a cycle for these elements (UG1079, "MAC Intrinsics"); columns are as many as the lanes leave.
template <typename Data, typename Factor>
constexpr unsigned products_per_cycle() {
    constexpr unsigned x = bits_v<Data> / (is_complex_v<Data> && is_complex_v<Factor> ? 1 : is_complex_v<Data> ? 2 : 1);
    constexpr unsigned z = bits_v<Factor> / (is_complex_v<Data> && is_complex_v<Factor> ? 1 : is_complex_v<Factor> ? 2 : 1);
    // 32 of 16 by 16 bits; half as many for each doubling of a width or of the parts.
    constexpr unsigned widths = (x / 16) * (z / 16);
    return (is_complex_v<Data> != is_complex_v<Factor> ? 16 : 32) / widths;
}
static_assert(products_per_cycle<int16, int16>() == 32 && products_per_cycle<int32, int32>() == 8, "UG1079, table of MACs");
static_assert(products_per_cycle<cint16, cint16>() == 8 && products_per_cycle<cint16, int16>() == 16, "the same");
static_assert(products_per_cycle<cint32, cint16>() == 4 && products_per_cycle<cint32, cint32>() == 2, "the same");

template <unsigned Lanes, typename Data, typename Factor>
constexpr unsigned columns_of() {
    constexpr unsigned columns = products_per_cycle<Data, Factor>() / Lanes;
    return columns == 0 ? 1 : columns;
}

template <unsigned DataLanes>
unsigned folded(int index) {
    return unsigned(index) % DataLanes; // a power of two
}

// Elements of 16 bits come in words of two. Two lanes share two offsets: the first counts words from the start, the
// second from the word behind that. `square` then names, for each of the two lanes' two elements, one of the four.
inline int pair_index(const picked &p, unsigned lane, unsigned column) {
    const unsigned even = lane & ~1U;
    const unsigned choice = p.square >> (4 * ((lane % 2) * 2 + column % 2)) & 3U;
    const int word = choice < 2 ? p.offset(even) : p.offset(even) + p.offset(even + 1) + 1;
    return p.start + 2 * word + int(choice & 1U) + int(column / 2) * p.step;
}
template <typename Type>
int index_of(const picked &p, unsigned lane, unsigned column) {
    if constexpr (sizeof(Type) == 2) return pair_index(p, lane, column);
    else return p.start + p.offset(lane) + int(column) * p.step;
}

enum class pre { none, add, sub };
struct conjugated {
    bool x, z;
};

// The sums of a product; `y` is a second view of data, added to or subtracted from the first before it is multiplied.
template <unsigned Lanes, typename Tag, pre How = pre::none, typename Data, unsigned DataLanes, typename Factor,
          unsigned FactorLanes>
accum<Tag, Lanes> permuted(const vector<Data, DataLanes> &x, const picked &px, const vector<Data, DataLanes> &y,
                           const picked &py,
                           const vector<Factor, FactorLanes> &z, const picked &pz, conjugated c = {false, false}) {
    static_assert(sizeof(Data) > 1 && sizeof(Factor) > 1, "the host runtime has no permutations of 8-bit elements");
    accum<Tag, Lanes> acc;
    for (unsigned lane = 0; lane < Lanes; ++lane) {
        summing<Tag> sum;
        for (unsigned column = 0; column < columns_of<Lanes, Data, Factor>(); ++column) {
            auto data = converted<exact_t<Data>>(x[folded<DataLanes>(index_of<Data>(px, lane, column))]);
            if constexpr (How != pre::none) {
                const auto other = converted<exact_t<Data>>(y[folded<DataLanes>(index_of<Data>(py, lane, column))]);
                data = How == pre::add ? wrap::add(data, other) : wrap::sub(data, other);
            }
            auto factor =
                converted<exact_t<Factor>>(z[folded<FactorLanes>(pz.start + pz.offset(lane) + int(column) * pz.step)]);
            sum.take(c.x ? wrap::conj(data) : data, c.z ? wrap::conj(factor) : factor);
        }
        acc.lane_at(lane) = sum.total();
    }
    return acc;
}

// The accumulator of `mul` (48 bits) and of `lmul` (80 bits).
template <bool Long, typename Data, typename Factor>
using mul_tag = std::conditional_t<is_complex_v<Data> || is_complex_v<Factor>, std::conditional_t<Long, cacc80, cacc48>,
                                   std::conditional_t<Long, acc80, acc48>>;

// What stands between the parentheses of mul and its relatives, in each of its forms.
template <unsigned Lanes, bool Long>
struct product_call {
    template <typename Data, typename Factor>
    using result = accum<mul_tag<Long, Data, Factor>, Lanes>;

    // One column.
    template <typename Data, unsigned DataLanes, typename Factor, unsigned FactorLanes>
    static result<Data, Factor> of(conjugated c, const vector<Data, DataLanes> &x, int xs, unsigned xo,
                                   const vector<Factor, FactorLanes> &z, int zs, unsigned zo) {
        return permuted<Lanes, mul_tag<Long, Data, Factor>>(x, {xs, xo}, x, {}, z, {zs, zo}, c);
    }
    // Several columns; of sixteen lanes the fourth and the last argument are further offsets instead.
    template <typename Data, unsigned DataLanes, typename Factor, unsigned FactorLanes>
    static result<Data, Factor> of(conjugated c, const vector<Data, DataLanes> &x, int xs, unsigned xo, unsigned xn,
                                   const vector<Factor, FactorLanes> &z, int zs,
                           unsigned zo, unsigned zn) {
        if constexpr (Lanes == 16) return permuted<Lanes, mul_tag<Long, Data, Factor>>(x, {xs, both(xo, xn)}, x, {}, z,
                                                                                       {zs, both(zo, zn)}, c);
        else return permuted<Lanes, mul_tag<Long, Data, Factor>>(x, {xs, xo, int(xn)}, x, {}, z, {zs, zo, int(zn)}, c);
    }
    // Elements of 16 bits, eight lanes.
    template <typename Data, unsigned DataLanes, typename Factor, unsigned FactorLanes>
    static result<Data, Factor> of(conjugated c, const vector<Data, DataLanes> &x, int xs, unsigned xo, int xstep,
                                   unsigned square,
                           const vector<Factor, FactorLanes> &z, int zs, unsigned zo, int zstep) {
        return permuted<Lanes, mul_tag<Long, Data, Factor>>(x, {xs, xo, xstep, square}, x, {}, z, {zs, zo, zstep}, c);
    }
    // Elements of 16 bits, sixteen lanes.
    template <typename Data, unsigned DataLanes, typename Factor, unsigned FactorLanes>
    static result<Data, Factor> of(conjugated c, const vector<Data, DataLanes> &x, int xs, unsigned xo, unsigned xo_high,
                                   unsigned square,
                           const vector<Factor, FactorLanes> &z, int zs, unsigned zo, unsigned zo_high, int zstep) {
        return permuted<Lanes, mul_tag<Long, Data, Factor>>(x, {xs, both(xo, xo_high), 2, square}, x, {}, z, {zs, both(zo,
                zo_high), zstep}, c);
    }
};

// The same with pre-addition: the second view steps the other way.
template <unsigned Lanes, bool Long, pre How>
struct symmetric_call {
    template <typename Data, typename Factor>
    using result = accum<mul_tag<Long, Data, Factor>, Lanes>;

    template <typename Data, unsigned DataLanes, typename Factor, unsigned FactorLanes>
    static result<Data, Factor> of(const vector<Data, DataLanes> &x, int xs, unsigned xo, const vector<Data, DataLanes> &y,
                                   int ys, const vector<Factor, FactorLanes> &z, int zs,
                           unsigned zo) {
        return permuted<Lanes, mul_tag<Long, Data, Factor>, How>(x, {xs, xo}, y, {ys, xo}, z, {zs, zo});
    }
    template <typename Data, unsigned DataLanes, typename Factor, unsigned FactorLanes>
    static result<Data, Factor> of(const vector<Data, DataLanes> &x, int xs, unsigned xo, int ys,
                                   const vector<Factor, FactorLanes> &z, int zs, unsigned zo) {
        return of(x, xs, xo, x, ys, z, zs, zo);
    }
    template <typename Data, unsigned DataLanes, typename Factor, unsigned FactorLanes>
    static result<Data, Factor> of(const vector<Data, DataLanes> &x, int xs, unsigned xo, int xstep,
                                   const vector<Data, DataLanes> &y, int ys,
                           const vector<Factor, FactorLanes> &z, int zs, unsigned zo, int zstep) {
        return permuted<Lanes, mul_tag<Long, Data, Factor>, How>(x, {xs, xo, xstep}, y, {ys, xo, -xstep}, z, {zs, zo,
                                                                 zstep});
    }
    template <typename Data, unsigned DataLanes, typename Factor, unsigned FactorLanes>
    static result<Data, Factor> of(const vector<Data, DataLanes> &x, int xs, unsigned xo, int xstep, int ys,
                                   const vector<Factor, FactorLanes> &z, int zs, unsigned zo,
                           int zstep) {
        return of(x, xs, xo, xstep, x, ys, z, zs, zo, zstep);
    }
};

// Lanes of a register in another order; of elements of 16 bits, four at a time as `square` says.
template <unsigned Lanes, typename Type, unsigned DataLanes>
vector<Type, Lanes> shuffled(const vector<Type, DataLanes> &x, const picked &p) {
    vector<Type, Lanes> r;
    for (unsigned i = 0; i < Lanes; ++i) {
        if constexpr (sizeof(Type) == 2) r[i] = x[folded<DataLanes>(pair_index(p, i / 2, i % 2))];
        else r[i] = x[folded<DataLanes>(p.start + p.offset(i))];
    }
    return r;
}
template <unsigned Lanes, typename Type>
vector<Type, Lanes> chosen(unsigned which, const vector<Type, Lanes> &zero, const vector<Type, Lanes> &one) {
    vector<Type, Lanes> r;
    for (unsigned i = 0; i < Lanes; ++i) r[i] = which >> i & 1U ? one[i] : zero[i];
    return r;
}

template <typename Type>
constexpr unsigned float_lanes_v = is_complex_v<Type> ? 4 : 8;

} // namespace sim
} // namespace aie

#define AIE_SIM_FORMS(name, call, ...)                                                                             \
    template <typename First, typename... More>                                                                    \
    auto name(const First &first, const More &...more) -> decltype(call::of(__VA_ARGS__ first, more...)) {         \
        return call::of(__VA_ARGS__ first, more...);                                                               \
    }
#define AIE_SIM_ONTO(name, operation, call, ...)                                                                       \
    template <typename Tag, unsigned DataLanes, typename... More>                                                      \
    auto name(const aie::accum<Tag, DataLanes> &acc, const More &...more) -> decltype(call::of(__VA_ARGS__ more...)) { \
        return operation(acc, call::of(__VA_ARGS__ more...));                                                          \
    }
#define AIE_SIM_COMMA ,
#define AIE_SIM_PLAIN(letter, Lanes, suffix, Long, ConjX, ConjZ)                                                                                \
    namespace aie { namespace sim { using letter##call##Lanes##suffix = product_call<Lanes, Long>; } }                                          \
    AIE_SIM_FORMS(letter##mul##Lanes##suffix, aie::sim::letter##call##Lanes##suffix, aie::sim::conjugated{ConjX AIE_SIM_COMMA ConjZ},)          \
    template <typename First, typename... More>                                                                                                 \
    auto letter##negmul##Lanes##suffix(const First &first, const More &...more) {                                                               \
        return aie::neg(letter##mul##Lanes##suffix(first, more...));                                                                            \
    }                                                                                                                                           \
    AIE_SIM_ONTO(letter##mac##Lanes##suffix, aie::add, aie::sim::letter##call##Lanes##suffix, aie::sim::conjugated{ConjX AIE_SIM_COMMA ConjZ},) \
    AIE_SIM_ONTO(letter##msc##Lanes##suffix, aie::sub, aie::sim::letter##call##Lanes##suffix,                                                   \
                 aie::sim::conjugated{ConjX AIE_SIM_COMMA ConjZ},)
#define AIE_SIM_SYMMETRIC(letter, Lanes, suffix, Long, How)                                                        \
    namespace aie { namespace sim { using letter##call##Lanes##suffix = symmetric_call<Lanes, Long, How>; } }      \
    AIE_SIM_FORMS(letter##mul##Lanes##suffix, aie::sim::letter##call##Lanes##suffix, )                             \
    AIE_SIM_ONTO(letter##mac##Lanes##suffix, aie::add, aie::sim::letter##call##Lanes##suffix, )                    \
    AIE_SIM_ONTO(letter##msc##Lanes##suffix, aie::sub, aie::sim::letter##call##Lanes##suffix, )
#define AIE_SIM_LANES_OF(letter, Lanes, Long)                                  \
    AIE_SIM_PLAIN(letter, Lanes, , Long, false, false)                         \
    AIE_SIM_PLAIN(letter, Lanes, _cn, Long, true, false)                       \
    AIE_SIM_PLAIN(letter, Lanes, _nc, Long, false, true)                       \
    AIE_SIM_PLAIN(letter, Lanes, _cc, Long, true, true)                        \
    AIE_SIM_PLAIN(letter, Lanes, _c, Long, true, true)                         \
    AIE_SIM_SYMMETRIC(letter, Lanes, _sym, Long, pre::add)                     \
    AIE_SIM_SYMMETRIC(letter, Lanes, _antisym, Long, pre::sub)
AIE_SIM_LANES_OF(, 2, false)
AIE_SIM_LANES_OF(, 4, false)
AIE_SIM_LANES_OF(, 8, false)
AIE_SIM_LANES_OF(, 16, false)
AIE_SIM_LANES_OF(l, 2, true)
AIE_SIM_LANES_OF(l, 4, true)
AIE_SIM_LANES_OF(l, 8, true)
#undef AIE_SIM_LANES_OF
#undef AIE_SIM_SYMMETRIC
#undef AIE_SIM_PLAIN
#undef AIE_SIM_ONTO
#undef AIE_SIM_FORMS
#undef AIE_SIM_COMMA

// --- floats: eight lanes, four of complex ones, whose sums are vectors -------------------------------------------------

namespace aie {
namespace sim {
template <typename Type, unsigned DataLanes, unsigned FactorLanes>
auto float_products(const vector<Type, DataLanes> &x, int xs, unsigned xo, const vector<Type, FactorLanes> &z, int zs,
                    unsigned zo) {
    constexpr unsigned lanes = float_lanes_v<Type>;
    return aie::mul(shuffled<lanes>(x, {xs, xo}), shuffled<lanes>(z, {zs, zo})).template to_vector<Type>();
}
template <typename Type, unsigned DataLanes>
auto first_lanes(const vector<Type, DataLanes> &x) { return x.template extract<float_lanes_v<Type>>(0); }
} // namespace sim
} // namespace aie

template <typename Type, unsigned DataLanes, unsigned FactorLanes,
          typename = std::enable_if_t<aie::sim::is_float_v<Type>>>
auto fpmul(const aie::vector<Type, DataLanes> &x, int xs, unsigned xo, const aie::vector<Type, FactorLanes> &z, int zs,
           unsigned zo) {
    return aie::sim::float_products(x, xs, xo, z, zs, zo);
}
template <typename Type, unsigned DataLanes, unsigned FactorLanes,
          typename = std::enable_if_t<aie::sim::is_float_v<Type>>>
auto fpneg_mul(const aie::vector<Type, DataLanes> &x, int xs, unsigned xo, const aie::vector<Type, FactorLanes> &z, int zs,
               unsigned zo) {
    return aie::neg(fpmul(x, xs, xo, z, zs, zo));
}
template <typename Type, unsigned AccLanes, unsigned DataLanes, unsigned FactorLanes,
          typename = std::enable_if_t<aie::sim::is_float_v<Type>>>
auto fpmac(const aie::vector<Type, AccLanes> &acc, const aie::vector<Type, DataLanes> &x, int xs, unsigned xo,
           const aie::vector<Type, FactorLanes> &z, int zs,
           unsigned zo) {
    return aie::add(acc, fpmul(x, xs, xo, z, zs, zo));
}
template <typename Type, unsigned AccLanes, unsigned DataLanes, unsigned FactorLanes,
          typename = std::enable_if_t<aie::sim::is_float_v<Type>>>
auto fpmsc(const aie::vector<Type, AccLanes> &acc, const aie::vector<Type, DataLanes> &x, int xs, unsigned xo,
           const aie::vector<Type, FactorLanes> &z, int zs,
           unsigned zo) {
    return aie::sub(acc, fpmul(x, xs, xo, z, zs, zo));
}
template <typename Type, unsigned DataLanes>
auto fpmul(const aie::vector<Type, DataLanes> &x, const aie::vector<Type, DataLanes> &z) {
    return aie::mul(x, z).template to_vector<Type>();
}
template <typename Type, unsigned DataLanes>
auto fpmac(const aie::vector<Type, DataLanes> &acc, const aie::vector<Type, DataLanes> &x,
           const aie::vector<Type, DataLanes> &z) {
    return aie::add(acc, fpmul(x, z));
}
template <typename Type, unsigned DataLanes>
auto fpmsc(const aie::vector<Type, DataLanes> &acc, const aie::vector<Type, DataLanes> &x,
           const aie::vector<Type, DataLanes> &z) {
    return aie::sub(acc, fpmul(x, z));
}
template <typename Type, unsigned AccLanes, unsigned DataLanes>
auto fpadd(const aie::vector<Type, AccLanes> &acc, const aie::vector<Type, DataLanes> &x, int xs, unsigned xo) {
    return aie::add(acc, aie::sim::shuffled<AccLanes>(x, {xs, xo}));
}
template <typename Type, unsigned AccLanes, unsigned DataLanes>
auto fpsub(const aie::vector<Type, AccLanes> &acc, const aie::vector<Type, DataLanes> &x, int xs, unsigned xo) {
    return aie::sub(acc, aie::sim::shuffled<AccLanes>(x, {xs, xo}));
}
template <typename Type, unsigned AccLanes, unsigned DataLanes>
auto fpadd(const aie::vector<Type, AccLanes> &acc, const aie::vector<Type, DataLanes> &x) {
    return aie::add(acc, x.template extract<AccLanes>(0));
}
template <typename Type, unsigned AccLanes, unsigned DataLanes>
auto fpsub(const aie::vector<Type, AccLanes> &acc, const aie::vector<Type, DataLanes> &x) {
    return aie::sub(acc, x.template extract<AccLanes>(0));
}

// --- selection ------------------------------------------------------------------------------------------------------------

#define AIE_SIM_SELECTION(prefix)                                                                                                           \
    template <typename Type, unsigned DataLanes>                                                                                            \
    aie::vector<Type, 16> prefix##shuffle16(const aie::vector<Type, DataLanes> &x, int xs, unsigned xo, unsigned xo_high) {                 \
        return aie::sim::shuffled<16>(x, {xs, aie::sim::both(xo, xo_high)});                                                                \
    }                                                                                                                                       \
    template <typename Type, unsigned DataLanes>                                                                                            \
    aie::vector<Type, 8> prefix##shuffle8(const aie::vector<Type, DataLanes> &x, int xs, unsigned xo) {                                     \
        return aie::sim::shuffled<8>(x, {xs, xo});                                                                                          \
    }                                                                                                                                       \
    template <typename Type, unsigned DataLanes>                                                                                            \
    aie::vector<Type, 16> prefix##select16(unsigned which, const aie::vector<Type, DataLanes> &x, int xs, unsigned xo, unsigned xo_high,    \
                                        const aie::vector<Type, DataLanes> &y, int ys, unsigned yo, unsigned yo_high) {                     \
        return aie::sim::chosen(which, prefix##shuffle16(x, xs, xo, xo_high), prefix##shuffle16(y, ys, yo, yo_high));                       \
    }                                                                                                                                       \
    template <typename Type, unsigned DataLanes>                                                                                            \
    aie::vector<Type, 16> prefix##select16(unsigned which, const aie::vector<Type, DataLanes> &x, int xs, unsigned xo, unsigned xo_high,    \
                                        int ys, unsigned yo, unsigned yo_high) {                                                            \
        return prefix##select16(which, x, xs, xo, xo_high, x, ys, yo, yo_high);                                                             \
    }                                                                                                                                       \
    template <typename Type, unsigned DataLanes>                                                                                            \
    aie::vector<Type, 8> prefix##select8(unsigned which, const aie::vector<Type, DataLanes> &x, int xs, unsigned xo,                        \
                                      const aie::vector<Type, DataLanes> &y, int ys, unsigned yo) {                                         \
        return aie::sim::chosen(which, prefix##shuffle8(x, xs, xo), prefix##shuffle8(y, ys, yo));                                           \
    }                                                                                                                                       \
    template <typename Type, unsigned DataLanes>                                                                                            \
    aie::vector<Type, 8> prefix##select8(unsigned which, const aie::vector<Type, DataLanes> &x, int xs, unsigned xo, int ys, unsigned yo) { \
        return prefix##select8(which, x, xs, xo, x, ys, yo);                                                                                \
    }
AIE_SIM_SELECTION()
AIE_SIM_SELECTION(fp)
#undef AIE_SIM_SELECTION

// Elements of 16 bits.
template <typename Type, unsigned DataLanes>
aie::vector<Type, 32> shuffle32(const aie::vector<Type, DataLanes> &x, int xs, unsigned xo, unsigned xo_high,
                                unsigned square) {
    static_assert(sizeof(Type) == 2, "shuffle32 is for elements of 16 bits");
    return aie::sim::shuffled<32>(x, {xs, aie::sim::both(xo, xo_high), 0, square});
}
template <typename Type, unsigned DataLanes>
aie::vector<Type, 32> select32(unsigned which, const aie::vector<Type, DataLanes> &x, int xs, unsigned xo,
                               unsigned xo_high, unsigned xsquare,
                            const aie::vector<Type, DataLanes> &y, int ys, unsigned yo, unsigned yo_high,
                                unsigned ysquare) {
    return aie::sim::chosen(which, shuffle32(x, xs, xo, xo_high, xsquare), shuffle32(y, ys, yo, yo_high, ysquare));
}
