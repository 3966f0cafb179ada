// Kernels that run on condition (UG1079, "Kernel Bypass" and "bypass").
#pragma once

#include "kernel.h"

namespace adf {
namespace sim {

// The control port of a bypass, which exists once `create` was called.
struct control_port {
    struct checked {
        port *made = nullptr;
        operator port *() const {
            if (!made) stop("the port bp of a bypass that was never created is used");
            return made;
        }
        port &operator*() const { return *static_cast<port *>(*this); }
    } at;
    operator port_ref() const { return {at}; }
};

} // namespace sim

// A kernel behind a switch. In each run the parameter `bp` decides: with 0 the kernel runs, with 1
// its input buffers are copied to its output buffers. The ports are those of the kernel.
class bypass {
public:
    sim::port_list<::input> in;
    sim::port_list<::output> out;
    sim::port_list<::inout> inout;
    sim::control_port bp;

    bypass() = default;
    ADF_SIM_RUN static bypass &create(const kernel &k);
};

// The switch the other way round: with 0 the buffers are copied, with 1 the kernel runs.
ADF_SIM_RUN sim::port_ref negate(const sim::port_ref &control);

} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "bypass.inl"
#endif
