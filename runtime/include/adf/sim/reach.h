// Heap memory of global objects: the vectors in them, the vectors in those, and so on. A vector is
// recognised without its type by its layout: three ascending addresses, of which the first and the
// last bound a block of the heap.
#pragma once

#include <cstdint>
#include <functional>

#include "linked.h"
#include "list.h"

namespace adf {
namespace sim {

// Bytes from `first` up to `end`.
struct memory_range {
    std::uintptr_t first, end;
    bool holds(std::uintptr_t at) const { return at >= first && at < end; }
};

// The pieces of memory that the program may write, as /proc/self/maps lists them.
ADF_SIM_RUN list<memory_range> writable_memory();

// A word of memory: its address and value, and, if a vector begins with it, the end of the vector's
// elements; otherwise 0.
struct found_word {
    std::uintptr_t at, value, end;
};

// Calls `visit` with every word of a range of readable memory, and with the words of the vectors in
// it, at most four deep. Ends when `visit` returns false.
ADF_SIM_RUN void each_word_within(memory_range of, const std::function<bool(const found_word &)> &visit);

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "reach.inl"
#endif
