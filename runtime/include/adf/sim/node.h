// A node of the data-flow graph: it has ports and makes progress in steps (a kernel, a PLIO, a
// GMIO, a packet switch).
#pragma once

#include <string>

#include "list.h"
#include "port.h"

namespace adf {
namespace sim {

class node {
public:
    node();
    virtual ~node();

    // The node's name in messages.
    virtual std::string name() const = 0;

    // True for a node that merges packets of several streams into one.
    virtual bool merges_packets() const { return false; }
    // True for a node that splits one stream of packets by their ids.
    virtual bool splits_packets() const { return false; }

    // Of a packet switch: the port at which it waits. Null for other nodes.
    virtual const port *waits_at() const { return nullptr; }

    // Makes all progress that is possible without waiting. Returns false if there was none.
    virtual bool step() = 0;

    owners<port> in;
    owners<port> out;
    owners<port> inout;
    list<place> places; // location<kernel>, location<PLIO> or location<GMIO>
    statement made_by = 0;
    std::size_t birth = 0;     // how many graphs were begun before this node was made

    owners<port> &ports(direction way) {
        return way == direction::in ? in : way == direction::out ? out : inout;
    }
    const owners<port> &ports(direction way) const {
        return way == direction::in ? in : way == direction::out ? out : inout;
    }

    port &add_port(direction way, carries what, element type = element());

    port &port_at(direction way, std::size_t index);

    // Memory that lives as long as the node, for the handles to its ports in the graph.
    void *memory_for_handles(std::size_t bytes);

    template <typename Visit>
    void each_port(Visit visit) const {
        for (const direction way : {direction::in, direction::out, direction::inout})
            for (port *p : ports(way)) visit(*p);
    }

private:
    list<void *> handles_;
};

// A port with its owner, for messages: `kernel 3 (kernels/a.cc), port in[0]`.
ADF_SIM_RUN std::string described(const port &p);

// `int16`, `cint32`, `float`: how the type is called.
ADF_SIM_RUN std::string spelled(const element &type);

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "node.inl"
#endif
