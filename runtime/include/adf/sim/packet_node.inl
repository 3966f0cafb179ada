// The functions of `split_node` and `merge_node`.
#pragma once

#include <cstdio>
#include <cstring>
#include <string>

#include "packet_node.h"

namespace adf {
namespace sim {

ADF_SIM_RUN bool split_node::step() {
    bool any = false;
    while (word()) any = true;
    return any;
}

ADF_SIM_RUN bool split_node::word() {
    fifo &queue = in[0]->wire->branches[in[0]->branch].queue;
    if (chosen_ < 0) {
        if (queue.size() < 4) return false;
        queue.pop(header_, 4);
        std::uint32_t header = 0;
        std::memcpy(&header, header_, 4);
        chosen_ = int(header & 31U);
        header_waits_ = true;
        served_ |= 1U << chosen_;
        if (std::size_t(chosen_) >= out.size() || !out[std::size_t(chosen_)]->wire) {
            stop(name() + ": the header 0x" + hex(header) + " has packet id " + std::to_string(chosen_) +
                 ", which no output of it has");
        }
    }
    net &to = *out[std::size_t(chosen_)]->wire;
    if (header_waits_) {
        if (to.space() < 4) return false;
        to.push(header_, 4, false, queue.came());
        header_waits_ = false;
        to.step();
        return true;
    }
    if (queue.size() < 4 || to.space() < 4) return to.step();
    unsigned char data[4];
    const bool last = queue.pop(data, 4);
    to.push(data, 4, last, queue.came());
    to.step();
    if (last) chosen_ = -1;
    return true;
}

ADF_SIM_RUN const port *split_node::waits_at() const {
    const fifo &queue = in[0]->wire->branches[in[0]->branch].queue;
    const bool wants_word = chosen_ < 0 || (!header_waits_ && queue.size() < 4);
    return wants_word ? in[0] : out[std::size_t(chosen_)];
}

ADF_SIM_RUN std::string split_node::hex(std::uint32_t word) {
    char text[12];
    std::snprintf(text, sizeof text, "%08x", unsigned(word));
    return text;
}

ADF_SIM_RUN bool merge_node::step() {
    bool any = false;
    while (word()) any = true;
    return any;
}

ADF_SIM_RUN bool merge_node::word() {
    if (chosen_ < 0 && !choose()) return false;
    fifo &queue = queue_of(std::size_t(chosen_));
    net &to = *out[0]->wire;
    in[std::size_t(chosen_)]->wire->step();
    if (queue.size() < 4 || to.space() < 4) return to.step();
    unsigned char data[4];
    const bool last = queue.pop(data, 4);
    to.push(data, 4, last, queue.came());
    to.step();
    if (last) {
        next_ = (std::size_t(chosen_) + 1) % in.size();
        chosen_ = -1;
    }
    return true;
}

ADF_SIM_RUN const port *merge_node::waits_at() const {
    const std::size_t now = chosen_ < 0 ? next_ : std::size_t(chosen_);
    return chosen_ < 0 || queue_of(now).size() < 4 ? in[now] : out[0];
}

ADF_SIM_RUN bool merge_node::choose() {
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

ADF_SIM_RUN fifo &merge_node::queue_of(std::size_t i) const { return in[i]->wire->branches[in[i]->branch].queue; }

} // namespace sim
} // namespace adf
