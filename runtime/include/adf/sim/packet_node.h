// Packet switches: one stream to several by the id of each packet's header, and several into one, a
// packet at a time (AM009, stream switch in packet mode).
#pragma once

#include <string>

#include "kernel_node.h"

namespace adf {
namespace sim {

// The ids by which packets find the outputs of a split are the numbers of the outputs.
class split_node final : public node {
public:
    explicit split_node(unsigned outputs);
    std::string name() const override;
    bool splits_packets() const override { return true; }

    bool step() override;
    const port *waits_at() const override;

    // Has a packet come for this output?
    bool has_served(unsigned output) const { return served_ >> output & 1U; }

private:
    // Moves one word. Returns false if no word or no space is available.
    bool word();
    static std::string hex(std::uint32_t word);

    unsigned char header_[4] = {};
    bool header_waits_ = false;
    std::uint32_t served_ = 0; // a bit for each output
    int chosen_ = -1; // the output of the packet on its way, -1 between packets
};

// Arbitrates among inputs that have a packet: in turn, by the seed's choice, or strictly in order.
class merge_node final : public node {
public:
    merge_node(unsigned inputs, bool ordered);
    std::string name() const override;
    void be_arbitrary(random_source *source) { random_ = source; }
    bool merges_packets() const override { return true; }
    bool is_ordered() const { return ordered_; }

    bool step() override;
    // Of several inputs in any order, the one behind that of the last packet.
    const port *waits_at() const override;

private:
    bool word();

    bool choose();
    fifo &queue_of(std::size_t i) const;

    bool ordered_;
    random_source *random_ = nullptr;
    int chosen_ = -1;
    std::size_t next_ = 0;
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "packet_node.inl"
#endif
