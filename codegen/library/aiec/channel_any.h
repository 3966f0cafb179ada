// channel with `peers any`: a kernel names the other rank when it opens the channel. Elements go as
// packets through the root, which carries them from any rank to any other (as the communication
// kernels of SMI do). All others are merged into the root's one input, and its one output is split
// to them: ADF documents no connection from a split to a merge.
//
// A rank fills a packet in its memory, asks the root, and sends the packet when the root grants it.
// While it waits it takes what comes. So only one rank at a time writes a packet, and never to a
// root that waits for this rank to read. What the ways hold does not matter, as long as each holds
// the two words of a request. A rank that reads stores all packets that come until it has what it
// was asked for. A rank whose memory is full waits for ever.
//
// An opening of at most `depth` elements is eager: its packets leave as they are full. A larger one
// goes by credits (section 3.3 of SMI): a receiver that wants an element and has none lets the
// sender send as many words as its memory has room for, one packet at least.
#pragma once

#include <adf.h>
#include <aie_api/aie.hpp>

#include "channel.h"
#include "kept_words.h"
#include "list.h"
#include "member.h"
#include "packet_header.h"

// Called with the words that lie in the memory of the port `in`.
#ifndef AIEC_ON_STORED
#define AIEC_ON_STORED(in, words)
#endif
// Called before the rank of the port `in` waits for a credit, with the elements of its opening, and
// with 0 when it has one.
#ifndef AIEC_ON_CREDIT
#define AIEC_ON_CREDIT(in, elements)
#endif

namespace aiec {

template <typename Collective>
class channel_any;

// Whether an opening of `count` elements waits for credits.
template <typename Collective>
constexpr bool by_credits(unsigned count) {
    return count > Collective::depth_words;
}

// The open end of a sender. A packet leaves when it is full, or with the last element.
template <typename Collective>
class any_sender {
    using Element = typename Collective::element_type;

public:
    any_sender(channel_any<Collective> &rank, unsigned to, unsigned count)
        : rank_(rank), to_(to), count_(count), left_(count) {}

    // Elements until the channel closes itself.
    unsigned left() const { return left_; }

    void push(Element value) {
        if (AIEC_MISUSED(rank_.out_, "used after it closed itself", left_ == 0)) return;
        word_of<Element> both;
        both.element = value;
        rank_.packet_[filled_++] = both.word;
        if (--left_ == 0) rank_.sending_ = false;
        if (filled_ < Collective::packet_words && left_ > 0) return;
        if (by_credits<Collective>(count_)) rank_.await_credit(to_, filled_, count_);
        rank_.send(to_, filled_, left_ == 0);
        filled_ = 0;
    }
    template <unsigned Lanes>
    void push(const aie::vector<Element, Lanes> &values) {
        for (unsigned i = 0; i < Lanes; ++i) push(values.get(i));
    }

private:
    channel_any<Collective> &rank_;
    unsigned to_;
    unsigned count_;
    unsigned left_;
    unsigned filled_ = 0; // words of the next packet
};

// The open end of a receiver.
template <typename Collective>
class any_receiver {
    using Element = typename Collective::element_type;

public:
    any_receiver(channel_any<Collective> &rank, unsigned from, unsigned count)
        : rank_(rank), from_(from), left_(count), by_credits_(by_credits<Collective>(count)) {}

    // Elements until the channel closes itself.
    unsigned left() const { return left_; }

    // Returns when the element has arrived.
    Element pop() {
        if (AIEC_MISUSED(rank_.in_, "used after it closed itself", left_ == 0)) return Element();
        if (by_credits_ && promised_ == 0) promised_ = rank_.give_credit(from_, left_);
        bool ends = false;
        word_of<Element> both;
        both.word = rank_.next(from_, ends);
        if (by_credits_) --promised_, --rank_.promised_;
        if (--left_ == 0) --rank_.receiving_;
        (void)AIEC_MISUSED(rank_.in_, "opened for another number of elements than its other end", ends != (left_ == 0));
        return both.element;
    }
    template <unsigned Lanes>
    void pop(aie::vector<Element, Lanes> &values) {
        for (unsigned i = 0; i < Lanes; ++i) values.set(pop(), i);
    }

private:
    channel_any<Collective> &rank_;
    unsigned from_;
    unsigned left_;
    bool by_credits_;
    unsigned promised_ = 0; // words that the sender may send, or that have come
};

// A rank that is not the root. In: packets from the root. Out: packets to it.
template <typename Collective>
class channel_any : public member<Collective> {
    static constexpr unsigned others = Collective::rank_count - 1;

public:
    static constexpr bool is_root = false;

