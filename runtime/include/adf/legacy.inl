// The functions of inputs and outputs of designs before 2022.1.
#pragma once

#include "legacy.h"

namespace adf {

ADF_SIM_RUN sim::node &PLIO::become(bool source) {
    sim::plio_node &node = source ? static_cast<sim::plio_node &>(sim::simulation::get().add_plio_source())
                                  : static_cast<sim::plio_node &>(sim::simulation::get().add_plio_sink());
    sim::describe(node, name_, width_, file_, megahertz_, hex_);
    sim::simulation::get().made.others.push_back({this, &node});
    node_ = &node;
    return node;
}

ADF_SIM_RUN sim::node &GMIO::become(bool source) {
    sim::gmio_node &node = source ? static_cast<sim::gmio_node &>(sim::simulation::get().add_gmio_source())
                                  : static_cast<sim::gmio_node &>(sim::simulation::get().add_gmio_sink());
    sim::describe(node, name_, burst_bytes_, bandwidth_);
    be(node);
    return node;
}

} // namespace adf
