// What happens to the elements of one window. All loops over elements are here.
//
// A pass goes once over a window: it takes the next elements from some input ports, combines them with the rank's own
// data, keeps the outcome in memory, gives it to some output ports, or several of these. It does so with vectors of 256
// bits (128 if the window is not a multiple of that), then element by element, and fills up what it gives with zeros.
#pragma once

#include "memory.h"
#include "ops.h"
#include "ports.h"

namespace aiec {

// Elements in a vector of a pass for a collective; 0 if it goes element by element.
template <typename Collective, bool Combines>
constexpr unsigned lanes_of() {
    using Element = typename Collective::element_type;
    constexpr unsigned bytes = Collective::window_elements * sizeof(Element);
    constexpr unsigned lanes = (bytes % 32 == 0 ? 32 : 16) / sizeof(Element);
    if constexpr (!Collective::vectorised || !has_vectors<Element> || bytes % 16 != 0) {
        return 0;
    } else if constexpr (Combines) {
        return has_vector_form<typename Collective::op_type, aie::vector<Element, lanes>> ? lanes : 0;
    } else {
        return lanes;
    }
}

// --- one pass -----------------------------------------------------------------------------------------------------

// The first `Before` input ports are combined before the own data, the others after it. All ports are held. `Reader`
// reads what comes in by one of them.
template <typename Collective, unsigned Before, typename Memory, unsigned Ins, unsigned Outs,
          typename Reader = reader<typename Collective::element_type>>
class pass {
    using Element = typename Collective::element_type;
    static constexpr unsigned window = Collective::window_elements;
    static constexpr bool combines = Ins + (Memory::has_own ? 1 : 0) > 1;
    static constexpr unsigned lanes = Memory::has_vectors ? lanes_of<Collective, combines>() : 0;

public:
    template <typename Port>
    pass(list<Port, Ins> in, outs<Collective, Outs> out, Memory memory) : memory_(memory) {
        open_in<0>(in);
        open_out<0>(out);
    }

    // Goes over the first `count` elements; `Whole` says that these are the whole window.
    template <bool Whole>
    void run(unsigned count) {
        if constexpr (combines && lanes > 0) {
            if constexpr (narrows<typename Collective::op_type>) {
                const aie::saturation_mode mode = aie::get_saturation();
                aie::set_saturation(aie::saturation_mode::none);
                go<Whole>(count);
                aie::set_saturation(mode);
                return;
            }
        }
        go<Whole>(count);
    }

private:
    template <bool Whole>
    void go([[maybe_unused]] unsigned count) {
        const unsigned end = Whole ? window : count;
        unsigned at = 0;
        if constexpr (lanes > 0) {
            const unsigned vectors = end / lanes;
            if (vectors > 0) {
                for (unsigned i = 0; i < vectors; ++i)
                chess_prepare_for_pipelining chess_loop_range(1, window / lanes) {
                    next<aie::vector<Element, lanes>>();
                }
            }
            at = vectors * lanes;
        }
        if constexpr (lanes == 0 || !Whole) {
            for (; at < end; ++at) chess_prepare_for_pipelining {
                next<Element>();
            }
        }
        if constexpr (!Whole) {
            skip<0>(window - at);
            if constexpr (Outs > 0) {
                fill_up(at);
            }
        }
    }

    // Zeros from element `at` to the end of the windows that are given.
    void fill_up(unsigned at) {
        if constexpr (lanes > 0) {
            for (; at < window && at % lanes != 0; ++at) {
                give<0>(Element{});
            }
            for (; at < window; at += lanes) {
                give<0>(aie::zeros<Element, lanes>());
            }
        } else {
            for (; at < window; ++at) {
                give<0>(Element{});
            }
        }
    }

    // The next elements, one or a vector of them.
    template <typename Vector>
    void next() {
        const Vector value = combined<Vector>();
        memory_.template keep<Vector>(value);
        give<0>(value);
    }

    template <typename Vector>
    Vector combined() {
        if constexpr (Before > 0) {
            const Vector before = folded<1, Before>(take<Vector>(0));
            if constexpr (Memory::has_own) {
                const Vector own = memory_.template own<Vector>();
                memory_.template taken<Vector>(before);
                return folded<Before, Ins>(combine(before, own));
            } else {
                return folded<Before, Ins>(before);
            }
        } else if constexpr (Memory::has_own) {
            return folded<0, Ins>(memory_.template own<Vector>());
        } else {
            return folded<1, Ins>(take<Vector>(0));
        }
    }

    // `value` combined with what comes from ports `At` up to `End`.
    template <unsigned At, unsigned End, typename Vector>
    Vector folded(const Vector &value) {
        if constexpr (At < End) {
            return folded<At + 1, End>(combine(value, take<Vector>(At)));
        } else {
            return value;
        }
    }

    template <typename Vector>
    static Vector combine(const Vector &a, const Vector &b) {
        if constexpr (is_vector<Vector>) {
            return Collective::op_type::apply_vector(a, b);
        } else {
            return Collective::op_type::apply(a, b);
        }
    }

    template <typename Vector>
    Vector take(unsigned port) {
        Vector value;
        readers_[port].next(value);
        return value;
    }

    template <unsigned At, typename Vector>
    void give(const Vector &value) {
        if constexpr (At < Outs) {
            writers_[At].put(value);
            give<At + 1>(value);
        }
    }

