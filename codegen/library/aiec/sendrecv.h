// sendrecv: every rank sends its block to another rank, and receives one. A rank with a partner on
// one side only sends or only receives. Without a sender, its array of results stays unchanged.
#pragma once

#include "member.h"
#include "windows.h"

namespace aiec {

// In: the rank it receives from, or none. Out: the rank it sends to, or none.
template <typename Collective, unsigned Ins, unsigned Outs>
class sendrecv_pair : public member<Collective> {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;
    using window = typename block::single;

public:
    sendrecv_pair(unsigned rank, const ins<Collective, Ins> &in, const outs<Collective, Outs> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    template <typename Data, typename Found>
    void sendrecv(Data &&send, Found &&receive) {
        const Element *values = this->template constant<Collective::data_elements>(send);
        Element *found = this->template memory<Collective::data_elements>(receive);
        this->contributes(values, Collective::data_elements);
        for (unsigned chunk = 0; chunk < Collective::chunks_per_call; ++chunk) {
            if constexpr (Outs > 0) {
                window::send(out_[0], block::at(values, 0, chunk), block::elements(chunk));
            }
            if constexpr (Ins > 0) {
                window::receive(in_[0], block::at(found, 0, chunk), block::elements(chunk));
            }
        }
        if constexpr (Ins > 0) {
            this->results(found, Collective::data_elements);
        }
    }

private:
    ins<Collective, Ins> in_;
    outs<Collective, Outs> out_;
};

} // namespace aiec
