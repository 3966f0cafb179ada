// The functions of a design and its nodes that every program needs: construction, names and
// destruction.
#pragma once

#include <string>

#include "design.h"

namespace adf {
namespace sim {

ADF_SIM_RUN kernel_node::kernel_node(unsigned number) : index(number) {}
ADF_SIM_RUN kernel_node::~kernel_node() = default;

ADF_SIM_RUN std::string kernel_node::name() const {
    std::string text = called.empty() ? "kernel " + std::to_string(index) : called;
    if (source.empty() && places.empty()) return text;
    text += " (" + source;
    if (!places.empty() && places.front().kind == place::what::tile) {
        if (!source.empty()) text += ", ";
        text += "tile " + std::to_string(places.front().column) + ',' + std::to_string(places.front().row);
    }
    return text + ')';
}

ADF_SIM_RUN plio_node::plio_node() = default;
ADF_SIM_RUN plio_node::~plio_node() = default;

ADF_SIM_RUN std::string plio_node::name() const {
    return "PLIO " + logical + (file.empty() ? "" : " (" + file + ")");
}

ADF_SIM_RUN plio_source::plio_source() { add_port(direction::out, carries::open); }
ADF_SIM_RUN plio_source::~plio_source() = default;

ADF_SIM_RUN plio_sink::plio_sink() { add_port(direction::in, carries::open); }

ADF_SIM_RUN gmio_node::gmio_node() = default;
ADF_SIM_RUN gmio_node::~gmio_node() = default;

ADF_SIM_RUN std::string gmio_node::name() const { return "GMIO " + logical; }

ADF_SIM_RUN void gmio_node::enqueue(unsigned char *memory, std::size_t bytes) { transfers_.push_back({memory, bytes}); }

ADF_SIM_RUN gmio_source::gmio_source() { add_port(direction::out, carries::open); }

ADF_SIM_RUN gmio_sink::gmio_sink() { add_port(direction::in, carries::open); }

ADF_SIM_RUN split_node::split_node(unsigned outputs) {
    add_port(direction::in, carries::packet);
    for (unsigned i = 0; i < outputs; ++i) add_port(direction::out, carries::packet);
}

ADF_SIM_RUN std::string split_node::name() const { return "pktsplit<" + std::to_string(out.size()) + ">"; }

ADF_SIM_RUN merge_node::merge_node(unsigned inputs, bool ordered) : ordered_(ordered) {
    for (unsigned i = 0; i < inputs; ++i) add_port(direction::in, carries::packet);
    add_port(direction::out, carries::packet);
}

ADF_SIM_RUN std::string merge_node::name() const {
    return (ordered_ ? "pktorderedmerge<" : "pktmerge<") + std::to_string(in.size()) + ">";
}

ADF_SIM_RUN design::design() = default;
ADF_SIM_RUN design &design::operator=(design &&) = default;
ADF_SIM_RUN design::~design() = default;

ADF_SIM_RUN void design::take_dimensions() {
    for (port *each : graph_ports)
        if (each->samples != 0) give_size(*each, each->samples, 0);
}

ADF_SIM_RUN port &design::add_graph_port(direction way) {
    graph_ports.push_back(new port());
    graph_ports.back()->way = way;
    return *graph_ports.back();
}

ADF_SIM_RUN table_node &design::add_table(std::size_t bytes) {
    table_nodes.push_back(new table_node());
    table_nodes.back()->bytes = bytes;
    return *table_nodes.back();
}

ADF_SIM_RUN void design::keep(node *made) {
    nodes.push_back(made);
    made->birth = graphs.size();
    made->made_by = here();
}

ADF_SIM_RUN void design::give_size(port &at, std::size_t samples, unsigned level) {
    if (level > most_levels) return;
    for (const edge *e : at.edges) {
        port &inner = at.way == direction::in ? *e->to : *e->from;
        if (&inner == &at) continue;
        if (!inner.owner) give_size(inner, samples, level + 1);
        else if (inner.is_block() && inner.bytes == 0) inner.bytes = samples * inner.type.bytes();
    }
}

} // namespace sim
} // namespace adf
