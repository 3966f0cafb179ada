// The functions of access patterns.
#pragma once

#include "access.h"
#include "sim/kernel_node.h"

namespace adf {
namespace sim {

ADF_SIM_RUN void access_setting::operator=(const access_pattern &pattern) const {
    if (at->owner && !at->is_block()) stop(described(*at) + ": access patterns are for buffer ports of kernels");
    at->patterned = true;
    if (settings::get().describe.empty() && !pattern.is_plain())
        stop(described(*at) + " has a DMA access pattern, and the simulation has none: `aiec check`, `place`, `route` and `report` take it");
}

} // namespace sim
} // namespace adf
