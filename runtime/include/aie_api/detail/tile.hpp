// The tile a kernel runs on.
#pragma once

#include "../../adf/location.h"
#include "../../adf/sim/kernel_node.h"

namespace aie {
using adf::tile;
} // namespace aie

inline unsigned long long get_cycles() { return aie::tile::current().cycles(); }

// The kernel's tile, if a constraint sets it: column in bits 27:16 (as programs use it), row in
// 15:0; otherwise 0. The array counts rows from the shim, which is row 0 (AM009, "AI Engine
// Array"), so that adf::tile(3, 2) is row 3 here. The number belongs to the tile, not to the
// kernel, and changes with the placement: a note reports this.
inline unsigned get_coreid() {
    const adf::sim::kernel_node *k = adf::sim::running_kernel();
    if (k) {
        adf::sim::kernel_node::broke_rule(k, "get_coreid() is the number of the tile, which changes with placement: what a "
                                             "kernel does should follow from a number that it is given",
                                          adf::sim::kernel_node::severity::note);
    }
    if (!k || k->places.empty() || k->places.front().kind != adf::sim::place::what::tile) return 0;
    return unsigned(k->places.front().column) << 16 | unsigned(k->places.front().row + 1);
}
