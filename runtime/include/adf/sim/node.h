// A node of the data-flow graph: something with ports that makes progress in steps (a kernel, a PLIO, a GMIO).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "port.h"

namespace adf {
namespace sim {

class node {
public:
    virtual ~node() = default;

    // How messages call the node.
    virtual std::string name() const = 0;

    // Does what can be done without waiting; false when that is nothing.
    virtual bool step() = 0;

    std::vector<std::unique_ptr<port>> in;
    std::vector<std::unique_ptr<port>> out;
    std::vector<place> places; // location<kernel>, location<PLIO> or location<GMIO>

    port &add_port(direction way, element type) {
        auto &list = way == direction::in ? in : out;
        list.push_back(std::make_unique<port>());
        port &made = *list.back();
        made.owner = this;
        made.way = way;
        made.index = unsigned(list.size() - 1);
        made.type = type;
        return made;
    }

    port &port_at(direction way, std::size_t index) {
        auto &list = way == direction::in ? in : out;
        if (index >= list.size()) {
            stop(name() + " has no port " + name_of(way) + '[' + std::to_string(index) + "]: it has " +
                 std::to_string(list.size()) + " in that direction");
        }
        return *list[index];
    }
};

// A port with its owner, for messages: `kernel 3 (kernels/a.cc), port in[0]`.
inline std::string described(const port &p) { return p.owner->name() + ", port " + p.spelled(); }

} // namespace sim
} // namespace adf
