// allgather over a merge (`flat merge`): blocks reach rank 0 as one stream of packets, and rank 0
// multicasts them to all ranks. A rank sends for the next call only after it has all blocks of this
// one.
#pragma once

#include "member.h"
#include "packets.h"

namespace aiec {

// A rank that is not the root. In: the root's blocks. Out: the merge.
template <typename Collective>
class allgather_merge_leaf : public member<Collective> {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;

public:
    allgather_merge_leaf(unsigned rank, const ins<Collective, 1> &in, const outs<Collective, 1> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    template <typename Data, typename All>
    void allgather(Data &&send, All &&receive) {
        const Element *own = this->template constant<Collective::data_elements>(send);
        Element *all = this->template memory<Collective::data_elements * Collective::rank_count>(receive);
        this->contributes(own, Collective::data_elements);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            block::single::send(out_[0], block::at(own, 0, chunk), block::elements(chunk));
        }
        for (unsigned rank = 0; rank < Collective::rank_count; ++rank) {
            for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
                block::several::receive(in_[0], block::at(all, rank, chunk), block::elements(chunk));
            }
        }
        this->results(all, Collective::data_elements * Collective::rank_count);
    }

private:
    ins<Collective, 1> in_;
    outs<Collective, 1> out_;
};

// The root. In: the packets of `Senders` ranks. Out: one port for all of them.
template <typename Collective, unsigned Senders>
class allgather_merge : public member<Collective> {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;
    using window = typename block::several;

public:
    allgather_merge(unsigned rank, input_pktstream *in, const outs<Collective, 1> &out)
        : member<Collective>(rank), packets_(in), out_(out) {}

    template <typename Data, typename All>
    void allgather(Data &&send, All &&receive) {
        const Element *own = this->template constant<Collective::data_elements>(send);
        Element *all = this->template memory<Collective::data_elements * Collective::rank_count>(receive);
        this->contributes(own, Collective::data_elements);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            window::copy(block::at(own, 0, chunk), block::at(all, this->rank(), chunk), block::elements(chunk));
        }
        packets_.each(Senders * Collective::chunks_per_call, [&](unsigned rank, unsigned chunk) {
            packets_.template take<block::whole>(stores<block::aligned>(block::at(all, rank, chunk)),
                                                 block::elements(chunk));
        });
        for (unsigned rank = 0; rank < Collective::rank_count; ++rank) {
            for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
                window::send(out_[0], block::at(all, rank, chunk), block::elements(chunk));
            }
        }
        this->results(all, Collective::data_elements * Collective::rank_count);
    }

private:
    merged_packets<Collective, Senders> packets_;
    outs<Collective, 1> out_;
};

} // namespace aiec
