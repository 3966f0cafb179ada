// gather over a chain of streams. A rank writes its own block, then passes on those from beyond it.
//
//     comm.parts.gather(own, all);                    // arrays, as in other shapes
//     auto parts = comm.parts.open();                 // or step by step: at the root
//     while (parts.left()) keep(parts.rank(), parts.pop());
//     for (unsigned i = 0; i < 64; ++i) parts.push(x(i)); // elsewhere
//
// The root's own block does not travel, so its steps leave it out.
#pragma once

#include <utility>

#include "blocks_stream.h"
#include "gather.h"

namespace aiec {

// A rank that is not the root.
template <typename Collective, unsigned Ins, unsigned Outs = 1>
class gather_stream : public gather_tree<Collective, Ins, Outs> {
    using base = gather_tree<Collective, Ins, Outs>;
    using Element = typename Collective::element_type;

public:
    using base::base;

    class end : public opened {
    public:
        explicit end(const gather_stream &rank) : opened(Collective::data_elements), rank_(rank) {}

        // An element or a vector of the own block. The last one takes until all blocks from beyond
        // this rank have passed.
        void push(Element value) { give(value); }
        template <unsigned Lanes>
        void push(const aie::vector<Element, Lanes> &values) { give(values); }

    private:
        template <typename Value>
        void give(const Value &value) {
            this->template step<Value>();
            write(rank_.out_[0], value);
            if (this->left() == 0) {
                for (unsigned child = 0; child != Ins; ++child) {
                    pass_blocks<Collective>(rank_.in_[child], rank_.out_[0], rank_.below_[child]);
                }
            }
        }

        const gather_stream &rank_;
    };

    end open() {
        open_chain<Collective>(this->out_[0], this->in_, this->below_);
        return end(*this);
    }
    template <typename... Data>
    void gather(Data &&...data) {
        open();
        base::gather(std::forward<Data>(data)...);
    }
};

template <typename Collective, unsigned Ins, typename Order>
class gather_stream_root : public gather_root<Collective, Ins, Order> {
    using base = gather_root<Collective, Ins, Order>;
    using Element = typename Collective::element_type;
    using ins_type = ins<Collective, Ins>;

public:
    using base::base;

    class end : public root_order<Collective, Order, Ins> {
    public:
        explicit end(const ins_type &in) : in_(in) { end::open_links(in); }

        // The next element, of the block of rank().
        Element pop() {
            const Element value = read<Element>(in_[this->link()]);
            this->template step<Element>();
            return value;
        }
        template <unsigned Lanes>
        void pop(aie::vector<Element, Lanes> &values) {
            values = read<aie::vector<Element, Lanes>>(in_[this->link()]);
            this->template step<aie::vector<Element, Lanes>>();
        }

    private:
        const ins_type &in_;
    };

    end open() { return end(this->in_); }
    template <typename... Data>
    void gather(Data &&...data) {
        open();
        base::gather(std::forward<Data>(data)...);
    }
};

} // namespace aiec
