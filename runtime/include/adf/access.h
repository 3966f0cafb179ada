// DMA access patterns of buffer ports (UG1079 2025.1, "Tiling Parameters and Buffer Descriptors").
// The description of a graph has them. A run has none, and stops at one that changes an order.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel.h"

namespace adf {

// One loop over the tiles of a buffer.
struct traversing_parameters {
    std::uint32_t dimension = 0;
    std::uint32_t stride = 1;
    std::uint32_t wrap = 1;
};

// The tiles of a buffer that one transfer moves, and their order. Numbers are in elements.
struct tiling_parameters {
    std::vector<std::uint32_t> buffer_dimension = {};
    std::vector<std::uint32_t> tiling_dimension = {};
    std::vector<std::int32_t> offset = {};
    std::vector<traversing_parameters> tile_traversal = {};
    int packet_port_id = -1;
    std::vector<std::uint32_t> boundary_dimension = {};
};

namespace sim {

// All transfers of one pattern.
struct access_pattern {
    std::vector<tiling_parameters> transfers;

    // True if it moves the whole buffer from its first element to its last.
    bool is_plain() const {
        if (transfers.size() != 1) return false;
        const tiling_parameters &only = transfers.front();
        for (const std::int32_t from : only.offset)
            if (from != 0) return false;
        for (const traversing_parameters &loop : only.tile_traversal)
            if (loop.wrap != 1) return false;
        return only.tiling_dimension == only.buffer_dimension && only.boundary_dimension.empty();
    }
};

struct access_setting {
    port *at;
    void operator=(const access_pattern &pattern) const;
};

} // namespace sim

inline sim::access_pattern tiling(const tiling_parameters &one) { return {{one}}; }
template <typename = void> // chosen last: one transfer in braces is no list
sim::access_pattern tiling(const std::vector<tiling_parameters> &all) { return {all}; }

// The order in which a DMA reads the buffer of a port, and the order in which it writes it.
inline sim::access_setting read_access(const sim::port_ref &p) { return {&sim::noted(p)}; }
inline sim::access_setting write_access(const sim::port_ref &p) { return {&sim::noted(p)}; }

} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "access.inl"
#endif
