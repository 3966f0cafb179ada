// Packet switches: one stream to several by the id of each packet's header, and several into one a packet at a time
// (AM009, stream switch in packet mode).
#pragma once

#include <string>

#include "kernel_node.h"

namespace adf {
namespace sim {

// The ids by which packets find the outputs of a split are the numbers of the outputs.
class split_node final : public node {
public:
    explicit split_node(unsigned outputs) {
        add_port(direction::in, carries::packet);
        for (unsigned i = 0; i < outputs; ++i) add_port(direction::out, carries::packet);
    }
    std::string name() const override { return "pktsplit<" + std::to_string(out.size()) + ">"; }

    bool step() override {
        bool any = false;
        while (word()) any = true;
        return any;
    }

private:
    // Moves one word; false when there is none, or no space for it.
    bool word() {
        fifo &queue = in[0]->wire->branches[in[0]->branch].queue;
        if (chosen_ < 0) {
            if (queue.size() < 4) return false;
            queue.pop(header_, 4);
            std::uint32_t header = 0;
            std::memcpy(&header, header_, 4);
            chosen_ = int(header & 31U);
            header_waits_ = true;
            if (std::size_t(chosen_) >= out.size() || !out[std::size_t(chosen_)]->wire) {
                journal::get().failure(name() + ": the header 0x" + hex(header) + " has packet id " +
                                       std::to_string(chosen_) + ", which no output of it has");
                std::exit(1);
            }
        }
        net &to = *out[std::size_t(chosen_)]->wire;
        if (header_waits_) {
            if (to.space() < 4) return false;
            to.push(header_, 4);
            header_waits_ = false;
            to.step();
            return true;
        }
        if (queue.size() < 4 || to.space() < 4) return to.step();
        unsigned char data[4];
        const bool last = queue.pop(data, 4);
        to.push(data, 4, last);
        to.step();
        if (last) chosen_ = -1;
        return true;
    }
    static std::string hex(std::uint32_t word) {
        char text[12];
        std::snprintf(text, sizeof text, "%08x", unsigned(word));
        return text;
    }

    unsigned char header_[4] = {};
    bool header_waits_ = false;
    int chosen_ = -1; // the output of the packet on its way, -1 between packets
};

// Arbitrates among inputs that have a packet: in turn, by the seed's choice, or strictly in order.
class merge_node final : public node {
public:
    merge_node(unsigned inputs, bool ordered) : ordered_(ordered) {
        for (unsigned i = 0; i < inputs; ++i) add_port(direction::in, carries::packet);
        add_port(direction::out, carries::packet);
    }
    std::string name() const override {
        return (ordered_ ? "pktorderedmerge<" : "pktmerge<") + std::to_string(in.size()) + ">";
    }
    void be_arbitrary(random_source *source) { random_ = source; }

    bool step() override {
        bool any = false;
        while (word()) any = true;
        return any;
    }

private:
    bool word() {
        if (chosen_ < 0 && !choose()) return false;
        fifo &queue = queue_of(std::size_t(chosen_));
        net &to = *out[0]->wire;
        in[std::size_t(chosen_)]->wire->step();
        if (queue.size() < 4 || to.space() < 4) return to.step();
        unsigned char data[4];
        const bool last = queue.pop(data, 4);
        to.push(data, 4, last);
        to.step();
        if (last) {
            next_ = (std::size_t(chosen_) + 1) % in.size();
            chosen_ = -1;
        }
        return true;
    }

    bool choose() {
        const std::size_t start = random_ && !ordered_ ? random_->below(in.size()) : next_;
        const std::size_t tries = ordered_ ? 1 : in.size();
        for (std::size_t i = 0; i < tries; ++i) {
            const std::size_t at = (start + i) % in.size();
            if (!in[at]->wire) continue;
            in[at]->wire->step();
            if (queue_of(at).size() < 4) continue;
            chosen_ = int(at);
            return true;
        }
        return false;
    }
    fifo &queue_of(std::size_t i) const { return in[i]->wire->branches[in[i]->branch].queue; }

    bool ordered_;
    random_source *random_ = nullptr;
    int chosen_ = -1;
    std::size_t next_ = 0;
};

} // namespace sim
} // namespace adf
