// The tile a kernel runs on. Its counter is no clock: it counts the window operations and scheduler turns of the whole
// run so far, which is deterministic and grows, but says nothing about cycles of a device.
#pragma once

#include "../../adf/sim/kernel_node.h"

namespace aie {

class tile {
public:
    static tile current() { return tile(); }
    unsigned long long cycles() const { return ++adf::sim::operations(); }

private:
    tile() = default;
};

} // namespace aie

inline unsigned long long get_cycles() { return aie::tile::current().cycles(); }
