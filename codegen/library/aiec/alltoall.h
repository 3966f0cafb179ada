// alltoall: every rank sends one block to each rank: block b of rank r ends as block r of rank b.
//
// The rank's own block is copied. Where blocks travel over several ranks, slot d of a rank is block
// `rank - d` of its array of results. The slot holds a block on its way that still has to go d
// ranks further in all. In the end it holds the block that came from the rank d before.
#pragma once

#include "member.h"
#include "windows.h"

namespace aiec {

// Over links between all pairs. In: the ranks 1, 2 and so on before. Out: the ranks 1, 2 and so on
// further.
template <typename Collective>
class alltoall_flat : public member<Collective> {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;
    using window = typename block::several;
    static constexpr unsigned others = Collective::rank_count - 1;

public:
    alltoall_flat(unsigned rank, const ins<Collective, others> &in, const outs<Collective, others> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    template <typename All, typename Found>
    void alltoall(All &&send, Found &&receive) {
        const Element *mine = this->template constant<Collective::data_elements * Collective::rank_count>(send);
        Element *found = this->template memory<Collective::data_elements * Collective::rank_count>(receive);
        this->contributes(mine, Collective::data_elements * Collective::rank_count);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            const unsigned count = block::elements(chunk);
            window::copy(block::at(mine, this->rank(), chunk), block::at(found, this->rank(), chunk), count);
            for (unsigned d = 1; d < Collective::rank_count; ++d) {
                window::send(out_[d - 1], block::at(mine, this->after(d), chunk), count);
                window::receive(in_[d - 1], block::at(found, this->before(d), chunk), count);
            }
        }
        this->results(found, Collective::data_elements * Collective::rank_count);
    }

private:
    ins<Collective, others> in_;
    outs<Collective, others> out_;
};

// Common base of the shapes whose blocks travel in slots.
template <typename Collective>
class alltoall_slots : public member<Collective> {
protected:
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;
    using window = typename block::several;

    using member<Collective>::member;

    // Fills slot d with the block for the rank d further.
    void load(const Element *mine, Element *found, unsigned chunk) const {
        for (unsigned d = 0; d < Collective::rank_count; ++d) {
            window::copy(block::at(mine, this->after(d), chunk), slot(found, d, chunk), block::elements(chunk));
        }
    }
    Element *slot(Element *found, unsigned d, unsigned chunk) const { return block::at(found, this->before(d), chunk); }

    void exchange(out_port<Element> out, in_port<Element> in, Element *slot, unsigned chunk) const {
        window::send(out, slot, block::elements(chunk));
        window::receive(in, slot, block::elements(chunk));
    }
};

// Round the ring: slot d moves d times by one rank. In: the rank before. Out: the next one.
template <typename Collective>
class alltoall_ring : public alltoall_slots<Collective> {
    using Element = typename Collective::element_type;

public:
    alltoall_ring(unsigned rank, const ins<Collective, 1> &in, const outs<Collective, 1> &out)
        : alltoall_slots<Collective>(rank), in_(in), out_(out) {}

    template <typename All, typename Found>
    void alltoall(All &&send, Found &&receive) {
        const Element *mine = this->template constant<Collective::data_elements * Collective::rank_count>(send);
        Element *found = this->template memory<Collective::data_elements * Collective::rank_count>(receive);
        this->contributes(mine, Collective::data_elements * Collective::rank_count);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            this->load(mine, found, chunk);
            for (unsigned s = 1; s < Collective::rank_count; ++s) {
                for (unsigned d = s; d < Collective::rank_count; ++d) {
                    this->exchange(out_[0], in_[0], this->slot(found, d, chunk), chunk);
                }
            }
        }
        this->results(found, Collective::data_elements * Collective::rank_count);
    }

private:
    ins<Collective, 1> in_;
    outs<Collective, 1> out_;
};

// Over distances 1, 2, 4 and so on (Bruck): in round k the slots whose number has bit k move by 2^k
// ranks. In: the ranks 2^k before. Out: the ranks 2^k further.
template <typename Collective, unsigned Rounds>
class alltoall_butterfly : public alltoall_slots<Collective> {
    using Element = typename Collective::element_type;

public:
    alltoall_butterfly(unsigned rank, const ins<Collective, Rounds> &in, const outs<Collective, Rounds> &out)
        : alltoall_slots<Collective>(rank), in_(in), out_(out) {}

    template <typename All, typename Found>
    void alltoall(All &&send, Found &&receive) {
        const Element *mine = this->template constant<Collective::data_elements * Collective::rank_count>(send);
        Element *found = this->template memory<Collective::data_elements * Collective::rank_count>(receive);
        this->contributes(mine, Collective::data_elements * Collective::rank_count);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            this->load(mine, found, chunk);
            for (unsigned round = 0; round < Rounds; ++round) {
                for (unsigned d = 1; d < Collective::rank_count; ++d) {
                    if ((d >> round & 1) != 0) {
                        this->exchange(out_[round], in_[round], this->slot(found, d, chunk), chunk);
                    }
                }
            }
        }
        this->results(found, Collective::data_elements * Collective::rank_count);
    }

private:
    ins<Collective, Rounds> in_;
    outs<Collective, Rounds> out_;
};

} // namespace aiec
