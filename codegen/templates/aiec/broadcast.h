// broadcast: every rank finds the root's array in its own.
//
// A rank passes every window on to its children while it stores it. An output port may lead to several children: then
// the array's switches copy the stream.
#pragma once

#include "member.h"
#include "windows.h"

namespace aiec {

// In: the parent, none at the root. Out: the children.
template <typename C, unsigned Ins, unsigned Outs>
class broadcast_tree : public member<C> {
    using T = typename C::element_type;
    using block = blocks<C>;

public:
    static constexpr bool is_root = Ins == 0;

    broadcast_tree(unsigned rank, const ins<C, Ins> &in, const outs<C, Outs> &out)
        : member<C>(rank), in_(in), out_(out) {}

    template <typename Data>
    void broadcast(Data &&data) {
        T *values = this->template memory<C::data_elements>(data);
        this->contributes(is_root ? values : nullptr, is_root ? C::data_elements : 0);
        down(values);
        this->results(values, C::data_elements);
    }

    // From the parent to the children.
    void down(T *values) {
        for (unsigned chunk = 0; chunk < C::chunks_per_call; ++chunk) {
            T *at = values + chunk * C::window_elements;
            step<C, 0, block::whole>(in_, out_, memory_of(at), block::elements(chunk));
        }
    }

private:
    static auto memory_of(T *values) {
        if constexpr (is_root) {
            return reads<cursor<const T, true>>(cursor<const T, true>(values));
        } else {
            return stores<cursor<T, true>>(cursor<T, true>(values));
        }
    }

    ins<C, Ins> in_;
    outs<C, Outs> out_;
};

} // namespace aiec
