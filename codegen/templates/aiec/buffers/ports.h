// Ports of collectives, as buffers. Everything that knows the kind of a port is here: the same header for windows has
// the same names.
//
// Ports are asynchronous: a rank acquires a buffer when it needs it and releases it when it is done; in between it
// reads or writes the buffer from its start on through a reader or writer. The graph says how large it is.
#pragma once

#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

#include "list.h"

namespace aiec {

template <typename Element>
using in_port = adf::input_async_buffer<Element> *;
template <typename Element>
using out_port = adf::output_async_buffer<Element> *;
// A buffer that is the kernel's during a whole firing.
template <typename Element>
using whole_out_port = adf::output_buffer<Element> *;

// The ports of one rank for a collective, in the order that its class asks for.
template <typename Collective, unsigned Count>
using ins = list<in_port<typename Collective::element_type>, Count>;
template <typename Collective, unsigned Count>
using outs = list<out_port<typename Collective::element_type>, Count>;

template <typename Buffer>
void acquire(Buffer *port) { port->acquire(); }
template <typename Buffer>
void release(Buffer *port) { port->release(); }

// Reads a buffer: elements, or vectors of them.
template <typename Element>
class reader {
public:
    reader() = default;
    template <typename Buffer>
    explicit reader(Buffer *buffer) : at_(buffer->data()) {}
    void next(Element &value) { value = *at_++; }
    template <unsigned Lanes>
    void next(aie::vector<Element, Lanes> &value) {
        value = aie::load_v<Lanes>(at_);
        at_ += Lanes;
    }
    void skip(unsigned elements) { at_ += elements; }

private:
    const Element *__restrict at_ = nullptr;
};

// Writes a buffer.
template <typename Element>
class writer {
public:
    writer() = default;
    template <typename Buffer>
    explicit writer(Buffer *buffer) : at_(buffer->data()) {}
    void put(const Element &value) { *at_++ = value; }
    template <unsigned Lanes>
    void put(const aie::vector<Element, Lanes> &value) {
        aie::store_v(at_, value);
        at_ += Lanes;
    }

private:
    Element *__restrict at_ = nullptr;
};

} // namespace aiec
