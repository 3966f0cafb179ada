// Shift, round, saturate: converts a wide integer to an element (UG1079, "Rounding and Saturation
// Modes").
#pragma once

#include "scalar.hpp"

namespace aie {
namespace sim {

// True if the quotient `down` (rounded towards minus infinity, with remainder `rest`, where `half`
// is half a unit) goes up by one.
template <typename Int, typename Unsigned>
bool rounds_up(rounding_mode mode, Int down, Unsigned rest, Unsigned half) {
    const bool negative = down < 0;
    const bool odd = (down & 1) != 0;
    switch (mode) {
    case rounding_mode::floor: return false;
    case rounding_mode::ceil: return rest > 0;
#if __AIE_ARCH__ != 10
    case rounding_mode::symmetric_floor: return negative && rest > 0;
    case rounding_mode::symmetric_ceil: return !negative && rest > 0;
#endif
    case rounding_mode::positive_inf: return rest >= half;
    case rounding_mode::negative_inf: return rest > half;
    case rounding_mode::symmetric_inf: return negative ? rest > half : rest >= half;
    case rounding_mode::symmetric_zero: return negative ? rest >= half : rest > half;
    case rounding_mode::conv_even: return rest > half || (rest == half && odd);
    case rounding_mode::conv_odd: return rest > half || (rest == half && !odd);
    }
    return false;
}

// The value shifted up by `by` bits (down when negative), wrapping in 128 bits.
inline int128 shifted_up(int128 value, int by) {
    if (by >= 128) return 0;
    return by >= 0 ? int128(uint128(value) << by) : value >> (by <= -127 ? 127 : -by);
}

// The value divided by two to the power `shift`, rounded by the mode. Negative shifts go up and
// need no rounding.
inline int128 rounded_shift(int128 value, int shift, rounding_mode mode) {
    if (shift <= 0) return shifted_up(value, -shift);
    if (shift > 126) shift = 126; // accumulators have at most 80 bits: nothing is left either way
    const int128 down = value >> shift;
    const uint128 rest = uint128(value) - (uint128(down) << shift);
    return down + (rounds_up(mode, down, rest, uint128(1) << (shift - 1)) ? 1 : 0);
}

// As above, for lanes of at most 64 bits and shifts that need no more: the common case.
inline std::int64_t rounded_shift(std::int64_t value, int shift, rounding_mode mode) {
    if (shift == 0) return value;
    const std::int64_t down = value >> shift;
    const std::uint64_t rest = std::uint64_t(value) - (std::uint64_t(down) << shift);
    return down + (rounds_up(mode, down, rest, std::uint64_t(1) << (shift - 1)) ? 1 : 0);
}

// The element that a lane becomes on the running core.
template <typename Part, typename Lane>
Part srs(Lane value, int shift) {
    const core &modes = *running_core();
    if constexpr (sizeof(Lane) <= 8) {
        if (shift >= 0 && shift <= 62) {
            const std::int64_t rounded = rounded_shift(std::int64_t(value), shift, modes.rounding);
            if ((unsigned(modes.saturation) & 1U) == 0 || in_range<Part>(rounded)) return Part(rounded);
            return narrowed<Part>(rounded, modes.saturation);
        }
    }
    return narrowed<Part>(rounded_shift(int128(value), shift, modes.rounding), modes.saturation);
}

} // namespace sim
} // namespace aie
