// The making and destruction of `graph_control`, which a program that only describes its graph
// needs, too.
#pragma once

#include "graph_control.h"

namespace adf {
namespace sim {

ADF_SIM_RUN graph_control::graph_control(const void *graph, const char *(*class_of)(const void *)) : graph_(graph) {
    simulation::get().made.graphs.push_back(graph);
    simulation::get().made.class_of = class_of;
}

// A description names the classes of graphs, so it knows those that are gone. The simulation is
// itself destroyed after every global graph.
ADF_SIM_RUN graph_control::~graph_control() {
    if (settings::get().describe.empty()) return;
    for (const void *&each : simulation::get().made.graphs)
        if (each == graph_) each = nullptr;
}

} // namespace sim
} // namespace adf
