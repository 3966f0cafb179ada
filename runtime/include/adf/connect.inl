// The functions of connections.
#pragma once

#include <vector>

#include "connect.h"

namespace adf {

ADF_SIM_RUN parameter &parameter::kept(sim::table_node &node) {
    static_assert(sizeof(parameter) == sizeof node.handle, "a handle is a pointer");
    parameter &made = *new (&node.handle) parameter();
    made.node_ = &node;
    return made;
}

ADF_SIM_RUN void share_parameter(const parameter &master, const std::vector<parameter> &slaves) {
    for (const parameter &slave : slaves)
        if (slave.node() && slave.node() != master.node()) slave.node()->master = master.node();
}

namespace sim {

ADF_SIM_RUN void check_kind(const port &p, const end_spec &spec, const port &peer) {
    if (spec.kind == carries::block && spec.bytes == 0) stop("window<0> has no bytes; it must have 1 or more");
    if (spec.kind == carries::open || p.what == carries::open || spec.kind == p.what) return;
    if (spec.kind == carries::stream && (p.what == carries::packet || p.what == carries::block)) return;
    if (spec.kind == carries::packet && (p.what == carries::stream || p.what == carries::block)) return;
    // A stream into a window or from one, with the size of the window for both ends (public graphs:
    // rehohoho/onnx2versal).
    if (spec.kind == carries::block && p.is_stream() && peer.is_block()) return;
    if (spec.kind == carries::stream && p.what == carries::cascade) return; // the older spelling
    stop(described(p) + " is " + name_of(p.what) + "; a connect statement says it is " + name_of(spec.kind));
}

ADF_SIM_RUN void check_kinds(const port &from, const end_spec &left, const port &to, const end_spec &right) {
    check_kind(from, left, to);
    check_kind(to, right, from);
}

} // namespace sim
} // namespace adf
