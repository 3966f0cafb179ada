// The functions of `node` and `port`.
#pragma once

#include <string>

#include "node.h"

namespace adf {
namespace sim {

ADF_SIM_RUN edge::edge() = default;
ADF_SIM_RUN edge::~edge() = default;

ADF_SIM_RUN parameter_state::parameter_state() = default;
ADF_SIM_RUN parameter_state::~parameter_state() = default;

ADF_SIM_RUN port::port() = default;
ADF_SIM_RUN port::~port() = default;

ADF_SIM_RUN std::string port::spelled() const {
    if (is_control) return "bp";
    return std::string(name_of(way)) + '[' + std::to_string(index) + ']';
}

ADF_SIM_RUN port &noted(const port_ref &p) {
    if (const statement now = here()) p.at->set_by.push_back(now);
    return *p.at;
}

ADF_SIM_RUN node::node() = default;
ADF_SIM_RUN node::~node() {
    for (void *each : handles_) ::operator delete(each);
}

ADF_SIM_RUN port &node::add_port(direction way, carries what, element type) {
    owners<port> &all = ports(way);
    all.push_back(new port());
    port &made = *all.back();
    made.owner = this;
    made.way = way;
    made.what = what;
    made.index = unsigned(all.size() - 1);
    made.type = type;
    return made;
}

ADF_SIM_RUN port &node::port_at(direction way, std::size_t index) {
    const owners<port> &all = ports(way);
    if (index >= all.size()) {
        const std::size_t both = inout.size();
        const std::string hint = way == direction::inout || both == 0 ? "" : "; scalars by reference are ports inout[0]" + (both == 1 ? std::string() : " to inout[" + std::to_string(both - 1) + ']');
        stop(name() + " has no port " + name_of(way) + '[' + std::to_string(index) + "]: it has " +
             std::to_string(all.size()) + " in that direction" + hint);
    }
    return *all[index];
}

ADF_SIM_RUN void *node::memory_for_handles(std::size_t bytes) {
    handles_.push_back(::operator new(bytes));
    return handles_.back();
}

ADF_SIM_RUN std::string described(const port &p) {
    if (!p.owner) return std::string("a graph's ") + (p.is_input() ? "input" : "output") + " port";
    return p.owner->name() + ", port " + p.spelled();
}

ADF_SIM_RUN std::string spelled(const element &type) {
    std::string text = type.parts == 2 ? "c" : "";
    if (type.kind == element::number::real) return text + (type.part_bytes == 2 ? "bfloat16" : "float");
    if (type.kind == element::number::plain) text += 'u';
    return text + "int" + std::to_string(8 * type.part_bytes);
}

} // namespace sim
} // namespace adf
