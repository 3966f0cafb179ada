// Packets that ranks write and read word by word: channel_any.h, mailbox.h, active.h.
#pragma once

#include <adf.h>

namespace aiec {

// What `receive` says of a message. It is false if no more messages come in this run.
struct message {
    unsigned from = 0;  // rank of the sender
    unsigned count = 0; // elements
    bool came = false;

    explicit operator bool() const { return came; }
};

// What a packet is, in the type of its header.
enum class packet_kind : unsigned {
    part,  // elements
    end,   // elements, the last of an opening, a message, or a reply
    ask,   // a rank asks the root to let it send a packet, or calls a handler
    grant, // the root lets it
    leave, // a rank has ended its call, or the root says that all have
    credit, // a rank lets another one send it the number of words that follows
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
inline void send_signal(output_pktstream *out, const packet_header &header, int32 word = 0) {
    writeincr(out, header.word(), false);
    writeincr(out, word, true);
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

// The packets of all other ranks, merged into the root's one port, until each has ended the run.
template <typename Collective>
class packets_of_others {
public:
    explicit packets_of_others(input_pktstream *in) : in_(in) {}

    // Reads header and first word of the next packet, unless no more come. Returns if one has come.
    bool next() {
        while (ended_ + 1 < Collective::rank_count) {
            const packet_header header(in_);
            first_ = read();
            if (header.kind() != packet_kind::leave) {
                from_ = rank_among_all<Collective>(header.from());
                return true;
            }
            ++ended_;
        }
        return false;
    }
    unsigned from() const { return from_; } // rank of the sender
    int32 first() const { return first_; }
    bool ended() const { return last_; } // its last word has been read

    int32 read() { return readincr(in_, last_); }
    void skip() {
        while (!last_) read();
    }
    input_pktstream *port() const { return in_; }

private:
    input_pktstream *in_;
    unsigned ended_ = 0; // ranks that have ended the run
    unsigned from_ = 0;
    int32 first_ = 0;
    bool last_ = true;
};

// Elements of 32 bits as words.
template <typename Element>
union word_of {
    Element element;
    int32 word;
    static_assert(sizeof(Element) == 4, "a packet carries words");
};

} // namespace aiec
