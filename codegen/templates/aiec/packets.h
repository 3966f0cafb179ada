// Packets that reach a root merged into one stream (pktmerge): its core reads them word by word, and needs no window,
// DMA channel or lock for them. A packet is a header word and a window (AM009). Packets of one rank come in order,
// those of several as it happens; the number in a header says whose a packet is.
//
// Nobody may send for a call that the root has not begun, since it could not put that anywhere. Where ranks wait for an
// answer of the root nobody does; elsewhere the root begins a call with a signal to all, which they take before they
// send.
#pragma once

#include <cstring>

#include <adf.h>
#include <aie_api/aie.hpp>

#include "signals.h"
#include "windows.h"

namespace aiec {

// "Send": 16 bytes from the root to all others.
template <typename Collective>
using go = signals<Collective, 16 / sizeof(typename Collective::element_type)>;

// Reads the window of a packet, as a reader does that of a port (ports.h): a word a cycle.
template <typename Element>
class packet_reader {
    static constexpr unsigned in_word = sizeof(Element) < 4 ? 4 / sizeof(Element) : 1; // elements

public:
    packet_reader() = default;
    explicit packet_reader(input_pktstream *in) : in_(in) {}

    void next(Element &value) {
        if constexpr (in_word > 1) {
            if (left_ == 0) {
                word_ = static_cast<unsigned>(readincr(in_));
                left_ = in_word;
            }
            value = static_cast<Element>(word_);
            word_ >>= 8 * sizeof(Element);
            --left_;
        } else {
            int32 words[sizeof(Element) / 4];
            for (int32 &word : words) chess_flatten_loop {
                word = readincr(in_);
            }
            std::memcpy(&value, words, sizeof(Element));
        }
    }
    // Vectors begin where words do.
    template <unsigned Lanes>
    void next(aie::vector<Element, Lanes> &value) {
        constexpr unsigned count = Lanes * sizeof(Element) / 4;
        aie::vector<int32, count> words;
        for (unsigned i = 0; i < count; ++i) chess_flatten_loop {
            words.set(readincr(in_), i);
        }
        value = words.template cast_to<Element>();
    }
    void skip(unsigned elements) {
        for (Element padding; elements != 0; --elements) {
            next(padding);
        }
    }

private:
    input_pktstream *in_ = nullptr;
    unsigned word_ = 0; // of which so many elements are
    unsigned left_ = 0; // left
};

// The packets of the ranks but Collective::root, `Senders` of them: the inputs of the merge, in their order.
template <typename Collective, unsigned Senders>
class merged_packets {
    using Element = typename Collective::element_type;
    using block = blocks<Collective>;
    static_assert(Collective::window_elements * sizeof(Element) % 4 == 0, "a packet is whole words");

public:
    explicit merged_packets(input_pktstream *in) : in_(in) {
        for (unsigned i = 0; i < Senders; ++i) {
            rank_of_[number_of(getPacketid(in, static_cast<int>(i)))] = i < Collective::root ? i : i + 1;
        }
    }

    // Takes `count` packets: `use(rank, chunk)` takes what is in one of them, window `chunk` of the rank's block.
    template <typename Use>
    void each(unsigned count, Use use) {
        unsigned chunks[Collective::rank_count] = {};
        for (; count != 0; --count) {
            const unsigned rank = rank_of_[number_of(static_cast<unsigned>(readincr(in_)))];
            use(rank, chunks[rank]++);
        }
    }

    // What is in one: `elements` that go into memory, or all of the window if `Whole`.
    template <bool Whole, typename Memory>
    void take(Memory memory, unsigned elements) {
        using packet = pass<Collective, 0, Memory, 1, 0, packet_reader<Element>>;
        packet(list<input_pktstream *, 1>{in_}, outs<Collective, 0>{}, memory).template run<Whole>(elements);
    }

    // All blocks of a call, combined with the data in its place.
    void combine(Element *data) {
        each(Senders * Collective::chunks_per_call, [&](unsigned, unsigned chunk) {
            const cursor<Element, true> to(block::at(data, 0, chunk));
            take<block::whole>(updates<cursor<Element, true>>(to), block::elements(chunk));
        });
    }

private:
    // A header's lowest 5 bits (AM009).
    static unsigned number_of(unsigned header) { return header % 32; }

    input_pktstream *in_;
    unsigned char rank_of_[32] = {}; // by number
};

} // namespace aiec
