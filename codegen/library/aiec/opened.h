// Ends of collectives of shape stream that a kernel moves step by step while it computes, as in the
// Streaming Message Interface. Each step takes or gives one element, or a vector of 128 bits or a
// multiple of that. An end closes itself after its last element.
#pragma once

#include "ends.h"
#include "member.h"

namespace aiec {

// An end that is open: elements until it closes itself.
class opened {
public:
    explicit opened(unsigned count) : left_(count) {}

    unsigned left() const { return left_; }

protected:
    template <typename Value>
    void step() { left_ -= elements_of<Value>(); }

private:
    unsigned left_;
};

// Tells simulators that `count` elements pass each of these streams.
template <typename Stream, unsigned Count>
void open_all([[maybe_unused]] const list<Stream *, Count> &streams, [[maybe_unused]] unsigned count) {
    for (unsigned i = 0; i != Count; ++i) {
        AIEC_ON_OPEN(streams[i], count);
    }
}

// The end of a kernel that is not in the group. It moves nothing; a step gives back what it got.
class idle_end : public opened {
public:
    using opened::opened;

    template <typename Value>
    Value next(const Value &mine) {
        step<Value>();
        return mine;
    }
    template <typename Value>
    void push(const Value &) { step<Value>(); }
};

// A kernel that is not in the group.
template <typename Collective>
class stream_outside : public outside<Collective> {
public:
    idle_end open(unsigned count = 0) const { return idle_end(count); }
};

} // namespace aiec
