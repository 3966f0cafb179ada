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
template <typename Collective, unsigned Ins, unsigned Outs, unsigned Before = 0, bool Root = false>
class reduce_tree : public member<Collective> {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;

public:
    static constexpr bool is_root = Root;

    reduce_tree(unsigned rank, const ins<Collective, Ins> &in, const outs<Collective, Outs> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    template <typename Data>
    void reduce(Data &&data) {
        Element *values = this->template memory<Collective::data_elements>(data);
        this->contributes(values, Collective::data_elements);
        up(values);
        if constexpr (Root) {
            this->results(values, Collective::data_elements);
        }
    }

    // From the children to the parent.
    void up(Element *values) {
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            Element *from = values + chunk * Collective::window_elements;
            step<Collective, Before, block::whole>(in_, out_, memory_of(from), block::elements(chunk));
        }
    }

private:
    static auto memory_of(Element *values) {
        if constexpr (Root) {
            return updates<cursor<Element, true>>(cursor<Element, true>(values));
        } else {
            return reads<cursor<const Element, true>>(cursor<const Element, true>(values));
        }
    }

    ins<Collective, Ins> in_;
    outs<Collective, Outs> out_;
};

} // namespace aiec
