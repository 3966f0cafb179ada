// Loops over the elements of one window. All loops over elements are here.
//
// A pass goes once over a window. It takes the next elements from some input ports, combines them
// with the rank's own data, stores the result in memory, writes it to some output ports, or does
// several of these. Its loops go by vectors of 256 bits (128 if the window is not a multiple of
// that), then element by element. They use plain pointers, taken while the ports are held (UG1079,
// "Load and Store Using Pointers"). The rest of an output window is filled with zeros.
//
// A core loads 512 bits, stores 256 bits and computes once a cycle (AM009). So where several
// windows are combined, one iteration takes two vectors of each. With own data, an even number of
// windows makes an odd number of loads for each vector, and integers of 16 and 32 bits are added
// and compared 512 bits at a time.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "element.h"
#include "ends.h"
#include "memory.h"
#include "ops.h"

namespace aiec {

// What a pass knows of a collective: collectives with equal windows share the code of their passes.
// `Op` is void where no values are combined.
template <typename Op, typename Element, unsigned Elements, bool Vectorised, bool Streams>
struct passed {
    using op_type = Op;
    using element_type = Element;
    static constexpr unsigned window_elements = Elements;
    static constexpr bool vectorised = Vectorised;
    static constexpr bool over_streams = Streams;
};
template <typename Collective, bool Combines>
using passed_of = passed<std::conditional_t<Combines, typename Collective::op_type, void>,
                         typename Collective::element_type, Collective::window_elements, Collective::vectorised,
                         over_streams<Collective>>;

// The type a pass works on: the element type, or another of equal bits that has vectors. A stream
// has elements of its own type.
template <typename Collective, bool Combines>
struct pass_element {
    using own_type = typename Collective::element_type;
    static constexpr bool bits_suffice = !Combines || ignores_signs<typename Collective::op_type>;
    using type = std::conditional_t<Collective::vectorised && bits_suffice && !over_streams<Collective>,
                                    typename lane<own_type>::type, own_type>;
};

// Elements in a vector of a pass for a collective; 0 if it goes element by element.
template <typename Collective, bool Combines>
constexpr unsigned lanes_of() {
    using Element = typename pass_element<Collective, Combines>::type;
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

// Calls `run`, in which integers wrap on their way out of accumulators if `Wraps`.
template <bool Wraps, typename Run>
void wrapping_around(Run run) {
    if constexpr (Wraps) {
        const aie::saturation_mode mode = aie::get_saturation();
        aie::set_saturation(aie::saturation_mode::none);
        run();
        aie::set_saturation(mode);
    } else {
        run();
    }
}

// --- one turn ------------------------------------------------------------------------------------

// Handles the next elements, one or a vector of them. The first `Before` inputs are combined before
// the own data, the rest after it.
template <typename Collective, unsigned Before, typename Memory>
struct node {
    // The result for the input values.
    template <typename Value, typename From, typename To, typename... In>
    static Value outcome([[maybe_unused]] From from, [[maybe_unused]] To to, const In &...in) {
        if constexpr (!Memory::has_own) {
            const Value value = in_order(in...);
            Memory::keep_outcome(to, value);
            return value;
        } else if constexpr (Memory::keeps_taken) {
            static_assert(Before == sizeof...(In) && Before > 0, "inputs come before own data");
            const Value taken = in_order(in...);
            const Value own = Memory::template own<Value>(from, to);
            Memory::keep_taken(to, taken);
            return combine(taken, own);
        } else {
            const Value value = with_own<Before>(Memory::template own<Value>(from, to), in...);
            Memory::keep_outcome(to, value);
            return value;
        }
    }

private:
    template <typename Value>
    static Value combine(const Value &a, const Value &b) {
        if constexpr (is_vector<Value>) {
            return Collective::op_type::apply_vector(a, b);
        } else {
            return Collective::op_type::apply(a, b);
        }
    }

    // Values from left to right.
    template <typename Value>
    static Value in_order(const Value &only) { return only; }
    template <typename Value, typename... More>
    static Value in_order(const Value &a, const Value &b, const More &...more) {
        return in_order(combine(a, b), more...);
    }
    // As above, with `own` behind the first `Left` values.
    template <unsigned Left, typename Value, typename... More>
    static Value with_own(const Value &own, const More &...more) {
        if constexpr (Left == 0) {
            return in_order(own, more...);
        } else {
            return behind<Left - 1>(own, more...);
        }
    }
    template <unsigned Left, typename Value, typename... More>
    static Value behind(const Value &own, const Value &first, const More &...more) {
        if constexpr (Left == 0) {
            return in_order(combine(first, own), more...);
        } else {
            return next_behind<Left>(own, first, more...);
        }
    }
    template <unsigned Left, typename Value, typename... More>
    static Value next_behind(const Value &own, const Value &first, const Value &second, const More &...more) {
        return behind<Left - 1>(own, combine(first, second), more...);
    }
};

// --- the loop ------------------------------------------------------------------------------------

template <typename Place, std::size_t>
using each = Place;

template <typename Node, typename Memory, typename In, typename Out, typename Ins, typename Outs>
struct loop;
template <typename Node, typename Memory, typename In, typename Out, std::size_t... i, std::size_t... o>
struct loop<Node, Memory, In, Out, std::index_sequence<i...>, std::index_sequence<o...>> {
    // `turns` times `Values` consecutive values; at least `Least` turns and at most `Most`. `In`
    // and `Out` are places; pointers do not alias.
    template <typename Value, unsigned Values, unsigned Least, unsigned Most>
    static void run(unsigned turns, typename Memory::from_type from, typename Memory::to_type to,
                    each<In, i>... in, each<Out, o>... out) {
        constexpr unsigned step = elements_of<Value>();
        for (unsigned turn = 0; turn < turns; ++turn)
        chess_prepare_for_pipelining chess_loop_range(Least, Most) {
            [[maybe_unused]] const Value first = Node::template outcome<Value>(from, to, load<Value>(in)...);
            (store(out, first), ...);
            from += step, to += step;
            ((in += step), ...);
            ((out += step), ...);
            if constexpr (Values == 2) {
                [[maybe_unused]] const Value second = Node::template outcome<Value>(from, to, load<Value>(in)...);
                (store(out, second), ...);
                from += step, to += step;
                ((in += step), ...);
                ((out += step), ...);
            }
        }
    }
};

// --- one pass ------------------------------------------------------------------------------------

// The first `Before` input ports are combined before the own data, the others after it. All ports
// are held.
template <typename Collective, unsigned Before, typename Memory, typename In, unsigned Ins, typename Out, unsigned Outs>
class pass {
    using op = typename Collective::op_type;
    static constexpr unsigned window = Collective::window_elements;
    static constexpr bool combines = Ins + (Memory::has_own ? 1 : 0) > 1;
    using Element = typename pass_element<Collective, combines>::type;
    static constexpr unsigned lanes = Memory::has_vectors ? lanes_of<Collective, combines>() : 0;
    // True if a turn takes two vectors.
    static constexpr bool two = lanes > 0 && combines && Ins > 1 && window >= 2 * lanes;

public:
    pass(const list<In, Ins> &in, const list<Out, Outs> &out, const Memory &memory)
        : in_(in), out_(out), memory_(memory) {}

    // Goes over the first `count` elements. With `Whole` these are the whole window.
    template <bool Whole>
    void run(unsigned count) const {
        wrapping_around<combines && lanes != 0 && narrows<op>>([&] { go<Whole>(count); });
    }

private:
    template <bool Whole>
    void go([[maybe_unused]] unsigned count) const {
        const unsigned end = Whole ? window : count;
        unsigned at = 0;
        if constexpr (two) {
            at = pairs<Whole>(end);
        }
        if constexpr (lanes > 0 && (!two || !Whole || window % (2 * lanes) != 0)) {
            constexpr unsigned most = two ? 1 : window / lanes;
            at += turns<aie::vector<Element, lanes>, 1, Whole ? most : 1, most>((end - at) / lanes, at) * lanes;
        }
        if constexpr (lanes == 0 || !Whole) {
            turns<Element, 1, lanes == 0 && Whole ? window : 1, lanes == 0 ? window : lanes - 1>(end - at, at);
        }
        if constexpr (!Whole && Outs > 0) {
            fill_up(end, numbers_of_outs());
        }
    }

    // Runs as many turns of two vectors as fit. Returns the number of elements done.
    template <bool Whole>
    unsigned pairs(unsigned end) const {
        constexpr unsigned most = window / (2 * lanes), least = Whole ? most : 1;
        if constexpr (is_wide<op, Element> && lanes * sizeof(Element) == 32) {
            return turns<aie::vector<Element, 2 * lanes>, 1, least, most>(end / (2 * lanes), 0) * 2 * lanes;
        } else {
            return turns<aie::vector<Element, lanes>, 2, least, most>(end / (2 * lanes), 0) * 2 * lanes;
        }
    }

    // Runs `count` turns, starting at element `at`.
    template <typename Value, unsigned Values, unsigned Least, unsigned Most>
    unsigned turns(unsigned count, unsigned at) const {
        if (count > 0) {
            begin<Value, Values, Least, Most>(count, at, std::make_index_sequence<Ins>(), numbers_of_outs());
        }
        return count;
    }
    template <typename Value, unsigned Values, unsigned Least, unsigned Most, std::size_t... i, std::size_t... o>
    void begin(unsigned count, unsigned at, std::index_sequence<i...>, std::index_sequence<o...>) const {
        auto places = as<Element>(memory_);
        using cells = decltype(places);
        using all = loop<node<Collective, Before, cells>, cells, place_of<In>, place_of<Out>,
                         std::index_sequence<i...>, std::index_sequence<o...>>;
        if constexpr (lanes > 0) {
            places.from += at, places.to += at;
        }
        all::template run<Value, Values, Least, Most>(count, places.from, places.to,
                                                      (as<Element>(start(in_[i])) + at)...,
                                                      (as<Element>(start(out_[o])) + at)...);
    }

    // Zeros from element `at` to the end of the windows that are given.
    template <std::size_t... o>
    void fill_up(unsigned at, std::index_sequence<o...>) const {
        (fill_up(as<Element>(start(out_[o])), at), ...);
    }
    static void fill_up(const stream_target<Element> &to, unsigned at) {
        for (; at < window; ++at) {
            to.store(Element{});
        }
    }
    static void fill_up(Element *__restrict to, unsigned at) {
        if constexpr (lanes > 0) {
            for (; at < window && at % lanes != 0; ++at) {
                to[at] = Element{};
            }
            for (; at < window; at += lanes) chess_prepare_for_pipelining {
                aie::store_v(to + at, aie::zeros<Element, lanes>());
            }
        } else {
            for (; at < window; ++at) {
                to[at] = Element{};
            }
        }
    }

    // The place of a port as a parameter of the loop.
    template <typename Port>
    using place_of = typename parameter<decltype(as<Element>(start(std::declval<const Port &>())))>::type;

    static auto numbers_of_outs() { return std::make_index_sequence<Outs>(); }

    const list<In, Ins> &in_;
    const list<Out, Outs> &out_;
    const Memory &memory_;
};

// --- windows that are acquired, passed over and released -----------------------------------------

// Acquires all ports, inputs first; goes over the windows; releases them in the reverse order.
template <typename Collective, unsigned Before, bool Whole, typename Memory, typename In, unsigned Ins, typename Out,
          unsigned Outs>
void step(const list<In, Ins> &in, const list<Out, Outs> &out, const Memory &memory, unsigned count) {
    for (unsigned i = 0; i != Ins; ++i) chess_flatten_loop {
        acquire(in[i]);
    }
    for (unsigned o = 0; o != Outs; ++o) chess_flatten_loop {
        acquire(out[o]);
    }
    using windows_of = passed_of<Collective, (Ins + (Memory::has_own ? 1 : 0) > 1)>;
    pass<windows_of, Before, Memory, In, Ins, Out, Outs>(in, out, memory).template run<Whole>(count);
    for (unsigned o = Outs; o != 0; --o) chess_flatten_loop {
        release(out[o - 1]);
    }
    for (unsigned i = Ins; i != 0; --i) chess_flatten_loop {
        release(in[i - 1]);
    }
}

// The number of elements in window `chunk` of a block of `block` elements.
template <typename Collective>
constexpr unsigned elements_in(unsigned block, unsigned chunk) {
    const unsigned first = chunk * Collective::window_elements;
    const unsigned left = block > first ? block - first : 0;
    return left < Collective::window_elements ? left : Collective::window_elements;
}

// One window between ports and memory. `Whole`: windows are full; `Aligned`: they start at aligned
// addresses.
template <typename Collective, bool Whole, bool Aligned>
struct windows {
    using Element = typename Collective::element_type;

    // `Out`: an asynchronous port, or one that is the kernel's during a whole firing.
    template <typename Out>
    static void send(const Out &out, const Element *from, unsigned count) {
        step<Collective, 0, Whole>(ins<Collective, 0>{}, list<Out, 1>{out}, reads<Aligned>(from), count);
    }
    static void receive(in_end<Collective> in, Element *to, unsigned count) {
        step<Collective, 0, Whole>(ins<Collective, 1>{in}, outs<Collective, 0>{}, stores<Aligned>(to), count);
    }
    // Combines the input from lower or from higher ranks with the data, in its place.
    static void combine_lower(in_end<Collective> in, Element *data, unsigned count) {
        step<Collective, 1, Whole>(ins<Collective, 1>{in}, outs<Collective, 0>{}, updates<Aligned>(data), count);
    }
    static void combine_higher(in_end<Collective> in, Element *data, unsigned count) {
        step<Collective, 0, Whole>(ins<Collective, 1>{in}, outs<Collective, 0>{}, updates<Aligned>(data), count);
    }
    static void combine(in_end<Collective> in, bool lower, Element *data, unsigned count) {
        if (Collective::commutative || lower) {
            combine_lower(in, data, count);
        } else {
            combine_higher(in, data, count);
        }
    }
    // Combines the input from lower ranks with `own`, and stores the result elsewhere.
    static void combine_to(in_end<Collective> in, const Element *own, Element *to, unsigned count) {
        step<Collective, 1, Whole>(ins<Collective, 1>{in}, outs<Collective, 0>{}, moves<Aligned>(own, to), count);
    }
    // Passes a window on, whatever it holds.
    template <typename Out>
    static void forward(in_end<Collective> in, const Out &out) {
        step<Collective, 0, true>(ins<Collective, 1>{in}, list<Out, 1>{out}, no_memory(),
                                  Collective::window_elements);
    }
    static void copy(const Element *from, Element *to, unsigned count) {
        step<Collective, 0, Whole>(ins<Collective, 0>{}, outs<Collective, 0>{}, moves<Aligned>(from, to), count);
    }
};

// One or several consecutive blocks of data_elements: their number of windows, and the positions of
// these.
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
