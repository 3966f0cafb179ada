// mailbox: kernels send messages to the root, which receives them in the order in which they come.
// A message is one packet: the header, its length in bytes, and its elements in words. All senders
// are merged into the root's one input.
//
// A sender waits for nobody but the root: a packet that has begun goes through as the root reads
// it. At the end of a run each sender says so, and then `receive` has no more messages. A sender
// that runs again waits for the root to begin, so that no message of the next run comes too early.
#pragma once

#include <adf.h>

#include "element.h"
#include "list.h"
#include "member.h"
#include "packet_header.h"

namespace aiec {

// Where the elements of a message lie in an array: `num` pieces of `size` elements. The first piece
// is at `base`, each other one `stride` elements behind the one before. {1, 1, 4, 4} are A[1],
// A[5], A[9] and A[13].
struct pieces {
    unsigned base, size, num, stride;
    constexpr unsigned count() const { return size * num; }
};

// Positions in an array, one after the other.
class side_by_side {
public:
    unsigned next() { return at_++; }

private:
    unsigned at_ = 0;
};

// Positions piece by piece.
class piece_by_piece {
public:
    explicit piece_by_piece(const pieces &all) : all_(all), first_(all.base), at_(all.base), left_(all.size) {}

    unsigned next() {
        const unsigned at = at_++;
        if (--left_ == 0) {
            first_ += all_.stride;
            at_ = first_;
            left_ = all_.size;
        }
        return at;
    }

private:
    pieces all_;
    unsigned first_; // of this piece
    unsigned at_;
    unsigned left_; // of this piece
};

// As many elements as fill whole words.
template <typename Element>
class packed {
    static auto part(const Element &element) {
        if constexpr (is_complex<Element>) return element.real;
        else return element;
    }
    using Part = decltype(part(Element()));
    static constexpr unsigned parts = sizeof(Element) / sizeof(Part);

public:
    static constexpr unsigned elements = sizeof(Element) < 4 ? 4 / sizeof(Element) : 1;
    static constexpr unsigned words = elements * sizeof(Element) / 4;

    int32 word(unsigned at) const { return both_.as_words[at]; }
    void set_word(unsigned at, int32 word) { both_.as_words[at] = word; }

    Element element(unsigned at) const {
        if constexpr (is_complex<Element>) return {both_.as_parts[2 * at], both_.as_parts[2 * at + 1]};
        else return both_.as_parts[at];
    }
    void set_element(unsigned at, const Element &element) {
        if constexpr (is_complex<Element>) {
            both_.as_parts[2 * at] = element.real;
            both_.as_parts[2 * at + 1] = element.imag;
        } else {
            both_.as_parts[at] = element;
        }
    }

private:
    union {
        Part as_parts[elements * parts];
        int32 as_words[words];
    } both_ = {};
};

// What all ranks have.
template <typename Collective>
class mailbox_rank : public member<Collective> {
public:
    static constexpr unsigned max_bytes = Collective::data_elements * 4; // of a message

    using member<Collective>::member;

    // Does not compile, with any arguments and whatever is asked of its result.
    template <typename Never = void, typename... Any>
    message poll(Any &&...) const {
        static_assert(!std::is_void_v<Never>,
                      "a mailbox has no `poll`: no document shows how to ask an input_pktstream whether a word has "
                      "come; call `receive`, which waits for the next message (UG1079, \"Packet Stream Reading and "
                      "Writing\")");
        return {};
    }

protected:
    static constexpr unsigned senders = Collective::rank_count - 1;
    static_assert(senders <= 32, "a header tells 32 senders apart");
};

// A rank that is not the root. In: the word with which the root lets it begin. Out: packets to the
// root.
template <typename Collective>
class mailbox_sender : public mailbox_rank<Collective> {
public:
    static constexpr bool is_root = false;

    mailbox_sender(unsigned rank, const list<input_stream<int32> *, 1> &in, const list<output_pktstream *, 1> &out)
        : mailbox_rank<Collective>(rank), in_(in[0]), out_(out[0]), id_(getPacketid(out[0], 0)) {}

    // Sends `count` elements. Returns when the stream has taken them.
    template <typename Element>
    void send(const Element *elements, unsigned count) {
        write(elements, side_by_side(), count);
    }
    // Gathers the elements from the pieces of an array.
    template <typename Element>
    void send(const Element *elements, const pieces &where) {
        write(elements, piece_by_piece(where), where.count());
    }

    // The root's part.
    template <typename Element>
    message receive(Element *, unsigned) {
        (void)AIEC_MISUSED(out_, "only the root receives", true);
        return {};
    }
    template <typename Element>
    message receive(Element *elements, const pieces &) {
        return receive(elements, 0);
    }

