// allreduce: every rank contributes an array and finds the element-wise combination of all of them
// in its place.
#pragma once

#include "broadcast.h"
#include "hypercube.h"
#include "member.h"
#include "reduce.h"
#include "windows.h"

namespace aiec {

// Up a tree to its root, then down the same tree. All windows go up before the first comes down.
// In: the children, then the parent. Out: the parent, then the children.
template <typename Collective, unsigned UpIns, unsigned UpOuts, unsigned DownIns, unsigned DownOuts,
          unsigned Before = 0>
class allreduce_tree : public member<Collective> {
    using Element = typename Collective::element_type;

public:
    allreduce_tree(unsigned rank, const ins<Collective, UpIns + DownIns> &in,
                   const outs<Collective, UpOuts + DownOuts> &out)
        : member<Collective>(rank), up_(rank, part<UpIns>(in, 0), part<UpOuts>(out, 0)),
          down_(rank, part<DownIns>(in, UpIns), part<DownOuts>(out, UpOuts)) {}

    template <typename Data>
    void allreduce(Data &&data) {
        Element *values = this->template memory<Collective::data_elements>(data);
        this->contributes(values, Collective::data_elements);
        up_.up(values);
        down_.down(values);
        this->results(values, Collective::data_elements);
    }

private:
    reduce_tree<Collective, UpIns, UpOuts, Before, UpOuts == 0> up_;
    broadcast_tree<Collective, DownIns, DownOuts> down_;
};

// Recursive doubling: in round k partners at distance 2^k exchange and combine their partial
// results. After `Rounds` rounds all ranks have the full result. Contributions are combined in rank
// order.
//
// A folded rank gives its data to its keeper before the rounds and gets the result back. Ports:
// `hypercube`.
template <typename Collective, unsigned Rounds, fold Fold>
class allreduce_butterfly : public member<Collective> {
    using Element = typename Collective::element_type;
    using window = typename blocks<Collective>::single;
    using corner = hypercube<Collective, Rounds, Fold>;

public:
    allreduce_butterfly(unsigned rank, const ins<Collective, corner::ports> &in,
                        const outs<Collective, corner::ports> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    template <typename Data>
    void allreduce(Data &&data) {
        Element *values = this->template memory<Collective::data_elements>(data);
        this->contributes(values, Collective::data_elements);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            combine_all(values + chunk * Collective::window_elements, blocks<Collective>::elements(chunk));
        }
        this->results(values, Collective::data_elements);
    }

private:
    void combine_all(Element *values, unsigned count) {
        if constexpr (Fold == fold::folded) {
            window::send(out_[0], values, count);
            window::receive(in_[0], values, count);
        } else {
            if constexpr (Fold == fold::keeper) {
                window::combine(in_[0], true, values, count);
            }
            for (unsigned round = 0; round != Rounds; ++round) {
                // True if the partner has lower ranks.
                const bool lower = (corner::number(this->rank()) >> round & 1) != 0;
                window::send(out_[round], values, count);
                window::combine(in_[corner::first_in + round], lower, values, count);
            }
            if constexpr (Fold == fold::keeper) {
                window::send(out_[Rounds], values, count);
            }
        }
    }

    ins<Collective, corner::ports> in_;
    outs<Collective, corner::ports> out_;
};

// Two times round the ring, in as many parts as there are ranks. In the first pass the parts are
// combined on their way, until rank r has part r of the result. In the second pass the parts of the
// result go round. Operators must be commutative: the combination of part p begins with rank p + 1.
// In: the rank before. Out: the next one.
template <typename Collective>
class allreduce_ring : public member<Collective> {
    using Element = typename Collective::element_type;
    static constexpr unsigned part = Collective::part_elements;
    static constexpr bool whole = part * Collective::rank_count == Collective::data_elements
        && part % Collective::window_elements == 0;
    using window = windows<Collective, whole, true>;

public:
    allreduce_ring(unsigned rank, const ins<Collective, 1> &in, const outs<Collective, 1> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    template <typename Data>
    void allreduce(Data &&data) {
        Element *values = this->template memory<Collective::data_elements>(data);
        this->contributes(values, Collective::data_elements);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            for (unsigned s = 1; s < Collective::rank_count; ++s) {
                send(values, this->before(s), chunk);
                const unsigned next = this->before(s + 1);
                window::combine(in_[0], true, values + first(next, chunk), count(next, chunk));
            }
            for (unsigned s = 0; s + 1 < Collective::rank_count; ++s) {
                send(values, this->before(s), chunk);
                const unsigned next = this->before(s + 1);
                window::receive(in_[0], values + first(next, chunk), count(next, chunk));
            }
        }
        this->results(values, Collective::data_elements);
    }

private:
    void send(const Element *values, unsigned of, unsigned chunk) {
        window::send(out_[0], values + first(of, chunk), count(of, chunk));
    }

    // First element of window `chunk` of a part, and its number of elements: 0 if it lies beyond
    // the data.
    static unsigned first(unsigned of, unsigned chunk) {
        const unsigned at = of * part + chunk * Collective::window_elements;
        return at < Collective::data_elements ? at : 0;
    }
    static unsigned count(unsigned of, unsigned chunk) {
        const unsigned begin = of * part;
        const unsigned left = begin < Collective::data_elements ? Collective::data_elements - begin : 0;
        return elements_in<Collective>(left < part ? left : part, chunk);
    }

    ins<Collective, 1> in_;
    outs<Collective, 1> out_;
};

} // namespace aiec
