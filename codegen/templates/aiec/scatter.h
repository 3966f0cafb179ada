// scatter: every rank finds its block of the root's array in its own. Blocks may differ in size and consist of runs, as
// those of a gather.
//
// A rank takes its own block first, then passes on what is for those below it, child by child, in an order that is
// known when the design is compiled.
#pragma once

#include "member.h"
#include "root_array.h"
#include "windows.h"

namespace aiec {

// A rank that is not the root. In: the parent. Out: the children. `below`: windows that go to each child.
template <typename C, unsigned Ins, unsigned Outs>
class scatter_tree : public member<C> {
    static_assert(Ins == 1, "a rank has one parent");
    using T = typename C::element_type;
    using window = typename root_array<C>::own;

public:
    static constexpr bool is_root = false;

    scatter_tree(unsigned rank, const ins<C, Ins> &in, const outs<C, Outs> &out, const counts<Outs> &below)
        : member<C>(rank), in_(in), out_(out), below_(below) {}

    template <typename All, typename Data>
    void scatter(All &&, Data &&receive) {
        T *values = this->template memory<C::data_elements>(receive);
        const unsigned count = C::count(this->rank());
        this->contributes(nullptr, 0);
        for (unsigned chunk = 0; chunk < C::windows(this->rank()); ++chunk) {
            window::receive(in_[0], values + chunk * C::window_elements, elements_in<C>(count, chunk));
        }
        for (unsigned child = 0; child != Outs; ++child) {
            for (unsigned i = 0; i < below_[child]; ++i) {
                window::forward(in_[0], out_[child]);
            }
        }
        this->results(values, count);
    }

private:
    ins<C, Ins> in_;
    outs<C, Outs> out_;
    counts<Outs> below_;
};

// The root. Out: the children. To child c go the blocks of Order::ranks[Order::first[c]] up to, and without,
// Order::ranks[Order::first[c + 1]], in this order.
template <typename C, unsigned Outs, typename Order>
class scatter_root : public member<C> {
    using T = typename C::element_type;
    using array = root_array<C>;

public:
    static constexpr bool is_root = true;

    scatter_root(unsigned rank, const ins<C, 0> &, const outs<C, Outs> &out) : member<C>(rank), out_(out) {}

    template <typename All, typename Data>
    void scatter(All &&send, Data &&receive) {
        const T *all = this->template constant<array::elements, !array::runs>(send);
        T *own = this->template memory<C::data_elements>(receive);
        this->contributes(all, array::elements);
        array::load_own(all, own, this->rank());
        for (unsigned child = 0; child < Outs; ++child) {
            for (unsigned i = Order::first[child]; i < Order::first[child + 1]; ++i) {
                for (unsigned chunk = 0; chunk < C::windows(Order::ranks[i]); ++chunk) {
                    array::send(out_[child], all, Order::ranks[i], chunk);
                }
            }
        }
        this->results(own, C::count(this->rank()));
    }

private:
    outs<C, Outs> out_;
};

} // namespace aiec
