// scatter over a chain of streams. A rank reads its own block, then passes on those for the ranks
// beyond it.
//
//     comm.parts.scatter(all, own);                   // arrays, as in other shapes
//     auto parts = comm.parts.open();                 // or step by step: at the root
//     while (parts.left()) parts.push(next(parts.rank()));
//     for (unsigned i = 0; i < 64; ++i) x(i) = parts.pop(); // elsewhere
//
// The root's own block does not travel, so its steps leave it out.
#pragma once

#include <utility>

#include "blocks_stream.h"
#include "scatter.h"

namespace aiec {

// A rank that is not the root.
template <typename Collective, unsigned Ins, unsigned Outs>
class scatter_stream : public scatter_tree<Collective, Ins, Outs> {
    using base = scatter_tree<Collective, Ins, Outs>;
    using Element = typename Collective::element_type;

public:
    using base::base;

    class end : public opened {
    public:
        explicit end(const scatter_stream &rank) : opened(Collective::data_elements), rank_(rank) {}

        // An element or a vector of the own block. The last one takes until all blocks for ranks
        // beyond this one have passed.
        Element pop() { return next<Element>(); }
        template <unsigned Lanes>
        void pop(aie::vector<Element, Lanes> &values) { values = next<aie::vector<Element, Lanes>>(); }

    private:
        template <typename Value>
        Value next() {
            this->template step<Value>();
            const Value value = read<Value>(rank_.in_[0]);
            if (this->left() == 0) {
                for (unsigned child = 0; child != Outs; ++child) {
                    pass_blocks<Collective>(rank_.in_[0], rank_.out_[child], rank_.below_[child]);
                }
            }
            return value;
        }

        const scatter_stream &rank_;
    };

    end open() {
        open_chain<Collective>(this->in_[0], this->out_, this->below_);
        return end(*this);
    }
    template <typename... Data>
    void scatter(Data &&...data) {
        open();
        base::scatter(std::forward<Data>(data)...);
    }
};

template <typename Collective, unsigned Outs, typename Order>
class scatter_stream_root : public scatter_root<Collective, Outs, Order> {
    using base = scatter_root<Collective, Outs, Order>;
    using Element = typename Collective::element_type;
    using outs_type = outs<Collective, Outs>;

public:
    using base::base;

    class end : public root_order<Collective, Order, Outs> {
    public:
        explicit end(const outs_type &out) : out_(out) { end::open_links(out); }

        // The next element or vector, of the block of rank().
        void push(Element value) { give(value); }
        template <unsigned Lanes>
        void push(const aie::vector<Element, Lanes> &values) { give(values); }

    private:
        template <typename Value>
        void give(const Value &value) {
            write(out_[this->link()], value);
            this->template step<Value>();
        }

        const outs_type &out_;
    };

    end open() { return end(this->out_); }
    template <typename... Data>
    void scatter(Data &&...data) {
        open();
        base::scatter(std::forward<Data>(data)...);
    }
};

} // namespace aiec
