// Common parts of windows and buffers: checked access to the memory of the block that a port holds.
//
// An access to a block that is not held is an error, and so is a misaligned vector access, and an
// access past the end. The access goes where hardware goes, since windows are circular (UG1079).
// Loops that read one vector ahead and do not use it survive, so lenient runs only warn. Moves
// there by window_incr or window_decr may be intended: a warning.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "../aie_api/detail/alignment.hpp"
#include "sim/kernel_node.h"
#include "types.h"

namespace adf {
namespace sim {

// Reports a vector access at a byte that its size does not allow.
ADF_SIM_RUN void complain_of_alignment(const block_view &v, std::uintptr_t byte, std::size_t needed, bool broken,
                                       std::size_t bytes);

// Vector accesses of 16 bytes and more need 16-byte alignment on AIE (UG1079, "Alignment"). Longer
// ones need 32 bytes on AIE-ML (UG1603, "Alignment"), which `aie::vector_decl_align` gives; AIE
// designs get a warning. Shorter ones need alignment to their size.
inline void check_alignment(const block_view &v, std::uintptr_t byte, std::size_t bytes) {
    const std::size_t anywhere = std::min(bytes, aie::sim::alignment_anywhere(bytes));
    if ((anywhere & (anywhere - 1)) != 0 || byte % anywhere == 0) return;
    const std::size_t here = std::min(bytes, aie::sim::alignment_here(bytes));
    const bool broken = byte % here != 0;
    complain_of_alignment(v, byte, broken ? here : anywhere, broken, bytes);
}

// Reports an access to elements outside the block, or inside only if the block is taken as
// circular.
ADF_SIM_RUN void complain_of_access(const block_view &v, std::int64_t first);

// True if the block is held and the access is inside. Otherwise reports it, also if moves went
// round the end.
inline bool access_is_inside(const block_view &v, std::int64_t first, std::int64_t n) {
    tick();
    const bool inside = v.data && first >= 0 && first + n <= v.count;
    if (!inside || v.rounds != 0) complain_of_access(v, first);
    if (inside && v.at->is_input()) v.touched = std::max(v.touched, first + n);
    return inside;
}

// Position of an element in a window, taken circularly.
inline std::size_t wrapped(std::int64_t at, std::int64_t count) { return std::size_t(((at % count) + count) % count); }

// Copies `n` elements starting at position `first`, circularly past the end. Gives zeros when the
// block is not held.
template <typename Type>
void fetch(const block_view &v, std::int64_t first, unsigned n, Type *to) {
    if (access_is_inside(v, first, n)) {
        if (pool::with_holes() > 0 && first >= v.margin) v.check_written(std::size_t(first - v.margin) * sizeof(Type),
                                                                         n * sizeof(Type));
        std::memcpy(static_cast<void *>(to), v.data + std::size_t(first) * sizeof(Type), n * sizeof(Type));
        return;
    }
    for (unsigned i = 0; i < n; ++i) {
        to[i] = Type{};
        if (!v.data) continue;
        std::memcpy(static_cast<void *>(to + i), v.data + wrapped(first + i, v.count) * sizeof(Type), sizeof(Type));
    }
}

// Copies `n` elements to position `first` and on, circularly past the end. Does nothing when the
// block is not held.
template <typename Type>
void put(const block_view &v, std::int64_t first, unsigned n, const Type *from) {
    if (access_is_inside(v, first, n)) {
        std::memcpy(v.data + std::size_t(first) * sizeof(Type), static_cast<const void *>(from), n * sizeof(Type));
        return;
    }
    if (!v.data) return;
    for (unsigned i = 0; i < n; ++i) {
        std::memcpy(v.data + wrapped(first + i, v.count) * sizeof(Type), static_cast<const void *>(from + i), sizeof(Type));
    }
}

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "block.inl"
#endif
