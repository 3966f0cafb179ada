// The one or two buffers of a window or buffer port, and the locks that pass them between their two
// sides (thesis 2.2). One side fills buffers and releases them full, the other drains them and
// releases them empty. Between two kernels that share memory both ports use one pool; otherwise a
// DMA is the other side of each port's own pool.
//
// Buffers detect wrong accesses: a guard area before and after each one (`guarded.h`), and, while a
// kernel fills one, a pattern that shows which words it never wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "fifo.h"
#include "guarded.h"
#include "settings.h"

namespace adf {
namespace sim {

class pool {
public:
    // `margin` bytes in front of each buffer repeat the end of the one before it.
    pool(std::size_t bytes, std::size_t margin, unsigned depth);
    ~pool();

    std::size_t bytes() const { return bytes_; }
    std::size_t margin() const { return margin_; }
    unsigned depth() const { return depth_; }
    std::uint64_t full() const { return filled_ - drained_; }
    bool has_empty() const { return full() < depth_; }
    bool has_full() const { return full() > 0; }

    // The buffer to fill next / to drain next, its margin first.
    unsigned char *empty_buffer() { return buffer(filled_); }
    unsigned char *full_buffer() { return buffer(drained_); }

    // The buffer that was filled last / drained last, or the first.
    unsigned char *last_filled() { return buffer(filled_ - (filled_ > 0 ? 1 : 0)); }
    unsigned char *last_drained() { return buffer(drained_ - (drained_ > 0 ? 1 : 0)); }

    // Index of the buffer to fill next / to drain next.
    unsigned empty_index() const { return unsigned(filled_ % depth_); }
    unsigned full_index() const { return unsigned(drained_ % depth_); }

    // `time`: when the kernel or DMA releases the buffer.
    void release_full(std::uint64_t time) { filled_at_[filled_++ % depth_] = time; }
    void release_empty(std::uint64_t time) { drained_at_[drained_++ % depth_] = time; }

    // When the other side released the buffer to fill next / to drain next.
    std::uint64_t emptied_at() const { return drained_at_[filled_ % depth_]; }
    std::uint64_t filled_at() const { return filled_at_[drained_ % depth_]; }

    // Before a buffer with a margin is filled: the end of the one before it becomes its margin.
    void carry_margin() {
        if (margin_ == 0 || filled_ == 0) return;
        std::memmove(buffer(filled_), buffer(filled_ - 1) + bytes_, margin_);
    }

    // Fills the buffer with the pattern before a kernel fills it. Keeps a copy of its contents.
    void poison();

    // After a kernel has filled the buffer: the number of words it never wrote, and the byte of the
    // first one. These words get back the buffer's earlier contents, as in memory that is not
    // cleared. With `meant` none count as unwritten.
    struct gaps {
        std::size_t words = 0;
        std::size_t first = 0;
    };
    gaps heal(bool meant);

    // Number of buffers of the whole run with unwritten words. Most runs have none and skip the
    // check.
    static std::size_t &with_holes() {
        static std::size_t count = 0;
        return count;
    }
    // True if the drained buffer has an unwritten word among these bytes (margin excluded).
    bool drained_hole(std::size_t first, std::size_t bytes) const;
    // As above, for the buffer that is being filled: words that still hold the pattern.
    bool filled_hole(std::size_t first, std::size_t bytes);

    // True if memory next to one of the buffers was written. Repairs it, so that it is reported
    // once.
    bool trampled();

    std::size_t moved = 0; // bytes of the current buffer that a DMA has already moved

    const guarded_buffers &guarded() const { return memory_; }
    guarded_buffers &guarded() { return memory_; }

    // Bytes of host memory.
    std::size_t memory() const { return memory_.mapped(); }

private:
    list<std::size_t> &holes() { return holes_[filled_ % depth_]; }
    void forget_holes();
    // Memory is not empty when a design starts. The initial contents depend on the seed, so that
    // results that depend on them differ. The first seed gives zeros, like the vendor's simulator.
    void fill_with_garbage();

    // A value that differs for every seed, so that results that depend on unwritten words differ.
    std::uint32_t pattern(std::size_t byte) const { return 0x9e3779b9U * std::uint32_t(byte + 4) ^ salt_; }

    unsigned char *buffer(std::uint64_t n) { return memory_.at(unsigned(n % depth_)); }

    std::uint32_t salt_ = 0xa5c35a3cU ^ std::uint32_t(settings::get().seed * 0x9e3779b97f4a7c15ULL >> 32);
    std::size_t bytes_, margin_;
    unsigned depth_;
    guarded_buffers memory_;
    list<unsigned char> stale_;
    // Byte positions of unwritten words, for each buffer.
    list<list<std::size_t>> holes_;
    list<std::uint64_t> filled_at_, drained_at_;
    std::uint64_t filled_ = 0;
    std::uint64_t drained_ = 0;
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "pool.inl"
#endif
