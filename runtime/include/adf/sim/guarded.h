// Memory for buffers with guard pages: each buffer lies at the end of its pages, and the next page
// is inaccessible. So the first access past the end, through any pointer, stops the program at that
// instruction. The handler can look up the buffer, report the kernel, and open the page to let the
// program continue. A buffer that its kernel has released is closed the same way while the kernel
// runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "journal.h"
#include "list.h"

namespace adf {
namespace sim {

class guarded_buffers {
public:
    static constexpr std::size_t fence = 64;     // bytes before each buffer that nobody may write
    static constexpr std::size_t alignment = 32; // of each buffer, as on the device
    static constexpr unsigned char mark = 0xd9;

    guarded_buffers(std::size_t bytes, unsigned count);
    ~guarded_buffers();
    guarded_buffers(const guarded_buffers &) = delete;
    guarded_buffers &operator=(const guarded_buffers &) = delete;

    unsigned char *at(unsigned i) const { return page_behind(i) - rounded(bytes_); }

    // Writes the marks beside a buffer.
    void mend(unsigned i) {
        std::memset(at(i) - fence, mark, fence);
        std::memset(at(i) + bytes_, mark, rounded(bytes_) - bytes_);
    }
    // True if the page behind the buffer was written. Impossible while the page is closed.
    bool trampled(unsigned i) const {
        return !closed_[i] && (!marked(at(i) - fence, fence) || !marked(at(i) + bytes_, rounded(bytes_) - bytes_));
    }

    // Closes a buffer and the memory beside it to all accesses until it is opened again.
    void close(unsigned i) { closed_[i] = ::mprotect(pages_of(i), open_, PROT_NONE) == 0; }
    void reopen(unsigned i) {
        if (closed_[i]) ::mprotect(pages_of(i), open_, PROT_READ | PROT_WRITE);
        closed_[i] = false;
    }
    // Is the address one of a closed buffer?
    bool is_closed(unsigned i, const void *address) const {
        const auto *byte = static_cast<const unsigned char *>(address);
        return closed_[i] && byte >= pages_of(i) && byte < pages_of(i) + open_;
    }

    // The buffer behind which an address lies, or null.
    unsigned char *buffer_before(const void *address) const {
        const auto *byte = static_cast<const unsigned char *>(address);
        for (unsigned i = 0; i < count_; ++i)
            if (byte >= page_behind(i) && byte < page_behind(i) + page_) return at(i);
        return nullptr;
    }
    // Permits accesses to the page behind a buffer. Reads there do not give zeros.
    void open(unsigned char *buffer, bool for_writing) const {
        unsigned char *page = buffer + rounded(bytes_);
        ::mprotect(page, page_, PROT_READ | PROT_WRITE);
        std::memset(page, mark, page_);
        if (!for_writing) ::mprotect(page, page_, PROT_READ);
    }

    // Makes the page of an address inaccessible again.
    static void close_page(void *address) {
        const std::uintptr_t size = std::uintptr_t(::sysconf(_SC_PAGESIZE));
        ::mprotect(reinterpret_cast<void *>(std::uintptr_t(address) / size * size), size, PROT_NONE);
    }

    std::size_t mapped() const { return count_ * (open_ + page_); }

private:
    static std::size_t rounded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }
    unsigned char *pages_of(unsigned i) const { return memory_ + i * (open_ + page_); }
    unsigned char *page_behind(unsigned i) const { return pages_of(i) + open_; }
    static bool marked(const unsigned char *at, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i)
            if (at[i] != mark) return false;
        return true;
    }

    std::size_t bytes_;
    unsigned count_;
    std::size_t page_ = 0;
    std::size_t open_ = 0; // bytes of the pages that hold one buffer
    unsigned char *memory_ = nullptr;
    list<bool> closed_; // of each buffer
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "guarded.inl"
#endif
