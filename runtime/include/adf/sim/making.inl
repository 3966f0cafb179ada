// The functions of `simulation` that the constructors of graphs call.
#pragma once

#include "describe.inl"
#include "simulation.h"

namespace adf {
namespace sim {

ADF_SIM_RUN simulation::simulation() {
    journal::get(); // constructed first, so destroyed last
    watch_constructors(write_description);
}

ADF_SIM_RUN simulation &simulation::get() {
    static simulation only;
    return only;
}

// Makes a node and notes it in a list of its kind.
template <typename Node, typename Listed>
Node &listed(design &made, list<Listed *> &known) {
    Node &node = made.add<Node>();
    known.push_back(&node);
    return node;
}

ADF_SIM_RUN kernel_node &simulation::add_kernel() {
    const auto &numbers = settings::get().kernels;
    const auto created = unsigned(made.kernels.size());
    made.kernels.push_back(&made.add<kernel_node>(created < numbers.size() ? numbers[created] : created));
    return *made.kernels.back();
}

ADF_SIM_RUN plio_source &simulation::add_plio_source() { return listed<plio_source>(made, made.plio_sources); }

ADF_SIM_RUN plio_sink &simulation::add_plio_sink() { return listed<plio_sink>(made, made.plio_sinks); }

ADF_SIM_RUN gmio_source &simulation::add_gmio_source() { return listed<gmio_source>(made, made.gmios); }

ADF_SIM_RUN gmio_sink &simulation::add_gmio_sink() { return listed<gmio_sink>(made, made.gmios); }

ADF_SIM_RUN split_node &simulation::add_split(unsigned outputs) { return made.add<split_node>(outputs); }

ADF_SIM_RUN merge_node &simulation::add_merge(unsigned inputs, bool ordered) {
    made.merges.push_back(&made.add<merge_node>(inputs, ordered));
    return *made.merges.back();
}

ADF_SIM_RUN bool simulation::is_wrong_way(const port &from, const port &to) {
    if (from.owner && from.way == direction::in) return true;
    return to.owner && to.way == direction::out;
}

ADF_SIM_RUN edge &simulation::connect(port &from, port &to, end_spec left, end_spec right) {
    if (started_) stop("connect after init: a graph is complete before it is initialised");
    if (is_wrong_way(from, to)) {
        stop("connect goes from an out to an in port; this one joins " + described(from) + " and " + described(to));
    }
    made.edges.push_back(new edge());
    edge &e = *made.edges.back();
    e.from = &from;
    e.to = &to;
    e.made_by = here();
    e.left = left;
    e.right = right;
    from.edges.push_back(&e);
    to.edges.push_back(&e);
    return e;
}

} // namespace sim
} // namespace adf
