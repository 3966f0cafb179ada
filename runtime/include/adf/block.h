// What windows and buffers have in common: checked access to the memory of the block a port holds.
//
// An access to a block that is not held, or a vector access that is not aligned, is an error, and so is one past the end.
// Reading there gives what hardware gives (windows go round in a circle): loops that read one vector ahead and do not use it
// survive, so that lenient runs only warn.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "../aie_api/detail/alignment.hpp"
#include "sim/kernel_node.h"
#include "types.h"

namespace adf {
namespace sim {

// Vector accesses of 16 bytes and more need 16-byte alignment on AIE (UG1079, "Alignment"). Longer ones need 32 bytes on
// AIE-ML (UG1603, "Alignment"), which is what `aie::vector_decl_align` gives; AIE designs are warned. Shorter ones need that
// of their size.
inline void check_alignment(const block_view &v, std::uintptr_t byte, std::size_t bytes) {
    const std::size_t anywhere = std::min(bytes, aie::sim::alignment_anywhere(bytes));
    if ((anywhere & (anywhere - 1)) != 0 || byte % anywhere == 0) return;
    const std::size_t here = std::min(bytes, aie::sim::alignment_here(bytes));
    const bool broken = byte % here != 0;
    kernel_node::misused(*v.at,
                         std::string(v.at->is_input() ? "read" : "write") + " of a vector of " + std::to_string(bytes) +
                             " bytes at byte " + std::to_string(byte) + ", which is not a multiple of " +
                             std::to_string(broken ? here : anywhere) +
                             (broken ? "; hardware ignores the low bits of the address"
                                     : " (aie::vector_decl_align); 16 are enough on AIE, not on AIE-ML"),
                         broken ? kernel_node::severity::error : kernel_node::severity::warning);
}

// Is the block held and the access inside? Complains when not.
inline bool access_is_inside(const block_view &v, std::int64_t first, std::int64_t n) {
    tick();
    const bool in = v.at->is_input();
    if (v.data && first >= 0 && first + n <= v.count) {
        if (in) v.touched = std::max(v.touched, first + n);
        return true;
    }
    const std::string access = in ? "read " : "write ";
    if (!v.data) {
        kernel_node::misused(*v.at, access + "before window_acquire");
    } else {
        kernel_node::misused(*v.at, access + (first < 0 ? "before the start of the window" : "past the end of the window"),
                             in ? kernel_node::severity::likely : kernel_node::severity::error);
    }
    return false;
}

inline std::int64_t wrapped(std::int64_t at, std::int64_t count) { return ((at % count) + count) % count; }

// Copies `n` elements from position `first` on; round in a circle past the end, zeros when the block is not held.
template <typename T>
void fetch(const block_view &v, std::int64_t first, unsigned n, T *to) {
    if (access_is_inside(v, first, n)) {
        if (pool::with_holes() > 0 && first >= v.margin) v.check_written(std::size_t(first - v.margin) * sizeof(T), n * sizeof(T));
        std::memcpy(static_cast<void *>(to), v.data + std::size_t(first) * sizeof(T), n * sizeof(T));
        return;
    }
    for (unsigned i = 0; i < n; ++i) {
        to[i] = T{};
        if (!v.data) continue;
        const std::int64_t at = wrapped(first + i, v.count);
        std::memcpy(static_cast<void *>(to + i), v.data + std::size_t(at) * sizeof(T), sizeof(T));
    }
}

// Copies `n` elements to position `first` on; nowhere when that is not inside.
template <typename T>
void put(const block_view &v, std::int64_t first, unsigned n, const T *from) {
    if (!access_is_inside(v, first, n)) return;
    std::memcpy(v.data + std::size_t(first) * sizeof(T), static_cast<const void *>(from), n * sizeof(T));
}

} // namespace sim
} // namespace adf
