// Selection, arithmetic and comparison of permuted lanes (UG1078, "Vector Lane Selection", "Vector
// Arithmetic", "Vector Compares"; UG1079, "Data Shuffle"): one register or two; start and offsets,
// and for elements of 16 bits a square, for either.
#pragma once

#include "calls.hpp"
#include "compare.hpp"

namespace aie {
namespace sim {

// Lanes of a register in another order: of 16 bits two for each offset and four for a square.
template <unsigned Lanes, typename Type, unsigned DataLanes>
vector<Type, Lanes> shuffled(const vector<Type, DataLanes> &x, const picked &p) {
    vector<Type, Lanes> r;
    for (unsigned i = 0; i < Lanes; ++i) r.data()[i] = element_at(x, sizeof(Type) == 2 ? data_index<Type>(p, i / 2, i % 2) : p.start + p.offset(i));
    return r;
}

// Passes both operands of an operation on lanes to `with`: registers alone, or with the numbers
// that choose their lanes.
template <unsigned Lanes, typename Type, unsigned DataLanes, typename With, typename... More>
auto on_chosen(With with, const vector<Type, DataLanes> &x, const More &...more) {
    constexpr unsigned count = sizeof...(More), each = (Lanes > 8 ? 3 : 2) + (sizeof(Type) == 2 ? 1 : 0);
    if constexpr (count == 1) return with(x, more...);
    else {
        constexpr bool registers[] = {vector_test<More>::value...};
        static_assert(count == 2 * each || (count == 2 * each + 1 && registers[each]),
                      "start and offsets of either side (UG1078, Reduced Lane Addressing Scheme)");
        const auto read = [](const std::uint32_t *n) {
            picked p{int(n[0]), Lanes > 8 ? both(n[1], n[2]) : n[1]};
            if (sizeof(Type) == 2) p.square = n[each - 1];
            return p;
        };
        const std::uint32_t numbers[] = {as_number(more)...};
        const auto first = shuffled<Lanes>(x, read(numbers));
        if constexpr (count == 2 * each) return with(first, shuffled<Lanes>(x, read(numbers + each)));
        else return with(first, shuffled<Lanes>(std::get<each>(std::tie(more...)), read(numbers + each + 1)));
    }
}
// As above, for one operand.
template <unsigned Lanes, typename Type, unsigned DataLanes, typename... Numbers>
auto one_chosen(const vector<Type, DataLanes> &x, const Numbers &...numbers) {
    constexpr unsigned each = (Lanes > 8 ? 3 : 2) + (sizeof(Type) == 2 ? 1 : 0);
    static_assert(sizeof...(Numbers) == 0 || sizeof...(Numbers) == each, "start and offsets (UG1078, Reduced Lane Addressing Scheme)");
    if constexpr (sizeof...(Numbers) == 0) return x;
    else {
        const std::uint32_t n[] = {as_number(numbers)...};
        picked p{int(n[0]), Lanes > 8 ? both(n[1], n[2]) : n[1]};
        if (sizeof(Type) == 2) p.square = n[each - 1];
        return shuffled<Lanes>(x, p);
    }
}

// A result and, in the last argument, the comparison bits of its lanes.
template <unsigned Lanes, typename Result, typename Bits, std::size_t... At, typename Type, unsigned DataLanes, typename... More>
auto result_and_bits(Result result, Bits bits, std::index_sequence<At...>, const vector<Type, DataLanes> &x, More &...more) {
    const auto all = std::tie(more...);
    std::get<sizeof...(At)>(all) = on_chosen<Lanes>(bits, x, std::get<At>(all)...);
    return on_chosen<Lanes>(result, x, std::get<At>(all)...);
}

// Lane by lane: the first, or the second where the bit is set.
template <typename Type, unsigned Lanes>
vector<Type, Lanes> merged(std::uint32_t which, const vector<Type, Lanes> &zero, const vector<Type, Lanes> &one) {
    vector<Type, Lanes> r;
    for (unsigned i = 0; i < Lanes; ++i) r.data()[i] = which >> i & 1U ? one.data()[i] : zero.data()[i];
    return r;
}

} // namespace sim
} // namespace aie

#define AIE_SIM_UNARY(name, Lanes, expression)                                                     \
    template <typename Type, unsigned Size, typename... Numbers>                                   \
    auto name##Lanes(const aie::vector<Type, Size> &x, const Numbers &...numbers) {                \
        adf::sim::counts::quiet whole;                                                             \
        const auto a = aie::sim::one_chosen<Lanes>(x, numbers...);                                 \
        const auto r = expression;                                                                 \
        whole.end();                                                                               \
        adf::sim::counts::worked(r, 1, false, x);                                                  \
        return r;                                                                                  \
    }
