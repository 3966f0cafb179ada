// allreduce, flat, with the contributions to the root merged into one stream of packets (`flat
// merge`). The root combines packets in the order of arrival, so the operator's result must not
// depend on the order. The other ranks are allreduce_tree<Collective, 0, 1, 1, 0>: a rank sends for
// the next call only after it has the result of this one.
#pragma once

#include "allreduce.h"
#include "packets.h"

namespace aiec {

// The root. In: the packets of `Senders` ranks. Out: one port for all of them.
template <typename Collective, unsigned Senders>
class allreduce_merge : public member<Collective> {
    using Element = typename Collective::element_type;

public:
    allreduce_merge(unsigned rank, input_pktstream *in, const outs<Collective, 1> &out)
        : member<Collective>(rank), packets_(in), down_(rank, {}, out) {}

    template <typename Data>
    void allreduce(Data &&data) {
        Element *values = this->template memory<Collective::data_elements>(data);
        this->contributes(values, Collective::data_elements);
        packets_.combine(values);
        down_.down(values);
        this->results(values, Collective::data_elements);
    }

private:
    merged_packets<Collective, Senders> packets_;
    broadcast_tree<Collective, 0, 1> down_;
};

} // namespace aiec
