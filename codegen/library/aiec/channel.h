// channel: every rank sends elements to another rank, or receives some, while its kernel computes
// (SMI). A kernel opens its end for a number of elements and moves them one by one or as vectors.
// The channel closes itself after the last of them. Each move is one access to the core's stream.
#pragma once

#include "element.h"
#include "ends.h"
#include "list.h"
#include "member.h"

namespace aiec {

// The open end of a sender. A rank without a receiver only counts.
template <typename Element, bool Linked>
class channel_sender {
public:
    channel_sender(output_stream<Element> *to, unsigned count) : to_(to), left_(count) {}

    // Elements until the channel closes itself.
    unsigned left() const { return left_; }

    // Returns when the stream has taken the element.
    void push(Element value) {
        if constexpr (Linked) write(to_, value);
        --left_;
    }
    template <unsigned Lanes>
    void push(const aie::vector<Element, Lanes> &values) {
        if constexpr (Linked) write(to_, values);
        left_ -= Lanes;
    }

private:
    output_stream<Element> *to_;
    unsigned left_;
};

// The open end of a receiver. Without a sender it gives zeros.
template <typename Element, bool Linked>
class channel_receiver {
public:
    channel_receiver(input_stream<Element> *from, unsigned count) : from_(from), left_(count) {}

    // Elements until the channel closes itself.
    unsigned left() const { return left_; }

    // Returns when the element has arrived.
    Element pop() {
        --left_;
        if constexpr (Linked) return read<Element>(from_);
        else return Element();
    }
    template <unsigned Lanes>
    void pop(aie::vector<Element, Lanes> &values) {
        left_ -= Lanes;
        if constexpr (Linked) values = read<aie::vector<Element, Lanes>>(from_);
        else values = aie::zeros<Element, Lanes>();
    }

private:
    input_stream<Element> *from_;
    unsigned left_;
};

// In: the rank it receives from, or none. Out: the rank it sends to, or none.
template <typename Collective, unsigned Ins, unsigned Outs>
class channel_end : public member<Collective> {
    using Element = typename Collective::element_type;
    static_assert(is_single<Element> || has_vectors<Element>, "no access to a stream moves this type");

public:
    static constexpr bool receives = Ins > 0; // some rank sends to this one
    static constexpr bool sends = Outs > 0;   // this rank has a receiver

    channel_end(unsigned rank, const list<input_stream<Element> *, Ins> &in,
                const list<output_stream<Element> *, Outs> &out)
        : member<Collective>(rank), in_(in), out_(out) {}

    channel_sender<Element, sends> open_send(unsigned count = Collective::data_elements) {
        if constexpr (sends) opens<Collective>(out_[0], count);
        return {out_[0], count};
    }
    channel_receiver<Element, receives> open_receive(unsigned count = Collective::data_elements) {
        if constexpr (receives) opens<Collective>(in_[0], count);
        return {in_[0], count};
    }

private:
    list<input_stream<Element> *, Ins> in_;
    list<output_stream<Element> *, Outs> out_;
};

// A kernel that is not in the group: it sends to nobody.
template <typename Collective>
class channel_outside : public channel_end<Collective, 0, 0> {
public:
    static constexpr bool is_member = false;

    channel_outside() : channel_end<Collective, 0, 0>(Collective::rank_count, {}, {}) {}
};

} // namespace aiec
