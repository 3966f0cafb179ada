// The tile a kernel runs on. Its counter counts operations at ports, of the kernel and of those for
// which it waited, and no cycles of a device. Each kernel's counter starts at another number.
// Without merges of packets counts are equal in every run.
#pragma once

#include "../../adf/sim/kernel_node.h"
#include "core.hpp"

// For graphs that write tile(...) behind using namespace aie and using namespace adf, as a public
// one does that the tools have built (abuqiqi/CCC2023, fft_8k). Such a name could mean either, so
// aiec compiles the graph's file without this one.
#ifndef AIEC_ONE_TILE
namespace aie {

class tile {
public:
    static tile current() { return tile(); }
    unsigned long long cycles() const { return adf::sim::tile_counter(); }

    // The modes of the core, as members (UG1529, "Configuration").
    static void set_rounding(rounding_mode mode) { aie::set_rounding(mode); }
    static rounding_mode get_rounding() { return aie::get_rounding(); }
    static void set_saturation(saturation_mode mode) { aie::set_saturation(mode); }
    static saturation_mode get_saturation() { return aie::get_saturation(); }

private:
    tile() = default;
};

} // namespace aie
#endif

inline unsigned long long get_cycles() { return adf::sim::tile_counter(); }

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
