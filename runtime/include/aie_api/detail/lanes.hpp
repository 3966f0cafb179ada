// The one definition of how intrinsics choose lanes of registers (UG1078, "Full Lane Addressing
// Scheme", "Reduced Lane Addressing Scheme"; UG1079, "MAC Intrinsics", "MAC on 8x8 bits", "MAC on
// 16x16 bits", "Options"), and the multiplication behind all of them.
//
// A multiplication has lanes and columns; each lane sums the products of its columns. The element
// of a register that a lane and column take follows from a start, an offset of four bits for each
// lane, and a step for each column, counted modulo the register's size:
//
// - 32 bits and more, factors of 16 bits, and data of 16 bits with factors of 32 bits and more
//   (whose prototypes have no square): start + offset[lane] + column * step
// - data of 16 bits with factors of 16 and 8: two lanes share two offsets, which count words of 32
//   bits: the first from the start, the second from the word behind that. They select four
//   elements, of which `square` names one for each of two lanes and two columns. The step is for
//   two columns.
// - data of 8 bits: as before, for four lanes; of the eight elements each two lanes get half of
//   either word.
// - factors of 8 bits: two offsets, both from the start, count 16 bits and select four elements for
//   two lanes and two columns; for data of 8 bits the next two lanes get the same four. The step is
//   for two columns.
#pragma once

#include "multiply.hpp"

