// Own data that is computed as a reduction takes it, so that a rank needs no array for it:
//
//     comm.total.reduce(aiec::computed([&](unsigned i) { return x[i] * y[i]; }), result);
//
// Functions are inlined into the loop over a window. They are called for every element once, in
// order, from element 0 on; if a simulation records data, once more before that. So they must
// change nothing, and depend only on the element's number. In particular they must not depend on
// the core's saturation mode, which may be switched off (prod, the cascade).
#pragma once

#include <type_traits>
#include <utility>

#include "element.h"
#include "memory.h"

namespace aiec {

struct no_vectors {};

// `One` gives an element, `Several` a vector of elements. Both are closures, not pointers to
// functions.
template <typename One, typename Several = no_vectors>
class computed_data {
public:
    static constexpr bool has_vectors = !std::is_same_v<Several, no_vectors>;

    computed_data(One one, Several several) : one_(std::move(one)), several_(std::move(several)) {}

    // Element `i`, or the vector of elements from `i` on, a multiple of its size.
    template <typename Value>
    Value at(unsigned i) const {
        if constexpr (!is_vector<Value>) {
            return one_(i);
        } else {
            return several_(i, std::integral_constant<unsigned, Value::size()>());
        }
    }

private:
    One one_;
    Several several_;
};

// Own data whose element `i` is `one(i)`. Loops go element by element.
template <typename One>
computed_data<One> computed(One one) {
    return computed_data<One>(std::move(one), {});
}
// `several(i, lanes)` gives elements i up to but not including i + lanes, as an aie::vector: for
// loops over vectors. `lanes` is a constant of 128 or 256 bits' worth of elements, and divides `i`.
// With arrays that begin at a multiple of 32 bytes, aie::load_v<lanes>(array + i) is aligned. Ends
// of blocks, and types or windows without vectors, use `one`.
template <typename One, typename Several>
computed_data<One, Several> computed(One one, Several several) {
    return computed_data<One, Several>(std::move(one), std::move(several));
}

// A place (memory.h) in computed data, starting at element `first`.
template <typename Element, typename Data>
class computed_cursor {
public:
    static constexpr bool has_vectors = Data::has_vectors && aiec::has_vectors<Element>;

    computed_cursor(const Data &data, unsigned first) : data_(&data), at_(first) {}

    // Vectors of 512 bits are put together from two.
    template <typename Value>
    Value load() const {
        if constexpr (elements_of<Value>() * sizeof(Element) > 32) {
            constexpr unsigned half = elements_of<Value>() / 2;
            using part = aie::vector<Element, half>;
            return aie::concat(data_->template at<part>(at_), data_->template at<part>(at_ + half));
        } else {
            return data_->template at<Value>(at_);
        }
    }
    computed_cursor &operator+=(unsigned elements) {
        at_ += elements;
        return *this;
    }
    // Element `i`, counted from the current position.
    Element operator[](unsigned i) const { return data_->template at<Element>(at_ + i); }

private:
    const Data *data_;
    unsigned at_;
};

} // namespace aiec