    channel_any(unsigned rank, const list<input_pktstream *, 1> &in, const list<output_pktstream *, 1> &out)
        : member<Collective>(rank), in_(in[0]), out_(out[0]), id_(getPacketid(out[0], 0)) {}

    // One sender may be open at a time, and one receiver for each rank.
    any_sender<Collective> open_send(unsigned count, unsigned to) {
        (void)AIEC_MISUSED(out_, "opened before the last opening has sent all its elements", sending_);
        (void)AIEC_MISUSED(out_, "opened to itself, the root or no rank", !is_peer(to));
        (void)AIEC_MISUSED(out_, "opened for more elements than `data` has", count > Collective::data_elements);
        sending_ = count > 0;
        return {*this, number_among_others<Collective>(to), count};
    }
    any_receiver<Collective> open_receive(unsigned count, unsigned from) {
        (void)AIEC_MISUSED(in_, "opened from itself, the root or no rank", !is_peer(from));
        (void)AIEC_MISUSED(in_, "opened for more elements than `data` has", count > Collective::data_elements);
        receiving_ += count > 0;
        return {*this, number_among_others<Collective>(from), count};
    }
    // The root's part.
    void carry() { (void)AIEC_MISUSED(out_, "only the root carries packets", true); }

    // Ends the call: the kernel's wrapper does it. Returns when all ranks have.
    void leave() {
        (void)AIEC_MISUSED(out_, "the kernel returned before it had sent all elements", sending_);
        (void)AIEC_MISUSED(in_, "the kernel returned before it had received all elements", receiving_ != 0);
        send_signal(out_, header(packet_kind::leave, number()));
        while (!left_) take_packet();
        (void)AIEC_MISUSED(in_, "the kernel returned, and elements that were sent to it are left", kept_.count() > 0);
    }

private:
    friend any_sender<Collective>;
    friend any_receiver<Collective>;

    bool is_peer(unsigned rank) const {
        return rank < Collective::rank_count && rank != Collective::root && rank != this->rank();
    }

    // Sends the first `words` of the packet.
    void send(unsigned to, unsigned words, bool ends) {
        ask();
        writeincr(out_, header(ends ? packet_kind::end : packet_kind::part, to).word(), false);
        for (unsigned i = 0; i < words; ++i) writeincr(out_, packet_[i], i + 1 == words);
    }

    // Returns when the root lets this rank send a packet.
    void ask() {
        send_signal(out_, header(packet_kind::ask, number()));
        while (!granted_) take_packet();
        granted_ = false;
    }

    // Returns when the receiver lets this rank send the words, which belong to `count` elements.
    void await_credit(unsigned to, unsigned words, [[maybe_unused]] unsigned count) {
        AIEC_ON_CREDIT(in_, count);
        while (credits_[to] < words) take_packet();
        AIEC_ON_CREDIT(in_, 0);
        credits_[to] = static_cast<unsigned short>(credits_[to] - words);
    }
    void add_credit(unsigned from, unsigned words) {
        credits_[from] = static_cast<unsigned short>(credits_[from] + words);
    }

    // Lets a sender send some of its `left` words: those for which there is room, in whole packets.
    unsigned give_credit(unsigned to, unsigned left) {
        constexpr unsigned packet = Collective::packet_words;
        const unsigned room = promised_ < Collective::depth_words ? Collective::depth_words - promised_ : 0;
        const unsigned most = room < packet ? packet : room / packet * packet;
        const unsigned words = left < most ? left : most;
        promised_ += words;
        ask();
        send_signal(out_, header(packet_kind::credit, to), static_cast<int32>(words));
        return words;
    }

    unsigned number() const { return number_among_others<Collective>(this->rank()); }
    packet_header header(packet_kind kind, unsigned to) const { return {id_, kind, to, number()}; }

    // The next word of a sender.
    int32 next(unsigned from, bool &ends) {
        while (!kept_.has(from)) take_packet();
        return kept_.take(from, ends);
    }

    // There is no room for what comes.
    void wait_for_ever() {
        for (;;) readincr(in_);
    }

