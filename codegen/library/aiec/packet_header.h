// Packets that ranks write and read word by word: channel_any.h, mailbox.h, active.h.
#pragma once

#include <adf.h>

// True if the condition holds, which is a misuse of the port. Only simulators look.
#ifndef AIEC_MISUSED
#define AIEC_MISUSED(port, what, condition) false
#endif

namespace aiec {

// What a packet is, in the type of its header.
enum class packet_kind : unsigned {
    part,  // elements
    end,   // elements, the last of an opening, a message, or a reply
    ask,   // a rank asks the root to let it send a packet, or calls a handler
    grant, // the root lets it
    leave, // a rank has ended its call, or the root says that all have
};

// The header word (AM009 and UG1079, "Packet Processing"): the id in bits 4 to 0, the type in 14 to
// 12, odd parity in 31. Switches route by the id alone. So row (20 to 16) and column (27 to 21) are
// not those of the source here: they are the numbers of receiver and sender among the ranks without
// the root.
class packet_header {
public:
    packet_header(unsigned id, packet_kind kind, unsigned to, unsigned from)
        : word_(with_parity(id | static_cast<unsigned>(kind) << 12 | to << 16 | from << 21)) {}
    explicit packet_header(input_pktstream *in) : word_(static_cast<unsigned>(readincr(in))) {}

    int32 word() const { return static_cast<int32>(word_); }
    packet_kind kind() const { return static_cast<packet_kind>(word_ >> 12 & 7); }
    unsigned to() const { return word_ >> 16 & 31; }
    unsigned from() const { return word_ >> 21 & 31; }

private:
    static constexpr unsigned with_parity(unsigned word) {
        unsigned ones = word ^ word >> 16;
        ones ^= ones >> 8, ones ^= ones >> 4, ones ^= ones >> 2, ones ^= ones >> 1;
        return word | (~ones & 1) << 31;
    }

    unsigned word_;
};

// A packet that only says something. No document shows a packet without data, so it has a word.
inline void send_signal(output_pktstream *out, const packet_header &header) {
    writeincr(out, header.word(), false);
    writeincr(out, 0, true);
}

// The number of a rank among those that are not the root.
template <typename Collective>
constexpr unsigned number_among_others(unsigned rank) {
    return rank < Collective::root ? rank : rank - 1;
}

// The rank with this number among those that are not the root.
template <typename Collective>
constexpr unsigned rank_among_all(unsigned number) {
    return number < Collective::root ? number : number + 1;
}

// Elements of 32 bits as words.
template <typename Element>
union word_of {
    Element element;
    int32 word;
    static_assert(sizeof(Element) == 4, "a packet carries words");
};

} // namespace aiec
