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

// An end at all links of a rank, each of which passes `count` elements.
template <typename Collective, unsigned Ins, unsigned Outs>
class linked_end : public opened {
public:
    linked_end(const ins<Collective, Ins> &in, const outs<Collective, Outs> &out, unsigned count)
        : opened(count), in_(in), out_(out) {
        for (unsigned i = 0; i != Ins; ++i) {
            opens<Collective>(in_[i], count);
        }
        for (unsigned i = 0; i != Outs; ++i) {
            opens<Collective>(out_[i], count);
        }
    }

protected:
    const ins<Collective, Ins> &in_;
    const outs<Collective, Outs> &out_;
};

// The end of a kernel that is not in the group. It moves nothing: a step gives back what it got, or
// zeros.
template <typename Collective>
class idle_end : public opened {
    using Element = typename Collective::element_type;

public:
    using opened::opened;

    unsigned rank() const { return Collective::rank_count; }

    Element next(Element mine) {
        step<Element>();
        return mine;
    }
    template <unsigned Lanes>
    aie::vector<Element, Lanes> next(const aie::vector<Element, Lanes> &mine) {
        step<aie::vector<Element, Lanes>>();
        return mine;
    }
    void push(Element) { step<Element>(); }
    template <unsigned Lanes>
    void push(const aie::vector<Element, Lanes> &) { step<aie::vector<Element, Lanes>>(); }
    Element pop() { return next(Element()); }
    template <unsigned Lanes>
    void pop(aie::vector<Element, Lanes> &values) { values = next(aie::zeros<Element, Lanes>()); }
};

// A kernel that is not in the group.
template <typename Collective>
class stream_outside : public outside<Collective> {
public:
    idle_end<Collective> open(unsigned count = Collective::data_elements) const { return idle_end<Collective>(count); }
};

} // namespace aiec