    template <unsigned At>
    void skip([[maybe_unused]] unsigned elements) {
        if constexpr (At < Ins) {
            readers_[At].skip(elements);
            skip<At + 1>(elements);
        }
    }

    template <unsigned At, typename Port>
    void open_in(list<Port, Ins> in) {
        if constexpr (At < Ins) {
            readers_[At] = Reader(in[At]);
            open_in<At + 1>(in);
        }
    }
    template <unsigned At>
    void open_out(outs<Collective, Outs> out) {
        if constexpr (At < Outs) {
            writers_[At] = writer<Element>(out[At]);
            open_out<At + 1>(out);
        }
    }

    list<Reader, Ins> readers_;
    list<writer<Element>, Outs> writers_;
    Memory memory_;
};

// --- windows that are acquired, passed over and released ------------------------------------------------------------

// Acquires all ports, inputs first; goes over the windows; releases them in the reverse order (thesis 4.4.2).
template <typename Collective, unsigned Before, bool Whole, typename Memory, unsigned Ins, unsigned Outs>
void step(ins<Collective, Ins> in, outs<Collective, Outs> out, Memory memory, unsigned count) {
    for (unsigned i = 0; i != Ins; ++i) chess_flatten_loop {
        acquire(in[i]);
    }
    for (unsigned o = 0; o != Outs; ++o) chess_flatten_loop {
        acquire(out[o]);
    }
    pass<Collective, Before, Memory, Ins, Outs>(in, out, memory).template run<Whole>(count);
    for (unsigned o = Outs; o != 0; --o) chess_flatten_loop {
        release(out[o - 1]);
    }
    for (unsigned i = Ins; i != 0; --i) chess_flatten_loop {
        release(in[i - 1]);
    }
}

// The number of elements in window `chunk` of a block of so many.
template <typename Collective>
constexpr unsigned elements_in(unsigned block, unsigned chunk) {
    const unsigned first = chunk * Collective::window_elements;
    const unsigned left = block > first ? block - first : 0;
    return left < Collective::window_elements ? left : Collective::window_elements;
}

// One window between ports and memory. `Whole`: windows are full; `Aligned`: they start at aligned addresses.
template <typename Collective, bool Whole, bool Aligned>
struct windows {
    using Element = typename Collective::element_type;
    using from_memory = cursor<const Element, Aligned>;
    using to_memory = cursor<Element, Aligned>;

    static void send(out_port<Element> out, const Element *from, unsigned count) {
        step<Collective, 0, Whole>(ins<Collective, 0>{}, outs<Collective, 1>{out},
                                   reads<from_memory>(from_memory(from)), count);
    }
    static void receive(in_port<Element> in, Element *to, unsigned count) {
        step<Collective, 0, Whole>(ins<Collective, 1>{in}, outs<Collective, 0>{}, stores<to_memory>(to_memory(to)),
                                   count);
    }
    // Combines what comes, from lower or from higher ranks, with the data in its place.
    static void combine_lower(in_port<Element> in, Element *data, unsigned count) {
        step<Collective, 1, Whole>(ins<Collective, 1>{in}, outs<Collective, 0>{}, updates<to_memory>(to_memory(data)),
                                   count);
    }
    static void combine_higher(in_port<Element> in, Element *data, unsigned count) {
        step<Collective, 0, Whole>(ins<Collective, 1>{in}, outs<Collective, 0>{}, updates<to_memory>(to_memory(data)),
                                   count);
    }
    static void combine(in_port<Element> in, bool lower, Element *data, unsigned count) {
        if (Collective::commutative || lower) {
            combine_lower(in, data, count);
        } else {
            combine_higher(in, data, count);
        }
    }
    // Combines what comes from lower ranks with `own`, to another place.
    static void combine_to(in_port<Element> in, const Element *own, Element *to, unsigned count) {
        const moves<from_memory, to_memory> memory(from_memory{own}, to_memory{to});
        step<Collective, 1, Whole>(ins<Collective, 1>{in}, outs<Collective, 0>{}, memory, count);
    }
    // Passes a window on, whatever it holds.
    static void forward(in_port<Element> in, out_port<Element> out) {
        step<Collective, 0, true>(ins<Collective, 1>{in}, outs<Collective, 1>{out}, no_memory(),
                                  Collective::window_elements);
    }
    static void copy(const Element *from, Element *to, unsigned count) {
        const moves<from_memory, to_memory> memory(from_memory{from}, to_memory{to});
        step<Collective, 0, Whole>(ins<Collective, 0>{}, outs<Collective, 0>{}, memory, count);
    }
};

// Blocks of data_elements, one or several behind each other: of how many windows, and how these lie.
template <typename Collective>
struct blocks {
    static constexpr unsigned count = Collective::data_elements;
    static constexpr bool whole = count % Collective::window_elements == 0;
    static constexpr bool aligned = count * sizeof(typename Collective::element_type) % 32 == 0;

    using single = windows<Collective, whole, true>;     // of an array that is one block
    using several = windows<Collective, whole, aligned>; // of an array of several
    static constexpr unsigned elements(unsigned chunk) { return elements_in<Collective>(count, chunk); }

    // Window `chunk` of a block.
    template <typename Element>
    static Element *at(Element *array, unsigned block, unsigned chunk) {
        return array + block * count + chunk * Collective::window_elements;
    }
};

} // namespace aiec
