// The functions of `net`.
#pragma once

#include <algorithm>

#include "net.h"

namespace adf {
namespace sim {

ADF_SIM_RUN std::size_t branch::fifo_words() const {
    bool in_memory = false, in_switches = false;
    for (const edge *e : path) {
        for (const place &p : e->places) {
            in_memory = in_memory || p.kind == place::what::fifo;
            in_switches = in_switches || p.kind == place::what::stream_fifo;
        }
    }
    if (!in_memory && !in_switches) in_memory = declared_words >= words_of_least_dma_fifo;
    if (in_memory) return declared_words;
    return (declared_words + words_of_switch_fifo - 1) / words_of_switch_fifo * words_of_switch_fifo;
}

ADF_SIM_RUN net::net() = default;
ADF_SIM_RUN net::~net() = default;

ADF_SIM_RUN const branch &net::fullest() const {
    return *std::min_element(branches.begin(), branches.end(), [](const branch &a, const branch &b) {
        return a.queue.space() < b.queue.space();
    });
}

ADF_SIM_RUN bool net::step() {
    if (shared || what == carries::parameter || what == carries::cascade) return false;
    bool any = false;
    for (bool moved = true; moved;) {
        moved = from->is_block() && drain();
        for (branch &b : branches) moved = (b.to->is_block() && fill(b)) || moved;
        any = any || moved;
    }
    return any;
}

ADF_SIM_RUN bool net::drain() {
    pool &p = *from->buffers;
    bool moved = false;
    while (p.has_full()) {
        if (adds_header && !header_sent_) {
            if (space() < 4) break;
            const std::uint32_t header = packet_header(packet_id);
            push(reinterpret_cast<const unsigned char *>(&header), 4, false, p.filled_at());
            header_sent_ = moved = true;
        }
        const std::size_t left = p.bytes() - p.moved;
        const std::size_t n = std::min(left, space());
        if (n == 0) break;
        push(p.full_buffer() + p.margin() + p.moved, n, adds_header && n == left, p.filled_at());
        p.moved += n;
        moved = true;
        if (p.moved < p.bytes()) break;
        p.moved = 0;
        header_sent_ = false;
        p.release_empty(p.filled_at());
    }
    return moved;
}

ADF_SIM_RUN bool net::fill(branch &b) {
    pool &p = *b.to->buffers;
    bool moved = false;
    while (!b.queue.empty() && p.has_empty()) {
        if (b.strips_header && b.expects_header) {
            if (b.queue.size() < 4) break;
            unsigned char header[4];
            b.queue.pop(header, 4);
            b.expects_header = false;
            moved = true;
            continue;
        }
        if (p.moved == 0) p.carry_margin();
        std::size_t n = std::min(p.bytes() - p.moved, b.queue.size());
        if (b.strips_header) n = std::min(n, b.queue.until_mark());
        if (b.queue.pop(p.empty_buffer() + p.margin() + p.moved, n)) b.expects_header = true;
        p.moved += n;
        moved = true;
        if (p.moved < p.bytes()) continue;
        p.moved = 0;
        p.release_full(std::max(b.queue.came(), p.emptied_at()));
    }
    return moved;
}

} // namespace sim
} // namespace adf
