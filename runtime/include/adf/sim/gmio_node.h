// GMIO at run time: queues of transfers between host memory and nets. Bytes move unchanged. A
// transfer is done when its last byte has moved. Windows need not line up with transfers.
#pragma once

#include <string>

#include "net.h"

namespace adf {
namespace sim {

class gmio_node : public node {
public:
    gmio_node();
    ~gmio_node() override;

    std::string name() const override;

    std::string logical;
    unsigned burst_bytes = 64;
    std::size_t bandwidth = 0; // megabytes a second, as declared

    void enqueue(unsigned char *memory, std::size_t bytes);
    bool done() const { return transfers_.empty(); }

    // Bytes of the transfers asked for that have not moved yet.
    std::size_t outstanding() const;

    bool step() override;

protected:
    struct transfer {
        unsigned char *memory;
        std::size_t bytes; // still to move
    };

    virtual bool move() = 0;
    virtual net &wire() const = 0;

    // Marks the first `bytes` of the front transfer as moved.
    void moved(std::size_t bytes);

    ring<transfer> transfers_;
};

// Host memory to a net.
class gmio_source final : public gmio_node {
public:
    gmio_source();

protected:
    net &wire() const override { return *out[0]->wire; }
    bool move() override;
};

// A net to host memory.
class gmio_sink final : public gmio_node {
public:
    gmio_sink();

protected:
    net &wire() const override { return *in[0]->wire; }
    bool move() override;
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "gmio_node.inl"
#endif
