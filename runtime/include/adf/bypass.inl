// The functions of bypasses in graph constructors.
#pragma once

#include <new>

#include "bypass.h"

namespace adf {

ADF_SIM_RUN bypass &bypass::create(const kernel &k) {
    sim::kernel_node &node = k.node();
    if (node.control) sim::stop(node.name() + " has a bypass already");
    sim::value_parameter<int32, sim::direction::in>::declare(node);
    sim::port &control = *node.in.back();
    control.is_control = true;
    node.control = &control;
    bypass &made = *new (node.memory_for_handles(sizeof(bypass))) bypass();
    made.in = k.in;
    made.out = k.out;
    made.inout = k.inout;
    made.bp.at.made = &control;
    return made;
}

ADF_SIM_RUN sim::port_ref negate(const sim::port_ref &control) {
    if (!control.at->is_control) sim::stop(sim::described(*control.at) + ": adf::negate is for the port bp of a bypass");
    sim::port &at = sim::noted(control);
    at.negated = !at.negated;
    return control;
}

} // namespace adf
