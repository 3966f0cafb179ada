// Links between ranks, over buffers. All code that depends on the kind of link is here; the header
// for windows has the same names.
//
// These links set the sizes of ports. The kernels make both ends asynchronous (UG1079,
// "Asynchronous Buffer Port Access"): in one firing a kernel takes and gives a buffer for every
// chunk of every call.
#pragma once

#include <adf.h>

#include "ranks.h"

namespace aiec {

// Buffers at each place where something is stored.
enum buffering { pingpong_buffers, single_buffers };

// Properties of a kernel's port.
template <unsigned Bytes, typename Element, typename Port>
void describe(Port &&port, buffering buffers) {
    adf::dimensions(port) = {Bytes / sizeof(Element)};
    if (buffers == single_buffers) adf::single_buffer(port);
}

// Several links may start at one port, which then is described once.
template <unsigned Bytes, typename Element, typename From, typename To>
void link(From &&out, To &&in) {
    adf::connect<>(out, in);
}

// Buffers that leave as packets (UG1079, "Explicit Packet Switching"). Their types state when they
// leave.
template <unsigned Bytes, typename Element, typename From, typename To>
void link_packets(From &&out, To &&merge, sending) {
    adf::connect<>(out, merge);
}

} // namespace aiec
