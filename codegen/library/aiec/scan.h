// scan: rank r finds the combination of the contributions of ranks 0 to r in its own array. In an
// exclusive scan it finds the combination of the ranks before it, and rank 0 keeps its array.
// Contributions are combined in rank order.
#pragma once

#include "member.h"
#include "windows.h"

namespace aiec {

// Along a chain: a rank combines its input with its own data and passes the result on. In: the rank
// before, none for the first. Out: the next rank, none for the last.
template <typename Collective, unsigned Ins, unsigned Outs>
class scan_chain : public member<Collective> {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;

public:
    scan_chain(unsigned rank, const ins<Collective, Ins> &in, const outs<Collective, Outs> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    template <typename Data>
    void scan(Data &&data) {
        Element *values = this->template memory<Collective::data_elements>(data);
        this->contributes(values, Collective::data_elements);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            Element *at = values + chunk * Collective::window_elements;
            step<Collective, Ins, block::whole>(in_, out_, memory_of(at), block::elements(chunk));
        }
        if constexpr (Ins > 0 || !Collective::exclusive) {
            this->results(values, Collective::data_elements);
        }
    }

private:
    static auto memory_of(Element *values) {
        if constexpr (Ins == 0) {
            return reads(static_cast<const Element *>(values));
        } else if constexpr (Collective::exclusive) {
            return replaces(values);
        } else {
            return updates(values);
        }
    }

    ins<Collective, Ins> in_;
    outs<Collective, Outs> out_;
};

// Over distances 1, 2, 4 and so on (Hillis and Steele). In round k a rank has 2^k contributions up
// to its own and gets the same number before them. For an exclusive scan the combinations then move
// on by one rank. In: the ranks 2^k before. Out: the ranks 2^k further; both only where such ranks
// exist.
template <typename Collective, unsigned Ins, unsigned Outs>
class scan_butterfly : public member<Collective> {
    using Element = typename Collective::element_type;
    using window = typename blocks<Collective>::single;

public:
    scan_butterfly(unsigned rank, const ins<Collective, Ins> &in, const outs<Collective, Outs> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    template <typename Data>
    void scan(Data &&data) {
        Element *values = this->template memory<Collective::data_elements>(data);
        this->contributes(values, Collective::data_elements);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            combine_all(values + chunk * Collective::window_elements, blocks<Collective>::elements(chunk));
        }
        if constexpr (Ins > 0 || !Collective::exclusive) {
            this->results(values, Collective::data_elements);
        }
    }

private:
    void combine_all(Element *values, unsigned count) {
        constexpr unsigned rounds = Ins > Outs ? Ins : Outs;
        for (unsigned round = 0; round < rounds; ++round) {
            if (round < Outs) {
                window::send(out_[round], values, count);
            }
            if (round < Ins) {
                window::combine_lower(in_[round], values, count);
            }
        }
        if constexpr (Collective::exclusive) {
            if constexpr (Outs > 0) {
                window::send(out_[0], values, count);
            }
            if constexpr (Ins > 0) {
                window::receive(in_[0], values, count);
            }
        }
    }

    ins<Collective, Ins> in_;
    outs<Collective, Outs> out_;
};

} // namespace aiec
