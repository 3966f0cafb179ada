// gather where ranks know their number of elements only when they call: up to `data` of them.
//
// A header window with the number of its elements precedes every rank's data. It tells the ranks
// above how many windows to pass on, and the root where blocks end. A gather with counts in the
// design has no headers.
#pragma once

#include "member.h"
#include "windows.h"

namespace aiec {

// Header windows: a number below 2^24, in digits that every element type holds exactly.
template <typename Collective>
class header {
    using Element = typename Collective::element_type;
    static constexpr unsigned bits = sizeof(Element) == 1 ? 6 : 12; // of a digit
    static constexpr unsigned digits = 24 / bits; // ahead of zeros
    using window = windows<Collective, false, true>;
    static_assert(digits <= Collective::window_elements && Collective::data_elements < 1U << 24,
                  "the header does not fit its window");

public:
    static void send(out_port<Element> out, unsigned number) {
        alignas(32) Element values[digits];
        for (unsigned i = 0; i < digits; ++i) chess_flatten_loop {
            values[i] = digit(number >> (bits * i) & ((1U << bits) - 1));
        }
        window::send(out, values, digits);
    }
    static unsigned receive(in_port<Element> in) {
        alignas(32) Element values[digits];
        window::receive(in, values, digits);
        unsigned number = 0;
        for (unsigned i = 0; i < digits; ++i) chess_flatten_loop {
            number |= value_of(values[i]) << (bits * i);
        }
        return number;
    }

private:
    static Element digit(unsigned value) {
        Element element{};
        if constexpr (is_complex<Element>) {
            element.real = static_cast<decltype(element.real)>(value);
        } else {
            element = static_cast<Element>(value);
        }
        return element;
    }
    static unsigned value_of(const Element &element) {
        if constexpr (is_complex<Element>) {
            return static_cast<unsigned>(element.real);
        } else {
            return static_cast<unsigned>(element);
        }
    }
};

// Windows of a block of `elements` elements.
template <typename Collective>
constexpr unsigned windows_of(unsigned elements) {
    return (elements + Collective::window_elements - 1) / Collective::window_elements;
}

// A rank that is not the root. In: the children. Out: the parent. `below`: ranks below each child,
// with the child.
template <typename Collective, unsigned Ins, unsigned Outs = 1>
class gather_headed_tree : public member<Collective> {
    using Element = typename Collective::element_type;
    using window = windows<Collective, false, true>;

public:
    static constexpr bool is_root = false;

    gather_headed_tree(unsigned rank, const ins<Collective, Ins> &in, const outs<Collective, Outs> &out,
                       const counts<Ins> &below)
        : member<Collective>(rank), in_(in), out_(out), below_(below) {}

    template <typename Data, typename All>
    void gather(Data &&send, unsigned count, All &&, unsigned *) {
        const Element *values = this->template constant<Collective::data_elements>(send);
        this->contributes(values, count);
        header<Collective>::send(out_[0], count);
        for (unsigned chunk = 0; chunk < windows_of<Collective>(count); ++chunk) {
            window::send(out_[0], values + chunk * Collective::window_elements, elements_in<Collective>(count, chunk));
        }
        for (unsigned child = 0; child != Ins; ++child) {
            for (unsigned rank = 0; rank < below_[child]; ++rank) {
                pass_on(in_[child]);
            }
        }
    }

private:
    // Passes on the data of one rank.
    void pass_on(in_port<Element> in) {
        const unsigned count = header<Collective>::receive(in);
        header<Collective>::send(out_[0], count);
        for (unsigned chunk = 0; chunk < windows_of<Collective>(count); ++chunk) {
            window::forward(in, out_[0]);
        }
    }

    ins<Collective, Ins> in_;
    outs<Collective, Outs> out_;
    counts<Ins> below_;
};

// The root. It stores the block of rank r from element r * data on, and in `counts` the number of
// elements of each block. In: the children. Order lists the ranks in the order of arrival, as in a
// gather_root.
template <typename Collective, unsigned Ins, typename Order>
class gather_headed_root : public member<Collective> {
    using Element = typename Collective::element_type;
    using window = windows<Collective, false, blocks<Collective>::aligned>;
    static constexpr unsigned all_elements = Collective::data_elements * Collective::rank_count;

public:
    static constexpr bool is_root = true;

    gather_headed_root(unsigned rank, const ins<Collective, Ins> &in, const outs<Collective, 0> & = {})
        : member<Collective>(rank), in_(in) {}

    template <typename Data, typename All>
    void gather(Data &&send, unsigned count, All &&receive, unsigned *counts) {
        const Element *own = this->template constant<Collective::data_elements>(send);
        Element *all = this->template memory<all_elements>(receive);
        this->contributes(own, count);
        counts[this->rank()] = count;
        for (unsigned chunk = 0; chunk < windows_of<Collective>(count); ++chunk) {
            Element *to = blocks<Collective>::at(all, this->rank(), chunk);
            window::copy(blocks<Collective>::at(own, 0, chunk), to, elements_in<Collective>(count, chunk));
        }
        for (unsigned child = 0; child < Ins; ++child) {
            for (unsigned i = Order::first[child]; i < Order::first[child + 1]; ++i) {
                counts[Order::ranks[i]] = take(in_[child], all, Order::ranks[i]);
            }
        }
        this->results(all, all_elements);
    }

private:
    unsigned take(in_port<Element> in, Element *all, unsigned rank) {
        const unsigned count = header<Collective>::receive(in);
        for (unsigned chunk = 0; chunk < windows_of<Collective>(count); ++chunk) {
            window::receive(in, blocks<Collective>::at(all, rank, chunk), elements_in<Collective>(count, chunk));
        }
        return count;
    }

    ins<Collective, Ins> in_;
};

} // namespace aiec
