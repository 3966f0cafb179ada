// gather, flat, with the blocks to the root merged into one stream of packets (`flat merge`). The
// root stores packets in the order of arrival, each behind the earlier data of its sender. Blocks
// may differ in size and have gaps, as in gather.h.
#pragma once

#include "gather.h"
#include "packets.h"

namespace aiec {

// A rank that is not the root. In: the root's signal. Out: the merge; `Once` is that of merge_port.
template <typename Collective, bool Once = false>
class gather_merge_leaf : public gather_tree<Collective, 0, 1, merge_port<Collective, Once>> {
    using leaf = gather_tree<Collective, 0, 1, merge_port<Collective, Once>>;

public:
    gather_merge_leaf(unsigned rank, const ins<Collective, 1> &in, const list<merge_port<Collective, Once>, 1> &out)
        : leaf(rank, {}, out, {}), in_(in) {}

    template <typename Data, typename All>
    void gather(Data &&send, All &&receive) {
        go<Collective>::receive(in_[0]);
        leaf::gather(send, receive);
    }

private:
    ins<Collective, 1> in_;
};

// The root. In: the packets of `Senders` ranks. Out: one port for all of them.
template <typename Collective, unsigned Senders>
class gather_merge : public member<Collective> {
    using Element = typename Collective::element_type;
    using array = root_array<Collective>;

public:
    static constexpr bool is_root = true;

    gather_merge(unsigned rank, input_pktstream *in, const outs<Collective, 1> &out)
        : member<Collective>(rank), packets_(in), out_(out) {}

    template <typename Data, typename All>
    void gather(Data &&send, All &&receive) {
        const Element *own = this->template constant<Collective::data_elements>(send);
        Element *all = this->template memory<array::elements, !array::runs>(receive);
        this->contributes(own, Collective::count(this->rank()));
        go<Collective>::send(out_[0]);
        array::store_own(own, all, this->rank());
        packets_.each(others(), [&](unsigned rank, unsigned chunk) { array::receive(packets_, all, rank, chunk); });
        this->results(all, array::elements);
    }

private:
    // Windows of all ranks but the root.
    static constexpr unsigned others() {
        unsigned windows = 0;
        for (unsigned rank = 0; rank < Collective::rank_count; ++rank) {
            windows += rank == Collective::root ? 0 : Collective::windows(rank);
        }
        return windows;
    }

    merged_packets<Collective, Senders> packets_;
    outs<Collective, 1> out_;
};

} // namespace aiec
