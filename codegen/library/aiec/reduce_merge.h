// reduce, flat, with the contributions to the root merged into one stream of packets (`flat
// merge`). The root combines packets in the order of arrival, so the operator's result must not
// depend on the order.
#pragma once

#include "packets.h"
#include "reduce.h"

namespace aiec {

// A rank that is not the root. In: the root's signal. Out: the merge; `Once` is that of merge_port.
template <typename Collective, bool Once = false>
class reduce_merge_leaf : public reduce_tree<Collective, 0, 1, 0, false, merge_port<Collective, Once>> {
    using leaf = reduce_tree<Collective, 0, 1, 0, false, merge_port<Collective, Once>>;

public:
    reduce_merge_leaf(unsigned rank, const ins<Collective, 1> &in, const list<merge_port<Collective, Once>, 1> &out)
        : leaf(rank, {}, out), in_(in) {}

    template <typename Data>
    void reduce(Data &&data) {
        go<Collective>::receive(in_[0]);
        leaf::reduce(data);
    }
    template <typename One, typename Several, typename Data>
    void reduce(const computed_data<One, Several> &own, Data &&result) {
        go<Collective>::receive(in_[0]);
        leaf::reduce(own, result);
    }

private:
    ins<Collective, 1> in_;
};

// The root. In: the packets of `Senders` ranks. Out: one port for all of them, then a window for
// the result, or none.
template <typename Collective, unsigned Senders, unsigned Outs = 1>
class reduce_merge : public member<Collective> {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;

public:
    static constexpr bool is_root = true;

    reduce_merge(unsigned rank, input_pktstream *in, const outs<Collective, Outs> &out)
        : member<Collective>(rank), packets_(in), out_(out) {}

    template <typename Data>
    void reduce(Data &&data) {
        Element *values = this->template memory<Collective::data_elements>(data);
        this->contributes(values, Collective::data_elements);
        go<Collective>::send(out_[0]);
        combine(values);
    }
    // Own data is computed before the packets arrive.
    template <typename One, typename Several, typename Data>
    void reduce(const computed_data<One, Several> &own, Data &&result) {
        using from = computed_cursor<Element, computed_data<One, Several>>;
        Element *values = this->template memory<Collective::data_elements>(result);
        this->contributes(from(own, 0), Collective::data_elements);
        go<Collective>::send(out_[0]);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            const unsigned first = chunk * Collective::window_elements;
            step<Collective, 0, block::whole>(ins<Collective, 0>{}, outs<Collective, 0>{},
                                              moves(from(own, first), values + first), block::elements(chunk));
        }
        combine(values);
    }

private:
    // Combines the values with the packets, in their place.
    void combine(Element *values) {
        packets_.combine(values);
        if constexpr (Outs > 1) {
            for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
                block::single::send(out_[1], block::at(values, 0, chunk), block::elements(chunk));
            }
        }
        this->results(values, Collective::data_elements);
    }

    merged_packets<Collective, Senders> packets_;
    outs<Collective, Outs> out_;
};

} // namespace aiec
