// sendrecv: every rank sends its block to another rank, and receives one. A rank without a partner on one side only
// does the other; without a sender, its array of results stays as it is.
#pragma once

#include "member.h"
#include "windows.h"

namespace aiec {

// In: whom it receives from, or none. Out: whom it sends to, or none.
template <typename C, unsigned Ins, unsigned Outs>
class sendrecv_pair : public member<C> {
    using T = typename C::element_type;
    using block = blocks<C>;
    using window = typename block::single;

public:
    sendrecv_pair(unsigned rank, const ins<C, Ins> &in, const outs<C, Outs> &out)
        : member<C>(rank), in_(in), out_(out) {}

    template <typename Data, typename Found>
    void sendrecv(Data &&send, Found &&receive) {
        const T *values = this->template constant<C::data_elements>(send);
        T *found = this->template memory<C::data_elements>(receive);
        this->contributes(values, C::data_elements);
        for (unsigned chunk = 0; chunk < C::chunks_per_call; ++chunk) {
            if constexpr (Outs > 0) {
                window::send(out_[0], block::at(values, 0, chunk), block::elements(chunk));
            }
            if constexpr (Ins > 0) {
                window::receive(in_[0], block::at(found, 0, chunk), block::elements(chunk));
            }
        }
        if constexpr (Ins > 0) {
            this->results(found, C::data_elements);
        }
    }

private:
    ins<C, Ins> in_;
    outs<C, Outs> out_;
};

} // namespace aiec
