// gather where ranks only know when they call how many elements they have: up to `data` of them.
//
// Every rank's data comes behind a header window with the number of its elements (thesis 5.1), so that those above know
// how many windows to pass on, and the root where blocks end. A gather with counts that the design states has no
// headers.
#pragma once

#include "member.h"
#include "windows.h"

namespace aiec {

// Header windows: a number below 2^24, in digits that every element type holds exactly.
template <typename C>
class header {
    using T = typename C::element_type;
    static constexpr unsigned bits = sizeof(T) == 1 ? 6 : 12; // of a digit
    static constexpr unsigned digits = 24 / bits;
    static_assert(digits <= C::window_elements && C::data_elements < 1U << 24, "the header does not fit its window");

public:
    static void send(out_port<T> out, unsigned number) {
        acquire(out);
        writer<T> to(out);
        for (unsigned i = 0; i < C::window_elements; ++i) {
            to.put(digit(i < digits ? number >> (bits * i) & ((1U << bits) - 1) : 0));
        }
        release(out);
    }
    static unsigned receive(in_port<T> in) {
        acquire(in);
        reader<T> from(in);
        unsigned number = 0;
        for (unsigned i = 0; i < digits; ++i) {
            T value;
            from.next(value);
            number |= value_of(value) << (bits * i);
        }
        from.skip(C::window_elements - digits);
        release(in);
        return number;
    }

private:
    static T digit(unsigned value) {
        T element{};
        if constexpr (is_complex<T>) {
            element.real = static_cast<decltype(element.real)>(value);
        } else {
            element = static_cast<T>(value);
        }
        return element;
    }
    static unsigned value_of(const T &element) {
        if constexpr (is_complex<T>) {
            return static_cast<unsigned>(element.real);
        } else {
            return static_cast<unsigned>(element);
        }
    }
};

// Windows of a block of so many elements.
template <typename C>
constexpr unsigned windows_of(unsigned elements) {
    return (elements + C::window_elements - 1) / C::window_elements;
}

// A rank that is not the root. In: the children. Out: the parent. `below`: ranks below each child, with the child.
template <typename C, unsigned Ins, unsigned Outs = 1>
class gather_headed_tree : public member<C> {
    using T = typename C::element_type;
    using window = windows<C, false, true>;

public:
    static constexpr bool is_root = false;

    gather_headed_tree(unsigned rank, const ins<C, Ins> &in, const outs<C, Outs> &out, const counts<Ins> &below)
        : member<C>(rank), in_(in), out_(out), below_(below) {}

    template <typename Data, typename All>
    void gather(Data &&send, unsigned count, All &&, unsigned *) {
        const T *values = this->template constant<C::data_elements>(send);
        this->contributes(values, count);
        header<C>::send(out_[0], count);
        for (unsigned chunk = 0; chunk < windows_of<C>(count); ++chunk) {
            window::send(out_[0], values + chunk * C::window_elements, elements_in<C>(count, chunk));
        }
        for (unsigned child = 0; child != Ins; ++child) {
            for (unsigned rank = 0; rank < below_[child]; ++rank) {
                pass_on(in_[child]);
            }
        }
    }

private:
    // What one rank sent.
    void pass_on(in_port<T> in) {
        const unsigned count = header<C>::receive(in);
        header<C>::send(out_[0], count);
        for (unsigned chunk = 0; chunk < windows_of<C>(count); ++chunk) {
            window::forward(in, out_[0]);
        }
    }

    ins<C, Ins> in_;
    outs<C, Outs> out_;
    counts<Ins> below_;
};

// The root: finds the block of rank r from element r * data on, and in `counts` how many elements each has. In: the
// children. Order says in which order ranks come, as in a gather_root.
template <typename C, unsigned Ins, typename Order>
class gather_headed_root : public member<C> {
    using T = typename C::element_type;
    using window = windows<C, false, blocks<C>::aligned>;
    static constexpr unsigned all_elements = C::data_elements * C::rank_count;

public:
    static constexpr bool is_root = true;

    gather_headed_root(unsigned rank, const ins<C, Ins> &in, const outs<C, 0> & = {}) : member<C>(rank), in_(in) {}

    template <typename Data, typename All>
    void gather(Data &&send, unsigned count, All &&receive, unsigned *counts) {
        const T *own = this->template constant<C::data_elements>(send);
        T *all = this->template memory<all_elements>(receive);
        this->contributes(own, count);
        counts[this->rank()] = count;
        for (unsigned chunk = 0; chunk < windows_of<C>(count); ++chunk) {
            T *to = blocks<C>::at(all, this->rank(), chunk);
            window::copy(blocks<C>::at(own, 0, chunk), to, elements_in<C>(count, chunk));
        }
        for (unsigned child = 0; child < Ins; ++child) {
            for (unsigned i = Order::first[child]; i < Order::first[child + 1]; ++i) {
                counts[Order::ranks[i]] = take(in_[child], all, Order::ranks[i]);
            }
        }
        this->results(all, all_elements);
    }

private:
    unsigned take(in_port<T> in, T *all, unsigned rank) {
        const unsigned count = header<C>::receive(in);
        for (unsigned chunk = 0; chunk < windows_of<C>(count); ++chunk) {
            window::receive(in, blocks<C>::at(all, rank, chunk), elements_in<C>(count, chunk));
        }
        return count;
    }

    ins<C, Ins> in_;
};

} // namespace aiec
