// The functions of `gmio_node` and its kinds.
#pragma once

#include <algorithm>

#include "gmio_node.h"

namespace adf {
namespace sim {

ADF_SIM_RUN std::size_t gmio_node::outstanding() const {
    std::size_t total = 0;
    for (std::size_t i = 0; i < transfers_.size(); ++i) total += transfers_[i].bytes;
    return total;
}

ADF_SIM_RUN bool gmio_node::step() {
    bool any = false;
    for (bool moved = true; moved; any = any || moved) {
        moved = move();
        moved = wire().step() || moved;
    }
    return any;
}

ADF_SIM_RUN void gmio_node::moved(std::size_t bytes) {
    transfer &t = transfers_.front();
    t.memory += bytes;
    t.bytes -= bytes;
    if (t.bytes == 0) transfers_.pop_front();
}

ADF_SIM_RUN bool gmio_source::move() {
    if (done()) return false;
    const std::size_t n = std::min(wire().space() / 4 * 4, transfers_.front().bytes);
    if (n == 0) return false;
    wire().push(transfers_.front().memory, n);
    moved(n);
    return true;
}

ADF_SIM_RUN bool gmio_sink::move() {
    fifo &queue = wire().branches[in[0]->branch].queue;
    if (done() || queue.empty()) return false;
    const std::size_t n = std::min(queue.size(), transfers_.front().bytes);
    queue.pop(transfers_.front().memory, n);
    moved(n);
    return true;
}

} // namespace sim
} // namespace adf
