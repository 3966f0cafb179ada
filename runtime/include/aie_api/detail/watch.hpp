// The buffer that an iterator goes over, so that an access outside of it, or after its lock was
// released, is reported instead of done. A simulation sets functions that know the ports; without
// one, nothing is watched.
#pragma once

#include "core.hpp"

namespace aie {
namespace sim {

// A buffer of a port, as iterators see it: they must stay inside, and must not outlive the lock.
struct watched_buffer {
    // Start of the accessible memory. Null while the port is not held.
    const unsigned char *first = nullptr;
    const unsigned char *last = nullptr;  // behind it
    // End of the bytes that iterators have accessed since then.
    mutable const unsigned char *reached = nullptr;
    std::uint64_t turn = 0;               // how often the port has been taken
    // True if reads must be checked for unwritten words.
    bool unwritten = false;
    bool filling = false;                 // the kernel writes it
};
// Called for a forbidden access: outside of the buffer, or (`stale`) after it was released.
using stray_function = void (*)(const watched_buffer &, const void *address, source_place, bool stale);
inline stray_function &stray_hook() {
    static stray_function hook = nullptr;
    return hook;
}
// Finds the buffer that an address lies in, if it is one of the running kernel's.
using find_function = const watched_buffer *(*)(const void *address);
inline find_function &find_hook() {
    static find_function hook = nullptr;
    return hook;
}

// An iterator's view of the buffer that it was made for.
class watch {
public:
    watch() = default;
    explicit watch(const watched_buffer *buffer) : buffer_(buffer), turn_(buffer ? buffer->turn : 0) {}

    // The watch of a port that has one, or of the buffer that contains an address.
    template <typename Port>
    static auto of(const Port &port, int) -> decltype(watch(&port.watched)) { return watch(&port.watched); }
    template <typename Port>
    static watch of(const Port &, long) { return watch(); }
    static watch at(const void *address) { return watch(find_hook() ? find_hook()(address) : nullptr); }

    // True if these bytes may be accessed. Records the access, and reports a forbidden one.
    // `surely` a read, or perhaps a write.
    bool admits(const void *address, std::size_t bytes, source_place place, bool surely) const {
        if (!buffer_) return true;
        const auto *byte = static_cast<const unsigned char *>(address);
        const bool stale = buffer_->turn != turn_ || !buffer_->first;
        if (stale || byte < buffer_->first || byte + bytes > buffer_->last) {
            stray_hook()(*buffer_, address, place, stale);
            return false;
        }
        if (byte + bytes > buffer_->reached) buffer_->reached = byte + bytes;
        if ((buffer_->unwritten || (buffer_->filling && surely)) && read_hook()) read_hook()(address, bytes, place, surely);
        return true;
    }

private:
    const watched_buffer *buffer_ = nullptr;
    std::uint64_t turn_ = 0;
};

} // namespace sim
} // namespace aie
