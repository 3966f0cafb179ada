// Lookup tables (UG1529, "Lookup Tables"; UG1603, "Lookup Tables and Linear Approximation"): direct
// lookup and linear approximation. A table for parallel access holds its values twice, alternating
// every 128 bits; the first copy is read here.
#pragma once

#include "arithmetic.hpp"

namespace aie {

// Result for an index beyond the table: the value at that end, or that of the index's low bits.
enum class lut_oor_policy { saturate, truncate };

template <unsigned ParallelAccesses, typename OffsetType, typename SlopeType = OffsetType>
class lut {
public:
    using offset_type = OffsetType;
    using slope_type = SlopeType;
    static constexpr unsigned parallel_accesses = ParallelAccesses;

    lut(unsigned elements, const void *ab) : elements_(elements), ab_(static_cast<const unsigned char *>(ab)) {}
    lut(unsigned elements, const void *ab, const void * /*cd, the copy in another bank*/) : lut(elements, ab) {}

    unsigned elements() const { return elements_; }
    // Entry `i` of entries of this many bytes.
    template <typename Type>
    Type entry(unsigned i, unsigned entry_bytes, unsigned member_offset = 0) const {
        const unsigned copies = ParallelAccesses > 1 ? 2 : 1;
        const unsigned turn = 16 / entry_bytes;
        const unsigned place = copies == 1 ? i * entry_bytes : i / turn * 32 + i % turn * entry_bytes;
        Type value;
        std::memcpy(static_cast<void *>(&value), ab_ + place + member_offset, sizeof value);
        return value;
    }

private:
    unsigned elements_;
    const unsigned char *ab_;
};

namespace sim {

inline unsigned table_index(std::int64_t index, unsigned elements, lut_oor_policy policy) {
    if (policy == lut_oor_policy::truncate) return unsigned(std::uint64_t(index) & (elements - 1));
    return index < 0 ? 0U : index >= std::int64_t(elements) ? elements - 1 : unsigned(index);
}

} // namespace sim

template <typename Type, typename MyLUT, lut_oor_policy Policy = lut_oor_policy::saturate>
class parallel_lookup {
public:
    explicit parallel_lookup(const MyLUT &table, unsigned step_bits = 0, int bias = 0)
        : table_(table), step_bits_(step_bits), bias_(bias) {}

    // The entries numbered floor(input / 2^step_bits) + bias.
    template <unsigned Lanes>
    vector<typename MyLUT::offset_type, Lanes> fetch(const vector<Type, Lanes> &input) const {
        using offset = typename MyLUT::offset_type;
        vector<offset, Lanes> v;
        for (unsigned i = 0; i < Lanes; ++i) {
            const std::int64_t index = (std::int64_t(input[i]) >> step_bits_) + bias_;
            v[i] = table_.template entry<offset>(sim::table_index(index, table_.elements(), Policy), sizeof(offset));
        }
        return v;
    }

private:
    const MyLUT &table_;
    unsigned step_bits_;
    int bias_;
};

template <typename Type, typename MyLUT>
class linear_approx {
    static_assert(std::is_integral<Type>::value, "only integer inputs are modelled");

public:
    using tag = std::conditional_t<(sizeof(Type) == 1), acc32, acc64>;

    linear_approx(const MyLUT &table, unsigned step_bits, int bias = 0, int shift_offset = 0)
        : table_(table), step_bits_(step_bits), bias_(bias), shift_offset_(shift_offset) {}

    // slope * (input mod 2^step_bits) + (offset << shift_offset), the pair numbered floor(input /
    // 2^step_bits) + bias.
    template <unsigned Lanes>
    accum<tag, Lanes> compute(const vector<Type, Lanes> &input) const {
        using slope = typename MyLUT::slope_type;
        using offset = typename MyLUT::offset_type;
        accum<tag, Lanes> acc;
        for (unsigned i = 0; i < Lanes; ++i) {
            const std::int64_t x = input[i];
            const unsigned at = sim::table_index((x >> step_bits_) + bias_, table_.elements(), lut_oor_policy::saturate);
            const unsigned bytes = sizeof(slope) + sizeof(offset);
            const std::int64_t rest = x - ((x >> step_bits_) * (std::int64_t(1) << step_bits_));
            const auto m = std::int64_t(table_.template entry<slope>(at, bytes));
            const auto b = table_.template entry<offset>(at, bytes, sizeof(slope));
            acc.lane_at(i) = sim::lanes_of<tag>::add(sim::lanes_of<tag>::shifted_up(m * rest, 0),
                                                     sim::lanes_of<tag>::shifted_up(b, shift_offset_));
        }
        return acc;
    }

private:
    const MyLUT &table_;
    unsigned step_bits_;
    int bias_;
    int shift_offset_;
};

} // namespace aie