#define AIE_SIM_BINARY(name, Lanes, expression)                                                                          \
    template <typename Type, unsigned Size, typename... More>                                                            \
    auto name##Lanes(const aie::vector<Type, Size> &x, const More &...more) {                                            \
        adf::sim::counts::quiet whole;                                                                                   \
        const auto r = aie::sim::on_chosen<Lanes>([](const auto &a, const auto &b) { return expression; }, x, more...);  \
        whole.end();                                                                                                     \
        adf::sim::counts::worked(r, 1, false, x, more...);                                                               \
        return r;                                                                                                        \
    }
#define AIE_SIM_SELECT(prefix, Lanes)                                                                                    \
    template <typename Type, unsigned Size, typename... More>                                                            \
    auto prefix##select##Lanes(unsigned which, const aie::vector<Type, Size> &x, const More &...more) {                  \
        adf::sim::counts::quiet whole;                                                                                   \
        const auto r = aie::sim::on_chosen<Lanes>([which](const auto &a, const auto &b) { return aie::sim::merged(which, a, b); }, x, more...); \
        whole.end();                                                                                                     \
        adf::sim::counts::worked(r, 1, false, x, more...);                                                               \
        return r;                                                                                                        \
    }                                                                                                                    \
    AIE_SIM_UNARY(prefix##shuffle, Lanes, a)
// Forms with the bits of a comparison: whether the first operand is less, or for the smaller of
// both not less (as UG1583 names them: max_lt, min_ge, maxdiff_lt, sub_lt; UG1078 has only the
// prototypes).
#define AIE_SIM_COMPARED(name, Lanes, result, bits)                                                                      \
    template <typename Type, unsigned Size, typename... More>                                                            \
    auto name##cmp##Lanes(const aie::vector<Type, Size> &x, More &&...more) {                                            \
        return aie::sim::result_and_bits<Lanes>(                                                                         \
            [](const auto &a, const auto &b) { return aie::result(a, b); },                                              \
            [](const auto &a, const auto &b) { return unsigned(aie::bits(a, b).to_uint32()); },                          \
            std::make_index_sequence<sizeof...(More) - 1>(), x, more...);                                                \
    }
// Comparisons give bits, the lowest for lane 0.
#define AIE_SIM_ARITHMETIC(Lanes)                                    \
    AIE_SIM_SELECT(, Lanes)                                          \
    AIE_SIM_UNARY(abs, Lanes, aie::abs(a))                           \
    AIE_SIM_BINARY(add, Lanes, aie::add(a, b))                       \
    AIE_SIM_BINARY(sub, Lanes, aie::sub(a, b))                       \
    AIE_SIM_BINARY(max, Lanes, aie::max(a, b))                       \
    AIE_SIM_BINARY(min, Lanes, aie::min(a, b))                       \
    AIE_SIM_BINARY(maxdiff, Lanes, aie::maxdiff(a, b))               \
    AIE_SIM_BINARY(lt, Lanes, aie::lt(a, b).to_uint32())            \
    AIE_SIM_BINARY(le, Lanes, aie::le(a, b).to_uint32())            \
    AIE_SIM_BINARY(gt, Lanes, aie::gt(a, b).to_uint32())            \
    AIE_SIM_BINARY(ge, Lanes, aie::ge(a, b).to_uint32())            \
    AIE_SIM_BINARY(eq, Lanes, aie::eq(a, b).to_uint32())            \
    AIE_SIM_BINARY(ne, Lanes, aie::neq(a, b).to_uint32())           \
    AIE_SIM_BINARY(neq, Lanes, aie::neq(a, b).to_uint32())
#define AIE_SIM_COMPARISONS(Lanes)              \
    AIE_SIM_COMPARED(max, Lanes, max, lt)       \
    AIE_SIM_COMPARED(min, Lanes, min, ge)       \
    AIE_SIM_COMPARED(maxdiff, Lanes, maxdiff, lt) \
    AIE_SIM_COMPARED(sub, Lanes, sub, lt)
AIE_SIM_COMPARISONS(16)
AIE_SIM_COMPARISONS(32)
#undef AIE_SIM_COMPARISONS
#undef AIE_SIM_COMPARED
AIE_SIM_ARITHMETIC(8)
AIE_SIM_ARITHMETIC(16)
AIE_SIM_ARITHMETIC(32)
AIE_SIM_SELECT(fp, 8)
AIE_SIM_SELECT(fp, 16)
AIE_SIM_SELECT(, 4)
AIE_SIM_SELECT(fp, 4)
#undef AIE_SIM_ARITHMETIC
#undef AIE_SIM_SELECT
#undef AIE_SIM_BINARY
#undef AIE_SIM_UNARY
