// reduce_scatter: every rank contributes one block for each rank, and finds the element-wise
// combination of all blocks for itself. The call may overwrite the array of contributions.
#pragma once

#include "member.h"
#include "windows.h"

namespace aiec {

// The combination of the blocks for rank r starts at rank r + 1 and goes round the ring to rank r.
// Operators must be commutative. In: the rank before. Out: the next one.
template <typename Collective>
class reduce_scatter_ring : public member<Collective> {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;
    using window = typename block::several;

public:
    reduce_scatter_ring(unsigned rank, const ins<Collective, 1> &in, const outs<Collective, 1> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    template <typename All, typename Data>
    void reduce_scatter(All &&send, Data &&receive) {
        const Element *all = this->template memory<Collective::data_elements * Collective::rank_count>(send);
        Element *own = this->template memory<Collective::data_elements>(receive);
        this->contributes(all, Collective::data_elements * Collective::rank_count);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            Element *result = own + chunk * Collective::window_elements;
            const unsigned count = block::elements(chunk);
            window::send(out_[0], block::at(all, this->before(1), chunk), count);
            for (unsigned s = 2; s < Collective::rank_count; ++s) {
                window::combine_to(in_[0], block::at(all, this->before(s), chunk), result, count);
                window::send(out_[0], result, count);
            }
            window::combine_to(in_[0], block::at(all, this->rank(), chunk), result, count);
        }
        this->results(own, Collective::data_elements);
    }

private:
    ins<Collective, 1> in_;
    outs<Collective, 1> out_;
};

// Recursive halving over 2^Rounds ranks. In round k partners at distance 2^k divide their remaining
// blocks by bit k of the target rank. Each sends the blocks of the other half and combines its own.
// Contributions are combined in rank order. In and out: the partners.
template <typename Collective, unsigned Rounds>
class reduce_scatter_halving : public member<Collective> {
    static_assert(Collective::rank_count == 1U << Rounds, "only powers of two can be halved");
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;
    using window = typename block::several;

public:
    reduce_scatter_halving(unsigned rank, const ins<Collective, Rounds> &in, const outs<Collective, Rounds> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    template <typename All, typename Data>
    void reduce_scatter(All &&send, Data &&receive) {
        Element *all = this->template memory<Collective::data_elements * Collective::rank_count>(send);
        Element *own = this->template memory<Collective::data_elements>(receive);
        this->contributes(all, Collective::data_elements * Collective::rank_count);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            for (unsigned round = 0; round < Rounds; ++round) {
                halve(all, round, chunk);
            }
            window::copy(block::at(all, this->rank(), chunk), block::at(own, 0, chunk), block::elements(chunk));
        }
        this->results(own, Collective::data_elements);
    }

private:
    void halve(Element *all, unsigned round, unsigned chunk) {
        const unsigned distance = 1U << round;
        const bool lower = (this->rank() & distance) != 0; // does the partner have lower ranks?
        const unsigned count = block::elements(chunk);
        // Blocks for ranks that are like this one in the bits up to `round`.
        for (unsigned b = this->rank() % (2 * distance); b < Collective::rank_count; b += 2 * distance) {
            window::send(out_[round], block::at(all, b ^ distance, chunk), count);
            window::combine(in_[round], lower, block::at(all, b, chunk), count);
        }
    }

    ins<Collective, Rounds> in_;
    outs<Collective, Rounds> out_;
};

} // namespace aiec
