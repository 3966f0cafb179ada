// broadcast: every rank finds the root's array in its own.
//
// A rank passes every window on to its children while it stores it. An output port may lead to
// several children: then the array's switches copy the stream.
#pragma once

#include "member.h"
#include "windows.h"

namespace aiec {

// In: the parent, none at the root. Out: the children.
template <typename Collective, unsigned Ins, unsigned Outs>
class broadcast_tree : public member<Collective> {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;

public:
    static constexpr bool is_root = Ins == 0;

    broadcast_tree(unsigned rank, const ins<Collective, Ins> &in, const outs<Collective, Outs> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    template <typename Data>
    void broadcast(Data &&data) {
        Element *values = this->template memory<Collective::data_elements>(data);
        this->contributes(is_root ? values : nullptr, is_root ? Collective::data_elements : 0);
        down(values);
        this->results(values, Collective::data_elements);
    }

    // From the parent to the children.
    void down(Element *values) {
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            Element *at = values + chunk * Collective::window_elements;
            step<Collective, 0, block::whole>(in_, out_, memory_of(at), block::elements(chunk));
        }
    }

private:
    static auto memory_of(Element *values) {
        if constexpr (is_root) {
            return reads(static_cast<const Element *>(values));
        } else {
            return stores(values);
        }
    }

protected:
    ins<Collective, Ins> in_;
    outs<Collective, Outs> out_;
};

} // namespace aiec
