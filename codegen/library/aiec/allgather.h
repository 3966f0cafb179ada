// allgather: every rank contributes a block and finds the blocks of all ranks in its array, in rank
// order.
#pragma once

#include "member.h"
#include "windows.h"

namespace aiec {

// Every block goes once round the ring. In: the rank before. Out: the next one.
template <typename Collective>
class allgather_ring : public member<Collective> {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;
    using window = typename block::several;

public:
    allgather_ring(unsigned rank, const ins<Collective, 1> &in, const outs<Collective, 1> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    template <typename Data, typename All>
    void allgather(Data &&send, All &&receive) {
        const Element *own = this->template constant<Collective::data_elements>(send);
        Element *all = this->template memory<Collective::data_elements * Collective::rank_count>(receive);
        this->contributes(own, Collective::data_elements);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            const unsigned count = block::elements(chunk);
            window::copy(block::at(own, 0, chunk), block::at(all, this->rank(), chunk), count);
            for (unsigned s = 0; s + 1 < Collective::rank_count; ++s) {
                window::send(out_[0], block::at(all, this->before(s), chunk), count);
                window::receive(in_[0], block::at(all, this->before(s + 1), chunk), count);
            }
        }
        this->results(all, Collective::data_elements * Collective::rank_count);
    }

private:
    ins<Collective, 1> in_;
    outs<Collective, 1> out_;
};

// Over distances 1, 2, 4 and so on (Bruck). In round k a rank has the blocks of 2^k ranks up to
// itself and receives the same number of blocks before them; in the last round only the missing
// ones. In: the ranks 2^k before. Out: the ranks 2^k further.
template <typename Collective, unsigned Rounds>
class allgather_butterfly : public member<Collective> {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;
    using window = typename block::several;

public:
    allgather_butterfly(unsigned rank, const ins<Collective, Rounds> &in, const outs<Collective, Rounds> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    template <typename Data, typename All>
    void allgather(Data &&send, All &&receive) {
        const Element *own = this->template constant<Collective::data_elements>(send);
        Element *all = this->template memory<Collective::data_elements * Collective::rank_count>(receive);
        this->contributes(own, Collective::data_elements);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            const unsigned count = block::elements(chunk);
            window::copy(block::at(own, 0, chunk), block::at(all, this->rank(), chunk), count);
            for (unsigned round = 0; round < Rounds; ++round) {
                exchange(all, round, chunk);
            }
        }
        this->results(all, Collective::data_elements * Collective::rank_count);
    }

private:
    void exchange(Element *all, unsigned round, unsigned chunk) {
        const unsigned distance = 1U << round, missing = Collective::rank_count - distance;
        const unsigned count = block::elements(chunk);
        for (unsigned j = 0; j < distance && j < missing; ++j) {
            window::send(out_[round], block::at(all, this->before(j), chunk), count);
            window::receive(in_[round], block::at(all, this->before(distance + j), chunk), count);
        }
    }

    ins<Collective, Rounds> in_;
    outs<Collective, Rounds> out_;
};

} // namespace aiec
