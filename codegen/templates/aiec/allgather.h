// allgather: every rank contributes a block and finds the blocks of all ranks in its array, in rank order.
#pragma once

#include "member.h"
#include "windows.h"

namespace aiec {

// Every block goes once round the ring. In: the rank before. Out: the next one.
template <typename C>
class allgather_ring : public member<C> {
    using T = typename C::element_type;
    using block = blocks<C>;
    using window = typename block::several;

public:
    allgather_ring(unsigned rank, const ins<C, 1> &in, const outs<C, 1> &out) : member<C>(rank), in_(in), out_(out) {}

    template <typename Data, typename All>
    void allgather(Data &&send, All &&receive) {
        const T *own = this->template constant<C::data_elements>(send);
        T *all = this->template memory<C::data_elements * C::rank_count>(receive);
        this->contributes(own, C::data_elements);
        for (unsigned chunk = 0; chunk < C::chunks_per_call; ++chunk) {
            const unsigned count = block::elements(chunk);
            window::copy(block::at(own, 0, chunk), block::at(all, this->rank(), chunk), count);
            for (unsigned s = 0; s + 1 < C::rank_count; ++s) {
                window::send(out_[0], block::at(all, this->before(s), chunk), count);
                window::receive(in_[0], block::at(all, this->before(s + 1), chunk), count);
            }
        }
        this->results(all, C::data_elements * C::rank_count);
    }

private:
    ins<C, 1> in_;
    outs<C, 1> out_;
};

// Over distances 1, 2, 4 and so on (Bruck): in round k a rank that has the blocks of 2^k ranks up to itself gets as
// many before them, the last time only those that are missing. In: the ranks 2^k before. Out: the ranks 2^k further.
template <typename C, unsigned Rounds>
class allgather_butterfly : public member<C> {
    using T = typename C::element_type;
    using block = blocks<C>;
    using window = typename block::several;

public:
    allgather_butterfly(unsigned rank, const ins<C, Rounds> &in, const outs<C, Rounds> &out)
        : member<C>(rank), in_(in), out_(out) {}

    template <typename Data, typename All>
    void allgather(Data &&send, All &&receive) {
        const T *own = this->template constant<C::data_elements>(send);
        T *all = this->template memory<C::data_elements * C::rank_count>(receive);
        this->contributes(own, C::data_elements);
        for (unsigned chunk = 0; chunk < C::chunks_per_call; ++chunk) {
            const unsigned count = block::elements(chunk);
            window::copy(block::at(own, 0, chunk), block::at(all, this->rank(), chunk), count);
            for (unsigned round = 0; round < Rounds; ++round) {
                exchange(all, round, chunk);
            }
        }
        this->results(all, C::data_elements * C::rank_count);
    }

private:
    void exchange(T *all, unsigned round, unsigned chunk) {
        const unsigned distance = 1U << round, missing = C::rank_count - distance;
        const unsigned count = block::elements(chunk);
        for (unsigned j = 0; j < distance && j < missing; ++j) {
            window::send(out_[round], block::at(all, this->before(j), chunk), count);
            window::receive(in_[round], block::at(all, this->before(distance + j), chunk), count);
        }
    }

    ins<C, Rounds> in_;
    outs<C, Rounds> out_;
};

} // namespace aiec
