// Ends of links: the ports of one rank for a collective. They are windows, or streams that the core
// reads and writes itself. Passes (windows.h) treat both alike: a stream is never held, and its
// next elements are a place (memory.h) that moves on by itself.
#pragma once

#include <type_traits>

#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

#include "element.h"
#include "list.h"
#include "member.h"
#include "memory.h"
#include "ports.h"

// Called when a kernel opens an end of a stream for `count` elements. Simulators define it to find
// elements that are left over, and moves behind the last one.
#ifndef AIEC_ON_OPEN
#define AIEC_ON_OPEN(stream, count)
#endif

namespace aiec {

// Opens an end at a stream for `count` elements.
template <typename Collective, typename Stream>
void opens([[maybe_unused]] Stream *stream, [[maybe_unused]] unsigned count) {
    (void)AIEC_MISUSED(stream, "opened for more elements than `data` has", count > Collective::data_elements);
    AIEC_ON_OPEN(stream, count);
}

// --- accesses of a core to its streams -----------------------------------------------------------

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

// Waits for an element or a vector.
template <typename Value, typename Element>
Value read(input_stream<Element> *from) {
    if constexpr (is_vector<Value>) {
        static_assert(has_vectors<Element>, "AIE has no vectors of this type");
        static_assert(fills_stream<Element, Value::size()>, "a vector has 128 bits or a multiple of that");
        return readincr_v<Value::size()>(from);
    } else {
        static_assert(is_single<Element>, "elements of this type come as vectors");
        return readincr(from);
    }
}
// Returns when the stream has taken the element or vector.
template <typename Element, typename Value>
void write(output_stream<Element> *to, const Value &value) {
    if constexpr (is_vector<Value>) {
        static_assert(has_vectors<Element>, "AIE has no vectors of this type");
        static_assert(fills_stream<Element, Value::size()>, "a vector has 128 bits or a multiple of that");
    } else {
        static_assert(is_single<Element>, "elements of this type go as vectors");
    }
    writeincr(to, value);
}

// --- streams as ports of passes ------------------------------------------------------------------

template <typename Element>
struct stream_source {
    static constexpr bool has_vectors = aiec::has_vectors<Element>;
    input_stream<Element> *from;

    template <typename Value>
    Value load() const { return read<Value>(from); }
    stream_source &operator+=(unsigned) { return *this; }
    stream_source operator+(unsigned) const { return *this; }
};
template <typename Element>
struct stream_target {
    static constexpr bool has_vectors = aiec::has_vectors<Element>;
    output_stream<Element> *to;

    template <typename Value>
    void store(const Value &value) const { write(to, value); }
    stream_target &operator+=(unsigned) { return *this; }
    stream_target operator+(unsigned) const { return *this; }
};

template <typename Element>
void acquire(input_stream<Element> *) {}
template <typename Element>
void acquire(output_stream<Element> *) {}
template <typename Element>
void release(input_stream<Element> *) {}
template <typename Element>
void release(output_stream<Element> *) {}
template <typename Element>
stream_source<Element> start(input_stream<Element> *from) { return {from}; }
template <typename Element>
stream_target<Element> start(output_stream<Element> *to) { return {to}; }

// --- the ports of a rank -------------------------------------------------------------------------

// True if the links of a collective are streams: its struct in collectives.h says so.
template <typename Collective, typename = void>
inline constexpr bool over_streams = false;
template <typename Collective>
inline constexpr bool over_streams<Collective, std::void_t<decltype(Collective::over_streams)>> =
    Collective::over_streams;

template <typename Collective, typename Element = typename Collective::element_type>
using in_end = std::conditional_t<over_streams<Collective>, input_stream<Element> *, in_port<Element>>;
template <typename Collective, typename Element = typename Collective::element_type>
using out_end = std::conditional_t<over_streams<Collective>, output_stream<Element> *, out_port<Element>>;

// In the order of the rank's class.
template <typename Collective, unsigned Count>
using ins = list<in_end<Collective>, Count>;
template <typename Collective, unsigned Count>
using outs = list<out_end<Collective>, Count>;

} // namespace aiec
