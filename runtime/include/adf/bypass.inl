// The functions of bypasses in graph constructors.
#pragma once

#include <memory>
#include <new>

#include "bypass.h"

namespace adf {

ADF_SIM_RUN bypass &bypass::create(const kernel &k) {
    sim::kernel_node &node = k.node();
    if (node.control) sim::stop(node.name() + " has a bypass already");
    sim::port &control = node.add_port(sim::direction::in, sim::carries::parameter, sim::element_of<int32>::get());
    control.parameter = std::make_unique<sim::parameter_state>();
    control.parameter->value.resize(sizeof(std::int32_t));
    control.parameter->value_bytes = sizeof(std::int32_t);
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
