// Packets that reach a root merged into one stream (pktmerge). The root's core reads them word by
// word, without window, DMA channel or lock. A packet is a header word and a window (AM009).
// Packets of one rank arrive in order, packets of several ranks in any order. The number in a
// header identifies the sender.
//
// A rank must not send for a call that the root has not begun, since the root could not store the
// data. Where ranks wait for an answer of the root this holds by itself. Elsewhere the root begins
// a call with a signal to all ranks, which they take before they send.
#pragma once

#include <type_traits>

#include <adf.h>
#include <aie_api/aie.hpp>

#include "element.h"
#include "packet_header.h"
#include "signals.h"
#include "windows.h"

namespace aiec {

// The port of a rank into the merge. `Once`: the rank sends one window in each firing and waits for
// nothing after it. The kernel then holds the window for the whole firing, as a synchronous one.
template <typename Collective, bool Once, typename Element = typename Collective::element_type>
using merge_port = std::conditional_t<Once, whole_out_port<Element>, out_port<Element>>;

// "Send": 16 bytes from the root to all others.
template <typename Collective>
using go = signals<Collective, 16 / sizeof(typename Collective::element_type)>;

// The words of a stream, one per cycle, as elements and vectors. Vectors begin at word boundaries.
template <typename Element>
class packet_reader {
    static constexpr unsigned in_word = sizeof(Element) < 4 ? 4 / sizeof(Element) : 1; // elements

public:
    explicit packet_reader(input_pktstream *in) : in_(in) {}

    template <typename Value>
    Value next() {
        if constexpr (is_vector<Value>) {
            aie::vector<int32, Value::size() * sizeof(Element) / 4> words;
            for (unsigned i = 0; i < words.size(); ++i) chess_flatten_loop {
                words.set(readincr(in_), i);
            }
            return words.template cast_to<Element>();
        } else if constexpr (in_word > 1) {
            if (left_ == 0) {
                word_ = static_cast<unsigned>(readincr(in_));
                left_ = in_word;
            }
            const Element value = static_cast<Element>(word_);
            word_ >>= 8 * sizeof(Element);
            --left_;
            return value;
        } else {
            return of_words<Element>();
        }
    }
    void skip(unsigned elements) {
        for (; elements != 0; --elements) {
            next<Element>();
        }
    }

private:
    // A value of one or two words.
    template <typename Value>
    Value of_words() {
        if constexpr (std::is_same_v<Value, cint16>) {
            const unsigned word = static_cast<unsigned>(readincr(in_));
            Value value{};
            value.real = static_cast<int16>(word);
            value.imag = static_cast<int16>(word >> 16);
            return value;
        } else if constexpr (is_complex<Value>) {
            Value value{};
            value.real = of_words<decltype(value.real)>();
            value.imag = of_words<decltype(value.imag)>();
            return value;
        } else if constexpr (std::is_same_v<Value, float>) {
            union {
                int32 word;
                float number;
            } both;
            both.word = readincr(in_);
            return both.number;
        } else if constexpr (sizeof(Value) == 8) {
            const uint64 low = static_cast<unsigned>(readincr(in_));
            return static_cast<Value>(low | static_cast<uint64>(static_cast<unsigned>(readincr(in_))) << 32);
        } else {
            return static_cast<Value>(readincr(in_));
        }
    }

    input_pktstream *in_;
    unsigned word_ = 0;
    unsigned left_ = 0; // elements of word_ still to be read
};

// The packets of the ranks except Collective::root, `Senders` of them: the inputs of the merge, in
// their order.
template <typename Collective, unsigned Senders>
class merged_packets {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;
    static_assert(Collective::window_elements * sizeof(Element) % 4 == 0, "a packet is whole words");

public:
    explicit merged_packets(input_pktstream *in) : in_(in) {
        for (unsigned i = 0; i < Senders; ++i) {
            rank_of_[number_of(getPacketid(in, static_cast<int>(i)))] = rank_among_all<Collective>(i);
        }
    }

    // Takes `count` packets. `use(rank, chunk)` takes the content of one packet, window `chunk` of
    // the rank's block.
    template <typename Use>
    void each(unsigned count, Use use) {
        unsigned chunks[Collective::rank_count] = {};
        for (; count != 0; --count) {
            const unsigned rank = rank_of_[number_of(static_cast<unsigned>(readincr(in_)))];
            use(rank, chunks[rank]++);
        }
    }

    // The content of a packet: `elements` that go into memory, or all of the window if `Whole`.
    template <bool Whole, typename Memory>
    void take(const Memory &memory, unsigned elements) {
        constexpr bool combines = Memory::has_own;
        constexpr unsigned window = Collective::window_elements;
        constexpr unsigned lanes = Memory::has_vectors ? lanes_of<Collective, combines>() : 0;
        using cell = typename pass_element<Collective, combines>::type;
        const unsigned end = Whole ? window : elements;
        packet_reader<cell> packet(in_);
        auto places = as<cell>(memory);
        unsigned at = 0;
        if constexpr (lanes > 0) {
            wrapping_around<combines && narrows<typename Collective::op_type>>([&] {
                each_value<aie::vector<cell, lanes>>(packet, end / lanes, places, places.from, places.to);
            });
            at = end / lanes * lanes;
            places.from += at, places.to += at;
        }
        if constexpr (lanes == 0 || !Whole) {
            each_value<cell>(packet, end - at, places, places.from, places.to);
            packet.skip(window - end);
        }
    }

    // Combines all blocks of a call with the data, in its place.
    void combine(Element *data) {
        each(Senders * Collective::chunks_per_call, [&](unsigned, unsigned chunk) {
            take<block::whole>(updates(block::at(data, 0, chunk)), block::elements(chunk));
        });
    }

private:
    template <typename Value, typename Reader, typename Memory>
    static void each_value(Reader &packet, unsigned turns, const Memory &, typename Memory::from_type from,
                           typename Memory::to_type to) {
        for (; turns != 0; --turns) chess_prepare_for_pipelining {
            node<Collective, 0, Memory>::template outcome<Value>(from, to, packet.template next<Value>());
            from += elements_of<Value>(), to += elements_of<Value>();
        }
    }

    // A header's lowest 5 bits (AM009).
    static unsigned number_of(unsigned header) { return header % 32; }

    input_pktstream *in_;
    unsigned char rank_of_[32] = {}; // by number
};

} // namespace aiec
