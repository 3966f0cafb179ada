// GMIO at run time: queues of transfers between host memory and windows. Bytes move unchanged; a transfer is done when
// its last byte has moved, and windows need not line up with transfers.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>

#include "node.h"

namespace adf {
namespace sim {

class gmio_node : public node {
public:
    std::string name() const override { return "GMIO " + logical; }

    std::string logical;
    unsigned burst_bytes = 64;
    unsigned bandwidth = 0; // megabytes a second, as declared

    void enqueue(unsigned char *memory, std::size_t bytes) { transfers_.push_back({memory, bytes}); }
    bool done() const { return transfers_.empty(); }

    // Bytes of the transfers asked for that have not moved yet.
    std::size_t outstanding() const {
        std::size_t total = 0;
        for (const transfer &t : transfers_) total += t.bytes;
        return total;
    }

protected:
    struct transfer {
        unsigned char *memory;
        std::size_t bytes; // still to move
    };

    // Marks the first `bytes` of the front transfer as moved.
    void moved(std::size_t bytes) {
        transfer &t = transfers_.front();
        t.memory += bytes;
        t.bytes -= bytes;
        if (t.bytes == 0) transfers_.pop_front();
    }

    std::deque<transfer> transfers_;
};

// Host memory to windows.
class gmio_source final : public gmio_node {
public:
    gmio_source() { add_port(direction::out, element()); }

    bool step() override {
        port &p = *out[0];
        if (!p.ready() || outstanding() < p.bytes()) return false;
        for (std::size_t filled = 0; filled < p.bytes();) {
            const std::size_t n = std::min(p.bytes() - filled, transfers_.front().bytes);
            std::memcpy(p.buffer() + filled, transfers_.front().memory, n);
            filled += n;
            moved(n);
        }
        p.pass_on();
        return true;
    }
};

// Windows to host memory.
class gmio_sink final : public gmio_node {
public:
    gmio_sink() { add_port(direction::in, element()); }

    bool step() override {
        port &p = *in[0];
        if (!p.ready() || done()) return false;
        const std::size_t n = std::min(p.bytes() - drained_, transfers_.front().bytes);
        std::memcpy(transfers_.front().memory, p.buffer() + drained_, n);
        moved(n);
        drained_ += n;
        if (drained_ == p.bytes()) {
            drained_ = 0;
            p.pass_on();
        }
        return true;
    }

private:
    std::size_t drained_ = 0; // bytes of the current window already moved
};

} // namespace sim
} // namespace adf
