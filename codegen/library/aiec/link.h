// Links between ranks, over windows. All code that depends on the kind of link is here; the header
// for buffer ports has the same names.
//
// Both ends are asynchronous, except for windows that go once to a merge (UG1079, "Asynchronous
// Window Access"): in one firing a kernel takes and gives a window for every chunk of every call.
// Only buffers need Element, the type of the elements.
#pragma once

#include <adf.h>

#include "ranks.h"

namespace aiec {

// Buffers of a window at each place where it is stored.
enum buffering { pingpong_buffers, single_buffers };

// Properties of a kernel's port.
template <unsigned Bytes, typename Element, typename Port>
void describe(Port &&port, buffering buffers) {
    if (buffers == single_buffers) adf::single_buffer(port);
}

// Several links may start at one port, which then is described once.
template <unsigned Bytes, typename Element, typename From, typename To>
void link(From &&out, To &&in) {
    adf::connect<adf::window<Bytes>>(adf::async(out), adf::async(in));
}

// Windows that leave as packets (UG1079, "Explicit Packet Switching").
template <unsigned Bytes, typename Element, typename From, typename To>
void link_packets(From &&out, To &&merge, sending when) {
    if (when == once) {
        adf::connect<adf::window<Bytes>, adf::pktstream>(out, merge);
    } else {
        adf::connect<adf::window<Bytes>, adf::pktstream>(adf::async(out), merge);
    }
}

} // namespace aiec