namespace aie {
namespace sim {

// The choice of elements of a register.
struct picked {
    int start = 0;
    std::uint64_t offsets = 0; // four bits for each lane
    int step = 0;
    unsigned square = 0x3210; // four bits for each of two lanes' two columns
    int offset(unsigned lane) const { return int(offsets >> (4 * lane) & 15U); }
    // Index among four elements.
    unsigned choice(unsigned lane, unsigned column) const { return square >> (4 * ((lane % 2) * 2 + column % 2)) & 3U; }
};
constexpr std::uint64_t both(unsigned low, unsigned high) { return std::uint64_t(high) << 32 | low; }

// Data whose offsets count words.
template <typename Data, typename Factor>
constexpr bool packed_v = sizeof(Data) < 4 && sizeof(Factor) < 4;

template <typename Type, typename Factor = Type>
int data_index(const picked &p, unsigned lane, unsigned column) {
    if constexpr (!packed_v<Type, Factor>) return p.start + p.offset(lane) + int(column) * p.step;
    else {
        // Lanes that share two words, and elements of a word.
        constexpr unsigned together = 4 / sizeof(Type);
        const unsigned first = lane / together * 2, choice = p.choice(lane, column);
        const int word = choice < 2 ? p.offset(first) : p.offset(first) + p.offset(first + 1) + 1;
        const int half = int(lane % together / 2) * 2; // of 8 bits: which two of the word's four
        return p.start + int(together) * word + half + int(choice & 1U) + int(column / 2) * p.step;
    }
}
template <typename Factor, typename Data>
int factor_index(const picked &p, unsigned lane, unsigned column) {
    if constexpr (sizeof(Factor) > 1) return p.start + p.offset(lane) + int(column) * p.step;
    else {
        const unsigned first = lane / (sizeof(Data) == 1 ? 4 : 2) * 2, choice = p.choice(lane, column);
        return p.start + 2 * p.offset(first + choice / 2) + int(choice & 1U) + int(column / 2) * p.step;
    }
}

template <typename Type, unsigned Lanes>
const Type &element_at(const vector<Type, Lanes> &v, int index) {
    return v.data()[unsigned(index) % Lanes]; // a power of two
}

static_assert(products_per_cycle<int16, int16>() == 32 && products_per_cycle<int32, int32>() == 8, "UG1079, table of MACs");
static_assert(products_per_cycle<cint16, cint16>() == 8 && products_per_cycle<cint16, int16>() == 16, "the same");
static_assert(products_per_cycle<cint32, cint16>() == 4 && products_per_cycle<cint32, cint32>() == 2, "the same");
static_assert(products_per_cycle<int8, int8>() == 128 && products_per_cycle<int16, int8>() == 64, "the same");

template <unsigned Lanes, typename Data, typename Factor>
constexpr unsigned columns_of() {
    constexpr unsigned columns = products_per_cycle<Data, Factor>() / Lanes;
    return columns == 0 ? 1 : columns;
}

// The operation on the first view of data, or on it and a second one, before the multiplication.
enum class pre { none, add, sub, abs, max, min, maxdiff };
// The special treatment of the last column: none; the center tap, of the first view alone; or none,
// and as many further lanes hold the second view in a column, shifted up ("unit center tap").
enum class center { none, tap, unit };

struct form {
    pre how;
    center tap;
    bool conj_x, conj_z; // of data and of factors
    bool conj_second;    // factors of the second view are conjugates: z * x + conj(z) * y
};
// A form as a number, for templates of C++17: how, tap and the three flags in hexadecimal digits.
constexpr form form_of(unsigned code) {
    return {pre(code >> 8), center(code >> 4 & 15U), (code & 1U) != 0, (code & 2U) != 0, (code & 4U) != 0};
}
constexpr bool two_views(pre how) { return how != pre::none && how != pre::abs; }

template <pre How, typename Exact>
Exact prepared(const Exact &x, [[maybe_unused]] const Exact &y) {
    if constexpr (How == pre::add) return wrap::add(x, y);
    else if constexpr (How == pre::sub) return wrap::sub(x, y);
    else if constexpr (How == pre::abs) return x < 0 ? -x : x;
    else if constexpr (How == pre::max) return x < y ? y : x;
    else if constexpr (How == pre::min) return y < x ? y : x;
    else if constexpr (How == pre::maxdiff) return x < y ? Exact(0) : x - y;
    else return x;
}

// All arguments of a multiplication.
struct selection {
    picked x, y, z;
    bool conj_x = false, conj_z = false;
    int tap = 0;      // of the center, from the start of the first view
    unsigned column = 0; // of the unit center tap
    int shift = 0;
};

template <typename Type>
exact_t<Type> exactly(const Type &value, bool conjugate) {
    const auto x = converted<exact_t<Type>>(value);
    return conjugate ? wrap::conj(x) : x;
}

template <pre How, bool ConjSecond, bool Tap, typename Tag, unsigned Lanes, typename Data, unsigned DataLanes, typename Factor, unsigned FactorLanes>
typename lanes_of<Tag>::lane lane_product(unsigned lane, const selection &s, const vector<Data, DataLanes> &x,
                                          const vector<Data, DataLanes> &y, const vector<Factor, FactorLanes> &z) {
    constexpr unsigned columns = columns_of<Lanes, Data, Factor>();
    summing<Tag> sum;
    for (unsigned column = 0; column < columns; ++column) {
        const Factor &coefficient = element_at(z, factor_index<Factor, Data>(s.z, lane, column));
        const auto factor = exactly(coefficient, s.conj_z);
        if (Tap && column + 1 == columns) {
            sum.take(exactly(element_at(x, s.x.start + s.tap + s.x.offset(lane)), s.conj_x), factor);
            continue;
        }
        const auto data = exactly(element_at(x, data_index<Data, Factor>(s.x, lane, column)), s.conj_x);
        if constexpr (!two_views(How)) sum.take(prepared<How>(data, data), factor);
        else {
            const auto other = exactly(element_at(y, data_index<Data, Factor>(s.y, lane, column)), s.conj_x);
            if constexpr (!ConjSecond) sum.take(prepared<How>(data, other), factor);
            else {
                sum.take(data, factor);
                sum.take(How == pre::sub ? wrap::neg(other) : other, exactly(coefficient, !s.conj_z));
            }
        }
    }
    return sum.total();
}

} // namespace sim
} // namespace aie
