// How objects on the heap are found.
#pragma once

#include <set>

#include "mapped.inl"
#include "reach.h"

namespace adf {
namespace sim {

// Words that are looked at for one object; more than any graph has.
inline constexpr std::size_t most_words = std::size_t(1) << 24;

// Under AddressSanitizer: is this the start of a piece of the heap, and of how many bytes?
extern "C" int __sanitizer_get_ownership(const volatile void *) __attribute__((weak));
extern "C" std::size_t __sanitizer_get_allocated_size(const volatile void *) __attribute__((weak));

struct word_walk {
    const std::function<bool(const found_word &)> &visit;
    list<memory_range> memory = writable_memory();
    std::set<std::uintptr_t> seen = {};
    std::size_t left = most_words;

    // Memory between variables, and that of the heap, is not the sanitizer's to guard here.
    __attribute__((no_sanitize("address"))) static std::uintptr_t word_at(std::uintptr_t at) {
        return *reinterpret_cast<const volatile std::uintptr_t *>(at);
    }

    bool in_one_piece(std::uintptr_t first, std::uintptr_t end) const {
        for (const memory_range &piece : memory)
            if (piece.holds(first)) return end <= piece.end;
        return false;
    }

    // Does the heap have a piece from `first` to about `end`? glibc keeps the size of a piece, and
    // flags, in the word before it, rounds it up to 16 bytes and that of a large one (flag 2) to
    // pages.
    static bool is_piece_of_heap(std::uintptr_t first, std::uintptr_t end) {
        const std::size_t bytes = end - first;
        if (__sanitizer_get_ownership) {
            const auto *start = reinterpret_cast<const void *>(first);
            return __sanitizer_get_ownership(start) != 0 && __sanitizer_get_allocated_size(start) == bytes;
        }
        const std::uintptr_t size = word_at(first - 8), usable = (size & ~std::uintptr_t(15)) - 8;
        return usable >= bytes && usable - bytes < ((size & 2) != 0 ? 4096 + 32 : 32);
    }

    // The end of the vector whose three addresses begin at `at`, below `end`; 0 if there is none.
    std::uintptr_t end_of_vector(std::uintptr_t at, std::uintptr_t end) const {
        if (at + 24 > end) return 0;
        const std::uintptr_t first = word_at(at), last = word_at(at + 8), room = word_at(at + 16);
        const bool in_order = first != 0 && first < last && last <= room;
        const bool is_vector = in_order && first % 16 == 0 && last % 8 == 0 && in_one_piece(first - 8, room);
        return is_vector && is_piece_of_heap(first, room) ? last : 0;
    }

    // False when the walk is over.
    bool walk(memory_range of, unsigned deeper) {
        for (std::uintptr_t at = (of.first + 7) / 8 * 8; at + 8 <= of.end; at += 8) {
            const found_word word{at, word_at(at), end_of_vector(at, of.end)};
            if (left-- == 0 || !visit(word)) return false;
            const bool enter = word.end != 0 && deeper > 0 && seen.insert(word.value).second;
            if (enter && !walk({word.value, word.end}, deeper - 1)) return false;
        }
        return true;
    }
};

ADF_SIM_RUN void each_word_within(memory_range of, const std::function<bool(const found_word &)> &visit) {
    word_walk{visit}.walk(of, 4);
}

} // namespace sim
} // namespace adf
