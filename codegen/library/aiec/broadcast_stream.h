// broadcast over one stream from the root, which the array copies for all other ranks.
//
//     comm.coefficients.broadcast(values);            // an array, as in other shapes
//     auto all = comm.coefficients.open(64);          // or step by step
//     for (unsigned i = 0; i < 64; ++i) use(all.next(mine(i)));
#pragma once

#include <utility>

#include "broadcast.h"
#include "opened.h"

namespace aiec {

// In: the root, or none at the root. Out: at the root, the stream to all.
template <typename Collective, unsigned Ins, unsigned Outs>
class broadcast_stream : public broadcast_tree<Collective, Ins, Outs> {
    using base = broadcast_tree<Collective, Ins, Outs>;
    using Element = typename Collective::element_type;

public:
    using base::base;

    class end : public linked_end<Collective, Ins, Outs> {
    public:
        using linked_end<Collective, Ins, Outs>::linked_end;

        // The root's element or vector, of which only that rank's argument counts.
        Element next(Element mine) { return pass(mine); }
        template <unsigned Lanes>
        aie::vector<Element, Lanes> next(const aie::vector<Element, Lanes> &mine) { return pass(mine); }

    private:
        template <typename Value>
        Value pass(const Value &mine) {
            this->template step<Value>();
            if constexpr (base::is_root) {
                write(this->out_[0], mine);
                return mine;
            } else {
                return read<Value>(this->in_[0]);
            }
        }
    };

    end open(unsigned count = Collective::data_elements) {
        return end(this->in_, this->out_, count);
    }
    template <typename... Data>
    void broadcast(Data &&...data) {
        open();
        base::broadcast(std::forward<Data>(data)...);
    }
};

} // namespace aiec
