// Ports of collectives, as windows. All code that depends on the kind of port is here; the header
// for buffer ports has the same names.
//
// Ports are asynchronous: a rank acquires a window when it needs it and releases it when it is
// done. In between it reads or writes the window through a pointer. The pointer leads to the buffer
// whose turn it is, so a rank takes it while it holds the window and does not keep it (UG1079,
// "Load and Store Using Pointers").
#pragma once

#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

namespace aiec {

template <typename Element>
using in_port = input_window<Element> *;
template <typename Element>
using out_port = output_window<Element> *;
// A window that is the kernel's during a whole firing: it is neither acquired nor released.
template <typename Element>
struct whole_out_port {
    whole_out_port(output_window<Element> *held) : port(held) {}
    output_window<Element> *port;
};

template <typename Element>
void acquire(input_window<Element> *port) { window_acquire(port); }
template <typename Element>
void acquire(output_window<Element> *port) { window_acquire(port); }
template <typename Element>
void acquire(const whole_out_port<Element> &) {}
template <typename Element>
void release(input_window<Element> *port) { window_release(port); }
template <typename Element>
void release(output_window<Element> *port) { window_release(port); }
template <typename Element>
void release(const whole_out_port<Element> &) {}

// The first element of a window that is held. It begins at a multiple of 32 bytes.
template <typename Element>
const Element *start(input_window<Element> *port) { return reinterpret_cast<const Element *>(port->ptr); }
template <typename Element>
Element *start(output_window<Element> *port) { return reinterpret_cast<Element *>(port->ptr); }
template <typename Element>
Element *start(const whole_out_port<Element> &held) { return start(held.port); }

} // namespace aiec
