// GMIO at run time: queues of transfers between host memory and nets. Bytes move unchanged; a transfer is done when its
// last byte has moved, and windows need not line up with transfers.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>

#include "net.h"

namespace adf {
namespace sim {

class gmio_node : public node {
public:
    std::string name() const override { return "GMIO " + logical; }

    std::string logical;
    unsigned burst_bytes = 64;
    std::size_t bandwidth = 0; // megabytes a second, as declared

    void enqueue(unsigned char *memory, std::size_t bytes) { transfers_.push_back({memory, bytes}); }
    bool done() const { return transfers_.empty(); }

    // Bytes of the transfers asked for that have not moved yet.
    std::size_t outstanding() const {
        std::size_t total = 0;
        for (const transfer &t : transfers_) total += t.bytes;
        return total;
    }

    bool step() override {
        bool any = false;
        for (bool moved = true; moved; any = any || moved) {
            moved = move();
            moved = wire().step() || moved;
        }
        return any;
    }

protected:
    struct transfer {
        unsigned char *memory;
        std::size_t bytes; // still to move
    };

    virtual bool move() = 0;
    virtual net &wire() const = 0;

    // Marks the first `bytes` of the front transfer as moved.
    void moved(std::size_t bytes) {
        transfer &t = transfers_.front();
        t.memory += bytes;
        t.bytes -= bytes;
        if (t.bytes == 0) transfers_.pop_front();
    }

    std::deque<transfer> transfers_;
};

// Host memory to a net.
class gmio_source final : public gmio_node {
public:
    gmio_source() { add_port(direction::out, carries::open); }

protected:
    net &wire() const override { return *out[0]->wire; }
    bool move() override {
        if (done()) return false;
        const std::size_t n = std::min(wire().space() / 4 * 4, transfers_.front().bytes);
        if (n == 0) return false;
        wire().push(transfers_.front().memory, n);
        moved(n);
        return true;
    }
};

// A net to host memory.
class gmio_sink final : public gmio_node {
public:
    gmio_sink() { add_port(direction::in, carries::open); }

protected:
    net &wire() const override { return *in[0]->wire; }
    bool move() override {
        fifo &queue = wire().branches[in[0]->branch].queue;
        if (done() || queue.empty()) return false;
        const std::size_t n = std::min(queue.size(), transfers_.front().bytes);
        queue.pop(transfers_.front().memory, n);
        moved(n);
        return true;
    }
};

} // namespace sim
} // namespace adf
