// channel: every rank sends elements to another rank, or receives some, while its kernel computes
// (SMI). A kernel opens its end for a number of elements and moves them one by one or as vectors.
// The channel closes itself after the last of them. Each move is one access to the core's stream.
#pragma once

#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

#include "element.h"
#include "list.h"
#include "member.h"

// Called when a kernel opens an end of a channel. Simulators define it to find elements that are
// left over, and moves behind the last one.
#ifndef AIEC_ON_OPEN
#define AIEC_ON_OPEN(stream, count)
#endif

namespace aiec {

// A stream takes or gives a vector in pieces of 128 bits.
template <typename Element, unsigned Lanes>
inline constexpr bool fills_stream = Lanes * sizeof(Element) % 16 == 0;
// Elements that a core reads from a stream one by one (UG1079, "Reading and Advancing an Input
// Stream"). Others move as vectors.
template <typename Element>
inline constexpr bool is_single = false;
template <>
inline constexpr bool is_single<int32> = true;
template <>
inline constexpr bool is_single<uint32> = true;
template <>
inline constexpr bool is_single<cint16> = true;
template <>
inline constexpr bool is_single<float> = true;
template <>
inline constexpr bool is_single<cfloat> = true;

// The open end of a sender. A rank without a receiver only counts.
template <typename Element, bool Linked>
class channel_sender {
public:
    channel_sender(output_stream<Element> *to, unsigned count) : to_(to), left_(count) {}

    // Elements until the channel closes itself.
    unsigned left() const { return left_; }

    // Returns when the stream has taken the element.
    void push(Element value) {
        static_assert(is_single<Element>, "elements of this type go as vectors");
        if constexpr (Linked) writeincr(to_, value);
        --left_;
    }
    template <unsigned Lanes>
    void push(const aie::vector<Element, Lanes> &values) {
        static_assert(fills_stream<Element, Lanes>, "a vector has 128 bits or a multiple of that");
        if constexpr (Linked) writeincr(to_, values);
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
        static_assert(is_single<Element>, "elements of this type come as vectors");
        --left_;
        if constexpr (Linked) return readincr(from_);
        else return Element();
    }
    template <unsigned Lanes>
    void pop(aie::vector<Element, Lanes> &values) {
        static_assert(fills_stream<Element, Lanes>, "a vector has 128 bits or a multiple of that");
        left_ -= Lanes;
        if constexpr (Linked) values = readincr_v<Lanes>(from_);
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
        if constexpr (sends) {
            AIEC_ON_OPEN(out_[0], count);
        }
        return {out_[0], count};
    }
    channel_receiver<Element, receives> open_receive(unsigned count = Collective::data_elements) {
        if constexpr (receives) {
            AIEC_ON_OPEN(in_[0], count);
        }
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
