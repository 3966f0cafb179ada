// The array that the root of a gather or scatter has for the blocks of all ranks, and windows of it.
#pragma once

#include "windows.h"

namespace aiec {

template <typename C>
class root_array {
    using T = typename C::element_type;

public:
    static constexpr bool runs = C::run_elements > 0; // with gaps between them

private:

    // Elements up to the end of a rank's block.
    static constexpr unsigned end_of(unsigned rank) {
        const unsigned count = C::count(rank);
        if (count == 0) {
            return 0;
        }
        if constexpr (runs) {
            const unsigned run = (count - 1) / C::run_elements, in_run = (count - 1) % C::run_elements;
            return C::first(rank) + run * C::stride_elements + in_run + 1;
        } else {
            return C::first(rank) + count;
        }
    }
    static constexpr unsigned last_end() {
        unsigned last = 0;
        for (unsigned rank = 0; rank < C::rank_count; ++rank) {
            last = end_of(rank) > last ? end_of(rank) : last;
        }
        return last;
    }
    static constexpr bool all_full() {
        for (unsigned rank = 0; rank < C::rank_count; ++rank) {
            if (C::count(rank) != C::data_elements) {
                return false;
            }
        }
        return C::data_elements % C::window_elements == 0;
    }
    static constexpr bool all_aligned() {
        for (unsigned rank = 0; rank < C::rank_count; ++rank) {
            if (C::first(rank) * sizeof(T) % 32 != 0) {
                return false;
            }
        }
        return true;
    }
    static constexpr bool whole = all_full(), aligned = all_aligned();

    // Memory of a rank's block from window `chunk` on.
    template <typename Element>
    static auto at(Element *all, unsigned rank, unsigned chunk) {
        Element *block = all + C::first(rank);
        const unsigned first = chunk * C::window_elements;
        if constexpr (runs) {
            return strided_cursor<Element, C::run_elements, C::stride_elements>(block, first);
        } else {
            return cursor<Element, aligned>(block + first);
        }
    }
    static unsigned elements_of(unsigned rank, unsigned chunk) { return elements_in<C>(C::count(rank), chunk); }

public:
    static constexpr unsigned elements = last_end(); // of the array, gaps between blocks included

    // Windows of a rank's own block.
    using own = windows<C, whole, true>;

    static void receive(in_port<T> in, T *all, unsigned rank, unsigned chunk) {
        auto to = at(all, rank, chunk);
        step<C, 0, whole>(ins<C, 1>{in}, outs<C, 0>{}, stores<decltype(to)>(to), elements_of(rank, chunk));
    }
    static void send(out_port<T> out, const T *all, unsigned rank, unsigned chunk) {
        auto from = at(all, rank, chunk);
        step<C, 0, whole>(ins<C, 0>{}, outs<C, 1>{out}, reads<decltype(from)>(from), elements_of(rank, chunk));
    }

    // The root's own block, which does not travel.
    static void store_own(const T *own, T *all, unsigned rank) {
        for (unsigned chunk = 0; chunk < C::windows(rank); ++chunk) {
            cursor<const T, true> from(own + chunk * C::window_elements);
            copy(from, at(all, rank, chunk), elements_of(rank, chunk));
        }
    }
    static void load_own(const T *all, T *own, unsigned rank) {
        for (unsigned chunk = 0; chunk < C::windows(rank); ++chunk) {
            cursor<T, true> to(own + chunk * C::window_elements);
            copy(at(all, rank, chunk), to, elements_of(rank, chunk));
        }
    }

private:
    template <typename From, typename To>
    static void copy(From from, To to, unsigned count) {
        step<C, 0, whole>(ins<C, 0>{}, outs<C, 0>{}, moves<From, To>(from, to), count);
    }
};

} // namespace aiec
