// The results of graph constructors: nodes, ports of graphs, connect statements, and the nets made
// from them.
#pragma once

#include <utility>

#include "gmio_node.h"
#include "kernel_node.h"
#include "list.h"
#include "packet_node.h"
#include "plio_node.h"

namespace adf {
namespace sim {

// A constraint on an object, by a statement.
struct located {
    subject of;
    list<place> places;
    statement by;
};
struct different {
    subject a, b;
    statement by;
};
// The node behind an object that is none itself: a PLIO of a design before 2022.1.
struct renamed {
    const void *at;
    const node *of;
};

// A table that the source of a kernel defines: `parameter::array(lut)`.
struct table_node {
    void *handle = nullptr; // room for the handle to it that `parameter::array` returns
    std::size_t bytes = 0;
    const table_node *master = nullptr; // the table whose memory this one shares (`share_parameter`)
    bool registered = true;             // false for an array of a constructor without REGISTER_PARAMETER
};

// What a connect statement gives to a kernel.
struct table {
    table_node *made;
    const node *of;
    statement by;
};

struct design {
    design();
    design &operator=(design &&);
    ~design();

    owners<node> nodes; // in creation order
    owners<port> graph_ports;
    owners<edge> edges;
    owners<net> nets;
    list<kernel_node *> kernels;
    list<plio_source *> plio_sources;
    list<plio_sink *> plio_sinks;
    list<gmio_node *> gmios;
    list<merge_node *> merges;
    list<const void *> graphs; // in order of construction, sub-graphs among them
    // For descriptions of the design: the compiler's name of a graph's class, and the constraints.
    const char *(*class_of)(const void *graph) = nullptr;
    list<located> locations;
    list<different> differences;
    list<renamed> others;
    owners<table_node> table_nodes;
    list<table> tables; // once for each reader

    template <typename Node, typename... Arguments>
    Node &add(Arguments &&...arguments) {
        Node *made = new Node(std::forward<Arguments>(arguments)...);
        keep(made);
        return *made;
    }
    // Gives buffers of kernels without a size that of the graph's port through which they are
    // connected.
    void take_dimensions();
    port &add_graph_port(direction way);
    table_node &add_table(std::size_t bytes);

private:
    // One function for all kinds of nodes.
    void keep(node *made);

    static constexpr unsigned most_levels = 64; // of graphs in graphs; more are a cycle, found elsewhere

    static void give_size(port &at, std::size_t samples, unsigned level);
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "design.inl"
#endif
