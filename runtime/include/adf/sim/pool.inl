// The functions of `pool` that no access to a window needs.
#pragma once

#include <algorithm>
#include <cstring>

#include "pool.h"

namespace adf {
namespace sim {

ADF_SIM_RUN pool::pool(std::size_t bytes, std::size_t margin, unsigned depth)
    : bytes_(bytes), margin_(margin), depth_(depth), memory_(margin + bytes, depth) {
    filled_at_.grow_to(depth);
    drained_at_.grow_to(depth);
    stale_.grow_to(bytes);
    holes_.grow_to(depth);
    fill_with_garbage();
}

ADF_SIM_RUN pool::~pool() = default;

ADF_SIM_RUN void pool::poison() {
    if (!settings::get().checks) return;
    unsigned char *at = empty_buffer() + margin_;
    forget_holes();
    std::memcpy(stale_.begin(), at, bytes_);
    for (std::size_t i = 0; i + 4 <= bytes_; i += 4) {
        const std::uint32_t word = pattern(i);
        std::memcpy(at + i, &word, 4);
    }
}

ADF_SIM_RUN pool::gaps pool::heal(bool meant) {
    gaps found;
    if (!settings::get().checks) return found;
    unsigned char *at = empty_buffer() + margin_;
    for (std::size_t i = 0; i + 4 <= bytes_; i += 4) {
        const std::uint32_t word = pattern(i);
        if (std::memcmp(at + i, &word, 4) != 0) continue;
        std::memcpy(at + i, stale_.begin() + i, 4);
        if (meant) continue;
        if (found.words++ == 0) found.first = i;
        holes().push_back(i);
    }
    if (found.words > 0) ++with_holes();
    return found;
}

ADF_SIM_RUN bool pool::drained_hole(std::size_t first, std::size_t bytes) const {
    const auto &all = holes_[drained_ % depth_];
    const auto at = std::lower_bound(all.begin(), all.end(), first / 4 * 4);
    return at != all.end() && *at < first + bytes;
}

ADF_SIM_RUN bool pool::filled_hole(std::size_t first, std::size_t bytes) {
    const unsigned char *at = empty_buffer() + margin_;
    for (std::size_t i = (first + 3) / 4 * 4; i + 4 <= first + bytes && i + 4 <= bytes_; i += 4) {
        const std::uint32_t word = pattern(i);
        if (std::memcmp(at + i, &word, 4) == 0) return true;
    }
    return false;
}

ADF_SIM_RUN bool pool::trampled() {
    bool found = false;
    for (unsigned i = 0; i < depth_; ++i) {
        if (!memory_.trampled(i)) continue;
        memory_.mend(i);
        found = true;
    }
    return found;
}

ADF_SIM_RUN void pool::forget_holes() {
    if (holes().empty()) return;
    holes() = {};
    --with_holes();
}

ADF_SIM_RUN void pool::fill_with_garbage() {
    static std::uint64_t made = 0;
    if (settings::get().seed == 0) return;
    random_source garbage(settings::get().seed ^ ++made << 32);
    for (unsigned i = 0; i < depth_; ++i)
        for (std::size_t byte = 0; byte < bytes_; ++byte) buffer(i)[margin_ + byte] = static_cast<unsigned char>(garbage.next());
}

} // namespace sim
} // namespace adf
