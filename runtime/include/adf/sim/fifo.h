// The storage of one branch of a stream: ordered bytes with a bound and TLAST marks. Hardware
// counts words of 32 bits; elements narrower than a word are packed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "linked.h"
#include "list.h"

namespace adf {
namespace sim {

class fifo {
public:
    static constexpr std::size_t no_limit = ~std::size_t(0) / 2;

    std::size_t capacity = 64; // bytes
    std::size_t peak = 0;      // most bytes ever held

    std::size_t size() const { return held_; }
    std::size_t space() const { return held_ < capacity ? capacity - held_ : 0; }
    bool empty() const { return held_ == 0; }

    // Appends `n` bytes, which leave their source at `time`. The caller has checked for space.
    // `last` marks the word that ends here with TLAST.
    void push(const unsigned char *from, std::size_t n, bool last = false, std::uint64_t time = 0) {
        reserve(held_ + n);
        if (time > newest_) stamp(time);
        for (std::size_t done = 0; done < n;) {
            const std::size_t at = (first_ + held_) % ring_.size();
            const std::size_t piece = std::min(n - done, ring_.size() - at);
            std::memcpy(ring_.begin() + at, from + done, piece);
            done += piece;
            held_ += piece;
        }
        written_ += n;
        if (last) mark();
        if (held_ > peak) peak = held_;
    }

    // Removes `n` bytes. The caller has checked that they exist. Returns true when TLAST marks one
    // of them.
    bool pop(unsigned char *to, std::size_t n) {
        for (std::size_t done = 0; done < n;) {
            const std::size_t piece = std::min(n - done, ring_.size() - first_);
            std::memcpy(to + done, ring_.begin() + first_, piece);
            first_ = (first_ + piece) % ring_.size();
            done += piece;
        }
        held_ -= n;
        read_ += n;
        if (!times_.empty()) pass_times();
        return !marks_.empty() && pass_marks();
    }

    // The latest time at which a byte that was read has left its source.
    std::uint64_t came() const { return came_; }

    // Bytes up to the next TLAST mark, or all bytes without a mark.
    std::size_t until_mark() const {
        return marks_.empty() ? held_ : std::size_t(marks_.front() - read_);
    }
    bool mark_ahead() const { return !marks_.empty(); }

private:
    void reserve(std::size_t bytes) {
        if (bytes > ring_.size()) grow(bytes);
    }
    // Makes room for twice as many bytes.
    void grow(std::size_t bytes);
    // Notes that the last byte so far has TLAST.
    void mark();
    // Forgets the marks of bytes that were read. Returns true if there were any.
    bool pass_marks();
    // Notes the time of the bytes that follow.
    void stamp(std::uint64_t time);
    // Forgets the times of bytes that were read.
    void pass_times();

    list<unsigned char> ring_;
    std::size_t first_ = 0;
    std::size_t held_ = 0;
    std::uint64_t written_ = 0; // bytes, ever
    std::uint64_t read_ = 0;
    struct since {
        std::uint64_t byte, time;
    };
    ring<since> times_; // from which byte on there is a later time
    std::uint64_t newest_ = 0;
    std::uint64_t came_ = 0;
    ring<std::uint64_t> marks_; // where words with TLAST end, in bytes since the start
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "fifo.inl"
#endif