    // Ends the run: the kernel's wrapper does it.
    void leave() {
        begin();
        send_signal(out_, header(packet_kind::leave));
    }

private:
    packet_header header(packet_kind kind) const {
        const unsigned own = number_among_others<Collective>(this->rank());
        return {id_, kind, own, own};
    }

    void begin() {
        if (!begun_) readincr(in_);
        begun_ = true;
    }

    template <typename Element, typename Where>
    void write(const Element *elements, Where where, unsigned count) {
        constexpr unsigned most = mailbox_rank<Collective>::max_bytes / sizeof(Element);
        if (AIEC_MISUSED(out_, "sent more than `max` in one message", count > most)) count = most;
        begin();
        writeincr(out_, header(packet_kind::end).word(), false);
        writeincr(out_, static_cast<int32>(count * sizeof(Element)), count == 0);
        for (unsigned done = 0; done < count; done += packed<Element>::elements) {
            packed<Element> next;
            for (unsigned i = 0; i < packed<Element>::elements; ++i) {
                next.set_element(i, done + i < count ? elements[where.next()] : Element());
            }
            const bool ends = done + packed<Element>::elements >= count;
            for (unsigned i = 0; i < packed<Element>::words; ++i) {
                writeincr(out_, next.word(i), ends && i + 1 == packed<Element>::words);
            }
        }
    }

    input_stream<int32> *in_;
    output_pktstream *out_;
    unsigned id_;        // of packets to the root
    bool begun_ = false; // the root has begun this run
};

// The root. In: packets of all senders. Out: the word that lets them begin.
template <typename Collective>
class mailbox_root : public mailbox_rank<Collective> {
public:
    static constexpr bool is_root = true;

    // Every sender has taken the word of the last run, so this does not wait.
    mailbox_root(unsigned rank, input_pktstream *in, const list<output_stream<int32> *, 1> &out)
        : mailbox_rank<Collective>(rank), in_(in) {
        writeincr(out[0], 0);
    }

    // Waits for the next message, and stores it in an array of `room` elements. Returns false when
    // all senders have returned and their messages are read.
    template <typename Element>
    message receive(Element *elements, unsigned room) {
        return read(elements, side_by_side(), room);
    }
    // Scatters the elements to the pieces of an array.
    template <typename Element>
    message receive(Element *elements, const pieces &where) {
        return read(elements, piece_by_piece(where), where.count());
    }

    // The root sends nothing.
    template <typename Element>
    void send(const Element *, unsigned) {
        (void)AIEC_MISUSED(in_.port(), "the root receives and sends nothing", true);
    }
    template <typename Element>
    void send(const Element *elements, const pieces &) {
        send(elements, 0);
    }

    // Takes what is left of the run: the kernel's wrapper does it.
    void leave() {
        while (in_.next()) {
            (void)AIEC_MISUSED(in_.port(), "the kernel returned, and messages that were sent to it are left", true);
            in_.skip();
        }
    }

private:
    template <typename Element, typename Where>
    message read(Element *elements, Where where, unsigned room) {
        if (!in_.next()) return {};
        const unsigned bytes = static_cast<unsigned>(in_.first());
        unsigned count = bytes / sizeof(Element);
        (void)AIEC_MISUSED(in_.port(), "received a message in elements of another size", bytes % sizeof(Element) != 0);
        (void)AIEC_MISUSED(in_.port(), "received a message that is longer than the room for it", count > room);
        if (count > room) count = room;
        for (unsigned done = 0; !in_.ended(); done += packed<Element>::elements) {
            packed<Element> next;
            for (unsigned i = 0; i < packed<Element>::words && !in_.ended(); ++i) next.set_word(i, in_.read());
            for (unsigned i = 0; i < packed<Element>::elements && done + i < count; ++i) {
                elements[where.next()] = next.element(i);
            }
        }
        return {in_.from(), count, true};
    }

    packets_of_others<Collective> in_;
};

// A kernel that is not in the group: it sends to nobody.
template <typename Collective>
class mailbox_outside : public mailbox_rank<Collective> {
public:
    static constexpr bool is_member = false;
    static constexpr bool is_root = false;

    mailbox_outside() : mailbox_rank<Collective>(Collective::rank_count) {}

    template <typename Element>
    void send(const Element *, unsigned) {}
    template <typename Element>
    void send(const Element *, const pieces &) {}
    template <typename Element>
    message receive(Element *, unsigned) {
        return {};
    }
    template <typename Element>
    message receive(Element *, const pieces &) {
        return {};
    }
};

} // namespace aiec
