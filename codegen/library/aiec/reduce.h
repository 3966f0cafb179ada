// reduce: every rank contributes an array; the root finds the element-wise combination of all of
// them in its own.
//
// In a tree, a rank combines its children's data with its own, window by window, and passes the
// result on. The first `Before` children are combined before its own data, the others after it,
// each in the order of its port. The arrays of all ranks but the root stay unchanged. Ranks whose
// data is computed (computed.h) need no array. Every rank must call reduce() equally often.
#pragma once

#include "computed.h"
#include "member.h"
#include "windows.h"

namespace aiec {

// In: the children. Out: the parent; of the root, a window for the result, or none.
template <typename Collective, unsigned Ins, unsigned Outs, unsigned Before = 0, bool Root = false,
          typename Out = out_end<Collective>>
class reduce_tree : public member<Collective> {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;

public:
    static constexpr bool is_root = Root;

    reduce_tree(unsigned rank, const ins<Collective, Ins> &in, const list<Out, Outs> &out)
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

    // Own data is computed. The root finds the combination in `result`; the others do not use it.
    template <typename One, typename Several, typename Data>
    void reduce(const computed_data<One, Several> &own, [[maybe_unused]] Data &&result) {
        using from = computed_cursor<Element, computed_data<One, Several>>;
        this->contributes(from(own, 0), Collective::data_elements);
        if constexpr (Root) {
            Element *values = this->template memory<Collective::data_elements>(result);
            each_chunk([&](unsigned first) { return moves(from(own, first), values + first); });
            this->results(values, Collective::data_elements);
        } else {
            each_chunk([&](unsigned first) { return reads(from(own, first)); });
        }
    }

    // From the children to the parent.
    void up(Element *values) {
        each_chunk([&](unsigned first) {
            if constexpr (Root) {
                return updates(values + first);
            } else {
                return reads(static_cast<const Element *>(values + first));
            }
        });
    }

private:
    // `memory_at(first)` is the memory of a pass, starting at element `first`.
    template <typename MemoryAt>
    void each_chunk(MemoryAt memory_at) {
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            step<Collective, Before, block::whole>(in_, out_, memory_at(chunk * Collective::window_elements),
                                                   block::elements(chunk));
        }
    }

protected:
    ins<Collective, Ins> in_;
    list<Out, Outs> out_;
};

} // namespace aiec
