// Ports of collectives, as buffers. All code that depends on the kind of port is here; the header
// for windows has the same names.
//
// Ports are asynchronous: a rank acquires a buffer when it needs it and releases it when it is
// done. In between it reads or writes the buffer through a pointer, which it takes while it holds
// the buffer. The graph sets the buffer's size.
#pragma once

#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

namespace aiec {

template <typename Element>
using in_port = adf::input_async_buffer<Element> *;
template <typename Element>
using out_port = adf::output_async_buffer<Element> *;
// A buffer that is the kernel's during a whole firing: it is neither acquired nor released.
template <typename Element>
struct whole_out_port {
    whole_out_port(adf::output_buffer<Element> *held) : port(held) {}
    adf::output_buffer<Element> *port;
};

template <typename Buffer>
void acquire(Buffer *port) { port->acquire(); }
template <typename Element>
void acquire(const whole_out_port<Element> &) {}
template <typename Buffer>
void release(Buffer *port) { port->release(); }
template <typename Element>
void release(const whole_out_port<Element> &) {}

// The first element of a buffer that is held. It begins at a multiple of 32 bytes.
template <typename Buffer>
auto start(Buffer *port) { return port->data(); }
template <typename Element>
Element *start(const whole_out_port<Element> &held) { return held.port->data(); }

} // namespace aiec
