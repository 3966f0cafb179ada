// reduce: every rank contributes an array; the root finds the element-wise combination of all of them in its own.
//
// In a tree, a rank combines what its children send with its own data, window by window, and passes the outcome on.
// The first `Before` children come before its own data, the others after it, each in the order of its port. The arrays
// of all ranks but the root stay as they are. Every rank must call reduce() equally often (thesis 4.4.2).
#pragma once

#include "member.h"
#include "windows.h"

namespace aiec {

// In: the children. Out: the parent; of the root, a window for the result, or none.
template <typename C, unsigned Ins, unsigned Outs, unsigned Before = 0, bool Root = false>
class reduce_tree : public member<C> {
    using T = typename C::element_type;
    using block = blocks<C>;

public:
    static constexpr bool is_root = Root;

    reduce_tree(unsigned rank, const ins<C, Ins> &in, const outs<C, Outs> &out) : member<C>(rank), in_(in), out_(out) {}

    template <typename Data>
    void reduce(Data &&data) {
        T *values = this->template memory<C::data_elements>(data);
        this->contributes(values, C::data_elements);
        up(values);
        if constexpr (Root) {
            this->results(values, C::data_elements);
        }
    }

    // From the children to the parent.
    void up(T *values) {
        for (unsigned chunk = 0; chunk < C::chunks_per_call; ++chunk) {
            T *from = values + chunk * C::window_elements;
            step<C, Before, block::whole>(in_, out_, memory_of(from), block::elements(chunk));
        }
    }

private:
    static auto memory_of(T *values) {
        if constexpr (Root) {
            return updates<cursor<T, true>>(cursor<T, true>(values));
        } else {
            return reads<cursor<const T, true>>(cursor<const T, true>(values));
        }
    }

    ins<C, Ins> in_;
    outs<C, Outs> out_;
};

} // namespace aiec
