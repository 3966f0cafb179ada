// scatter: every rank finds its block of the root's array in its own. Blocks may differ in size and
// consist of runs, as in a gather.
//
// A rank takes its own block first, then passes on the blocks for the ranks below it, child by
// child, in an order that is known when the design is compiled.
#pragma once

#include "member.h"
#include "root_array.h"
#include "windows.h"

namespace aiec {

// A rank that is not the root. In: the parent. Out: the children. `below`: windows that go to each
// child.
template <typename Collective, unsigned Ins, unsigned Outs>
class scatter_tree : public member<Collective> {
    static_assert(Ins == 1, "a rank has one parent");
    using Element = typename Collective::element_type;
    using window = typename root_array<Collective>::own;

public:
    static constexpr bool is_root = false;

    scatter_tree(unsigned rank, const ins<Collective, Ins> &in, const outs<Collective, Outs> &out,
                 const counts<Outs> &below)
        : member<Collective>(rank), in_(in), out_(out), below_(below) {}

    template <typename All, typename Data>
    void scatter(All &&, Data &&receive) {
        Element *values = this->template memory<Collective::data_elements>(receive);
        const unsigned count = Collective::count(this->rank());
        this->contributes(nullptr, 0);
        for (unsigned chunk = 0; chunk < Collective::windows(this->rank()); ++chunk) {
            window::receive(in_[0], values + chunk * Collective::window_elements,
                            elements_in<Collective>(count, chunk));
        }
        for (unsigned child = 0; child != Outs; ++child) {
            for (unsigned i = 0; i < below_[child]; ++i) {
                window::forward(in_[0], out_[child]);
            }
        }
        this->results(values, count);
    }

protected:
    ins<Collective, Ins> in_;
    outs<Collective, Outs> out_;
    counts<Outs> below_;
};

// The root. Out: the children. Child c receives the blocks of Order::ranks[Order::first[c]] up to
// but not including Order::ranks[Order::first[c + 1]], in this order.
template <typename Collective, unsigned Outs, typename Order>
class scatter_root : public member<Collective> {
    using Element = typename Collective::element_type;
    using array = root_array<Collective>;

public:
    static constexpr bool is_root = true;

    scatter_root(unsigned rank, const ins<Collective, 0> &, const outs<Collective, Outs> &out)
        : member<Collective>(rank), out_(out) {}

    template <typename All, typename Data>
    void scatter(All &&send, Data &&receive) {
        const Element *all = this->template constant<array::elements, !array::runs>(send);
        Element *own = this->template memory<Collective::data_elements>(receive);
        this->contributes(all, array::elements);
        array::load_own(all, own, this->rank());
        for (unsigned child = 0; child < Outs; ++child) {
            for (unsigned i = Order::first[child]; i < Order::first[child + 1]; ++i) {
                for (unsigned chunk = 0; chunk < Collective::windows(Order::ranks[i]); ++chunk) {
                    array::send(out_[child], all, Order::ranks[i], chunk);
                }
            }
        }
        this->results(own, Collective::count(this->rank()));
    }

protected:
    outs<Collective, Outs> out_;
};

} // namespace aiec
