// gather: the root finds the blocks of all ranks in its array. Blocks may differ in size, and those
// of the root's array may consist of runs with gaps between them: element i of rank r's block is at
// first(r) + i / run * stride + i % run.
//
// A rank sends its own block first, then passes on the blocks from below it, child by child. The
// order is known when the design is compiled, so that only data travels: no headers.
#pragma once

#include "member.h"
#include "root_array.h"
#include "windows.h"

namespace aiec {

// A rank that is not the root. In: the children. Out: the parent. `below`: windows that come from
// each child.
template <typename Collective, unsigned Ins, unsigned Outs = 1,
          typename Out = out_end<Collective>>
class gather_tree : public member<Collective> {
    static_assert(Outs == 1, "a rank has one parent");
    using Element = typename Collective::element_type;
    using window = typename root_array<Collective>::own;

public:
    static constexpr bool is_root = false;

    gather_tree(unsigned rank, const ins<Collective, Ins> &in, const list<Out, Outs> &out,
                const counts<Ins> &below)
        : member<Collective>(rank), in_(in), out_(out), below_(below) {}

    template <typename Data, typename All>
    void gather(Data &&send, All &&) {
        const Element *values = this->template constant<Collective::data_elements>(send);
        const unsigned count = Collective::count(this->rank());
        this->contributes(values, count);
        for (unsigned chunk = 0; chunk < Collective::windows(this->rank()); ++chunk) {
            window::send(out_[0], values + chunk * Collective::window_elements, elements_in<Collective>(count, chunk));
        }
        for (unsigned child = 0; child != Ins; ++child) {
            for (unsigned i = 0; i < below_[child]; ++i) {
                window::forward(in_[child], out_[0]);
            }
        }
    }

protected:
    ins<Collective, Ins> in_;
    list<Out, Outs> out_;
    counts<Ins> below_;
};

// The root. In: the children. Child c delivers the blocks of Order::ranks[Order::first[c]] up to
// but not including Order::ranks[Order::first[c + 1]], in this order.
template <typename Collective, unsigned Ins, typename Order>
class gather_root : public member<Collective> {
    using Element = typename Collective::element_type;
    using array = root_array<Collective>;

public:
    static constexpr bool is_root = true;

    gather_root(unsigned rank, const ins<Collective, Ins> &in, const outs<Collective, 0> & = {})
        : member<Collective>(rank), in_(in) {}

    template <typename Data, typename All>
    void gather(Data &&send, All &&receive) {
        const Element *own = this->template constant<Collective::data_elements>(send);
        Element *all = this->template memory<array::elements, !array::runs>(receive);
        this->contributes(own, Collective::count(this->rank()));
        array::store_own(own, all, this->rank());
        for (unsigned child = 0; child < Ins; ++child) {
            for (unsigned i = Order::first[child]; i < Order::first[child + 1]; ++i) {
                for (unsigned chunk = 0; chunk < Collective::windows(Order::ranks[i]); ++chunk) {
                    array::receive(in_[child], all, Order::ranks[i], chunk);
                }
            }
        }
        this->results(all, array::elements);
    }

protected:
    ins<Collective, Ins> in_;
};

} // namespace aiec
