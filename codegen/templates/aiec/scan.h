// scan: rank r finds the combination of what the ranks 0 to r contribute in the place of its own array; in an exclusive
// scan, of what the ranks before it contribute, and rank 0 keeps its array. Contributions are combined in rank order.
#pragma once

#include "member.h"
#include "windows.h"

namespace aiec {

// Along a chain: a rank passes on what it takes with its own data. In: the rank before, none for the first. Out: the
// next rank, none for the last.
template <typename C, unsigned Ins, unsigned Outs>
class scan_chain : public member<C> {
    using T = typename C::element_type;
    using block = blocks<C>;

public:
    scan_chain(unsigned rank, const ins<C, Ins> &in, const outs<C, Outs> &out) : member<C>(rank), in_(in), out_(out) {}

    template <typename Data>
    void scan(Data &&data) {
        T *values = this->template memory<C::data_elements>(data);
        this->contributes(values, C::data_elements);
        for (unsigned chunk = 0; chunk < C::chunks_per_call; ++chunk) {
            T *at = values + chunk * C::window_elements;
            step<C, Ins, block::whole>(in_, out_, memory_of(at), block::elements(chunk));
        }
        if constexpr (Ins > 0 || !C::exclusive) {
            this->results(values, C::data_elements);
        }
    }

private:
    static auto memory_of(T *values) {
        using to_memory = cursor<T, true>;
        if constexpr (Ins == 0) {
            return reads<cursor<const T, true>>(cursor<const T, true>(values));
        } else if constexpr (C::exclusive) {
            return replaces<to_memory>(to_memory(values));
        } else {
            return updates<to_memory>(to_memory(values));
        }
    }

    ins<C, Ins> in_;
    outs<C, Outs> out_;
};

// Over distances 1, 2, 4 and so on (Hillis and Steele): in round k a rank that has 2^k contributions up to its own gets
// as many before them. For an exclusive scan the combinations then move on by one rank. In: the ranks 2^k before. Out:
// the ranks 2^k further; as far as there are such.
template <typename C, unsigned Ins, unsigned Outs>
class scan_butterfly : public member<C> {
    using T = typename C::element_type;
    using window = typename blocks<C>::single;

public:
    scan_butterfly(unsigned rank, const ins<C, Ins> &in, const outs<C, Outs> &out)
        : member<C>(rank), in_(in), out_(out) {}

    template <typename Data>
    void scan(Data &&data) {
        T *values = this->template memory<C::data_elements>(data);
        this->contributes(values, C::data_elements);
        for (unsigned chunk = 0; chunk < C::chunks_per_call; ++chunk) {
            combine_all(values + chunk * C::window_elements, blocks<C>::elements(chunk));
        }
        if constexpr (Ins > 0 || !C::exclusive) {
            this->results(values, C::data_elements);
        }
    }

private:
    void combine_all(T *values, unsigned count) {
        constexpr unsigned rounds = Ins > Outs ? Ins : Outs;
        for (unsigned round = 0; round < rounds; ++round) {
            if (round < Outs) {
                window::send(out_[round], values, count);
            }
            if (round < Ins) {
                window::combine_lower(in_[round], values, count);
            }
        }
        if constexpr (C::exclusive) {
            if constexpr (Outs > 0) {
                window::send(out_[0], values, count);
            }
            if constexpr (Ins > 0) {
                window::receive(in_[0], values, count);
            }
        }
    }

    ins<C, Ins> in_;
    outs<C, Outs> out_;
};

} // namespace aiec
