// The root's array for the blocks of all ranks in a gather or scatter, and windows of it.
#pragma once

#include "windows.h"

namespace aiec {

template <typename Collective>
class root_array {
    using Element = typename Collective::element_type;

public:
    static constexpr bool runs = Collective::run_elements > 0; // with gaps between them

private:

    // Elements up to the end of a rank's block.
    static constexpr unsigned end_of(unsigned rank) {
        const unsigned count = Collective::count(rank);
        if (count == 0) {
            return 0;
        }
        if constexpr (runs) {
            const unsigned run = (count - 1) / Collective::run_elements;
            const unsigned in_run = (count - 1) % Collective::run_elements;
            return Collective::first(rank) + run * Collective::stride_elements + in_run + 1;
        } else {
            return Collective::first(rank) + count;
        }
    }
    static constexpr unsigned last_end() {
        unsigned last = 0;
        for (unsigned rank = 0; rank < Collective::rank_count; ++rank) {
            last = end_of(rank) > last ? end_of(rank) : last;
        }
        return last;
    }
    static constexpr bool all_full() {
        for (unsigned rank = 0; rank < Collective::rank_count; ++rank) {
            if (Collective::count(rank) != Collective::data_elements) {
                return false;
            }
        }
        return Collective::data_elements % Collective::window_elements == 0;
    }
    static constexpr bool all_aligned() {
        for (unsigned rank = 0; rank < Collective::rank_count; ++rank) {
            if (Collective::first(rank) * sizeof(Element) % 32 != 0) {
                return false;
            }
        }
        return true;
    }
    static constexpr bool whole = all_full(), aligned = all_aligned();

    // Memory of a rank's block from window `chunk` on.
    template <typename Stored>
    static auto at(Stored *all, unsigned rank, unsigned chunk) {
        Stored *block = all + Collective::first(rank);
        const unsigned first = chunk * Collective::window_elements;
        if constexpr (runs) {
            return strided<Stored, Collective::run_elements, Collective::stride_elements>(block, first);
        } else {
            return block + first;
        }
    }
    static unsigned elements_of(unsigned rank, unsigned chunk) {
        return elements_in<Collective>(Collective::count(rank), chunk);
    }

public:
    static constexpr unsigned elements = last_end(); // of the array, gaps between blocks included

    // Windows of a rank's own block.
    using own = windows<Collective, whole, true>;

    static void receive(in_end<Collective> in, Element *all, unsigned rank, unsigned chunk) {
        step<Collective, 0, whole>(ins<Collective, 1>{in}, outs<Collective, 0>{}, stores<aligned>(at(all, rank, chunk)),
                                   elements_of(rank, chunk));
    }
    // Takes a window with `take<Whole>(memory, elements)`, which stores it.
    template <typename Packets>
    static void receive(Packets &packets, Element *all, unsigned rank, unsigned chunk) {
        packets.template take<whole>(stores<aligned>(at(all, rank, chunk)), elements_of(rank, chunk));
    }
    static void send(out_end<Collective> out, const Element *all, unsigned rank, unsigned chunk) {
        step<Collective, 0, whole>(ins<Collective, 0>{}, outs<Collective, 1>{out}, reads<aligned>(at(all, rank, chunk)),
                                   elements_of(rank, chunk));
    }

    // The root's own block, which does not travel.
    static void store_own(const Element *own, Element *all, unsigned rank) {
        for (unsigned chunk = 0; chunk < Collective::windows(rank); ++chunk) {
            const Element *from = own + chunk * Collective::window_elements;
            copy(moves<true, aligned>(from, at(all, rank, chunk)), elements_of(rank, chunk));
        }
    }
    static void load_own(const Element *all, Element *own, unsigned rank) {
        for (unsigned chunk = 0; chunk < Collective::windows(rank); ++chunk) {
            Element *to = own + chunk * Collective::window_elements;
            copy(moves<aligned, true>(at(all, rank, chunk), to), elements_of(rank, chunk));
        }
    }

private:
    template <typename Memory>
    static void copy(const Memory &memory, unsigned count) {
        step<Collective, 0, whole>(ins<Collective, 0>{}, outs<Collective, 0>{}, memory, count);
    }
};

} // namespace aiec
