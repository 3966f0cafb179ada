// The functions of inputs and outputs.
#pragma once

#include <string>

#include "io.h"

namespace adf {
namespace sim {

ADF_SIM_RUN void describe(plio_node &node, const std::string &name, plio_type width, const std::string &file, double megahertz,
                          bool hex) {
    node.logical = name.empty() ? file : name;
    node.file = file;
    node.width_bits = unsigned(width);
    node.megahertz = megahertz;
    node.hex = hex;
}

ADF_SIM_RUN void describe(gmio_node &node, const std::string &name, std::size_t burst_bytes, std::size_t bandwidth) {
    if (burst_bytes != 64 && burst_bytes != 128 && burst_bytes != 256) {
        stop("GMIO " + name + " has a burst length of " + std::to_string(burst_bytes) + " bytes; 64, 128 and 256 exist");
    }
    node.logical = name;
    node.burst_bytes = unsigned(burst_bytes);
    node.bandwidth = bandwidth;
}

ADF_SIM_RUN return_code gmio_handle::wait() const {
    simulation::get().drive([this] { return node().done(); });
    return return_code::ok;
}

ADF_SIM_RUN return_code gmio_handle::enqueue(const void *memory, std::size_t bytes) const {
    if (!memory || bytes == 0 || bytes % 4 != 0) {
        journal::get().failure(node().name() + ": a transfer needs memory and a multiple of 4 bytes, got " +
                               std::to_string(bytes));
        return return_code::user_error;
    }
    node().enqueue(const_cast<unsigned char *>(static_cast<const unsigned char *>(memory)), bytes);
    return return_code::ok;
}

} // namespace sim

ADF_SIM_RUN input_plio input_plio::create(const std::string &name, plio_type width, const std::string &file, double megahertz, bool hex) {
    input_plio made;
    sim::plio_source &node = sim::simulation::get().add_plio_source();
    made.be(node);
    made.out = sim::port_list<adf::output>(&node);
    sim::describe(node, name, width, file, megahertz, hex);
    return made;
}

ADF_SIM_RUN output_plio output_plio::create(const std::string &name, plio_type width, const std::string &file, double megahertz, bool hex) {
    output_plio made;
    sim::plio_sink &node = sim::simulation::get().add_plio_sink();
    made.be(node);
    made.in = sim::port_list<adf::input>(&node);
    sim::describe(node, name, width, file, megahertz, hex);
    return made;
}

} // namespace adf
