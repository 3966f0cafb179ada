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
    using ins_type = ins<Collective, Ins>;
    using outs_type = outs<Collective, Outs>;

public:
    using base::base;

    class end : public opened {
    public:
        end(const ins_type &in, const outs_type &out, unsigned count) : opened(count), in_(in), out_(out) {}

        // The root's element or vector, of which only that rank's argument counts.
        Element next(Element mine) { return pass(mine); }
        template <unsigned Lanes>
        aie::vector<Element, Lanes> next(const aie::vector<Element, Lanes> &mine) { return pass(mine); }

    private:
        template <typename Value>
        Value pass(const Value &mine) {
            this->template step<Value>();
            if constexpr (base::is_root) {
                write(out_[0], mine);
                return mine;
            } else {
                return read<Value>(in_[0]);
            }
        }

        const ins_type &in_;
        const outs_type &out_;
    };

    end open(unsigned count = Collective::data_elements) {
        open_all(this->in_, count);
        open_all(this->out_, count);
        return end(this->in_, this->out_, count);
    }
    template <typename... Data>
    void broadcast(Data &&...data) {
        open();
        base::broadcast(std::forward<Data>(data)...);
    }
};

} // namespace aiec
