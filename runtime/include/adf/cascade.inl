// The functions of cascades.
#pragma once

#include <cstring>
#include <deque>
#include <map>
#include <vector>

#include "cascade.h"

namespace adf {
namespace sim {

// The accumulators on their way.
ADF_SIM_RUN std::deque<std::vector<unsigned char>> &travelling(const net &n) {
    static std::map<const net *, std::deque<std::vector<unsigned char>>> all;
    return all[&n];
}

ADF_SIM_RUN void write_accumulator(const stream_view &s, const void *value, std::size_t bytes, std::size_t bits) {
    static const unsigned char entry[48] = {};
    tick();
    net &wire = *s.at->wire;
    const std::size_t entries = (bits + 383) / 384;
    for (std::size_t i = 0; i < entries; ++i) {
        s.kernel->wait_for({s.at, sizeof entry});
        if (i + 1 == entries) {
            const auto *from = static_cast<const unsigned char *>(value);
            travelling(wire).emplace_back(from, from + bytes);
        }
        wire.push(entry, sizeof entry, false, s.kernel->time);
    }
}

ADF_SIM_RUN void read_accumulator(const stream_view &s, void *value, std::size_t bytes, std::size_t bits) {
    unsigned char entry[48];
    tick();
    net &wire = *s.at->wire;
    for (std::size_t i = 0; i < (bits + 383) / 384; ++i) {
        s.kernel->wait_for({s.at, sizeof entry});
        fifo &entries = wire.branches[s.at->branch].queue;
        entries.pop(entry, sizeof entry);
        s.kernel->not_before(entries.came() + wire.latency);
    }
    auto &queue = travelling(wire);
    if (queue.empty() || queue.front().size() != bytes) {
        kernel_node::misused(*s.at, "reads an accumulator of another size than the other end writes");
        return;
    }
    std::memcpy(value, queue.front().data(), bytes);
    queue.pop_front();
}

ADF_SIM_RUN const stream_view &running_cascade(direction way) {
    kernel_node *k = running_kernel();
    if (!k) stop("a cascade intrinsic is used outside of a kernel");
    for (const auto &p : k->ports(way))
        if (p->what == carries::cascade) return static_cast<stream_view &>(*p->view);
    stop(k->name() + " has no cascade port");
}

} // namespace sim
} // namespace adf