    void take_packet() {
        const packet_header header(in_);
        const packet_kind kind = header.kind();
        granted_ = granted_ || kind == packet_kind::grant;
        left_ = left_ || kind == packet_kind::leave;
        const bool is_data = kind == packet_kind::part || kind == packet_kind::end;
        for (bool last = false; !last;) {
            const int32 word = readincr(in_, last);
            if (kind == packet_kind::credit) add_credit(header.from(), static_cast<unsigned>(word));
            if (!is_data) continue;
            if (!kept_.keep(header.from(), word, last && kind == packet_kind::end)) wait_for_ever();
        }
        AIEC_ON_STORED(in_, kept_.count());
    }

    input_pktstream *in_;
    output_pktstream *out_;
    unsigned id_;              // of packets to the root
    bool sending_ = false;     // a sender is open
    unsigned receiving_ = 0;   // open receivers
    bool granted_ = false;     // this rank may send a packet
    bool left_ = false;        // all ranks have ended the call
    unsigned promised_ = 0;    // words of all receivers that may come or have come by credits
    unsigned short credits_[others] = {}; // words that each rank lets this one send
    int32 packet_[Collective::packet_words];
    kept_words<others, Collective::depth_words + Collective::packet_words> kept_;
};

// The root. In: packets from all other ranks. Out: packets to them.
template <typename Collective>
class channel_relay : public member<Collective> {
    using Element = typename Collective::element_type;
    static constexpr unsigned others = Collective::rank_count - 1;
    static_assert(others <= 32, "a header tells 32 ranks apart");

public:
    static constexpr bool is_root = true;

    channel_relay(unsigned rank, input_pktstream *in, const list<output_pktstream *, 1> &out)
        : member<Collective>(rank), in_(in), out_(out[0]) {}

    // Carries packets until every other rank has ended its call.
    void carry() {
        for (unsigned left = 0; left < others;) {
            if (!granted_) grant(others);
            const packet_header header(in_);
            const unsigned from = header.from();
            switch (header.kind()) {
            case packet_kind::ask:
                readincr(in_);
                asking_ |= 1U << from;
                break;
            case packet_kind::leave:
                readincr(in_);
                ++left;
                break;
            default:
                granted_ = false;
                pass_on(header);
            }
        }
        for (unsigned to = 0; to < others; ++to) {
            send_signal(out_, {id(to), packet_kind::leave, to, to});
        }
    }

    // The root sends and receives nothing itself.
    channel_sender<Element, false> open_send(unsigned count, unsigned) {
        (void)AIEC_MISUSED(out_, "the root carries packets of others only", true);
        return {nullptr, count};
    }
    channel_receiver<Element, false> open_receive(unsigned count, unsigned) {
        (void)AIEC_MISUSED(in_, "the root carries packets of others only", true);
        return {nullptr, count};
    }

private:
    // The next rank may send before this packet is on its way, unless the packet goes to that rank.
    void pass_on(const packet_header &header) {
        grant(header.to());
        writeincr(out_, packet_header(id(header.to()), header.kind(), header.to(), header.from()).word(), false);
        for (bool last = false; !last;) {
            const int32 word = readincr(in_, last);
            writeincr(out_, word, last);
        }
    }

    // Lets one rank that has asked send a packet, but not `busy`. The ranks take turns.
    void grant(unsigned busy) {
        for (unsigned turns = 0; turns < others && !granted_; ++turns) {
            turn_ = turn_ + 1 == others ? 0 : turn_ + 1;
            granted_ = turn_ != busy && (asking_ >> turn_ & 1) != 0;
        }
        if (!granted_) return;
        asking_ &= ~(1U << turn_);
        send_signal(out_, {id(turn_), packet_kind::grant, turn_, turn_});
    }

    unsigned id(unsigned to) const { return getPacketid(out_, static_cast<int>(to)); }

    input_pktstream *in_;
    output_pktstream *out_;
    unsigned asking_ = 0; // a bit for each rank that waits to send a packet
    unsigned turn_ = 0;   // the rank that sent last
    bool granted_ = false; // a rank has been let send, and its packet has not come yet
};

// A kernel that is not in the group: it sends to nobody.
template <typename Collective>
class channel_any_outside : public member<Collective> {
    using Element = typename Collective::element_type;

public:
    static constexpr bool is_member = false;
    static constexpr bool is_root = false;

    channel_any_outside() : member<Collective>(Collective::rank_count) {}

    channel_sender<Element, false> open_send(unsigned count, unsigned) { return {nullptr, count}; }
    channel_receiver<Element, false> open_receive(unsigned count, unsigned) { return {nullptr, count}; }
    void carry() {}
};

} // namespace aiec
