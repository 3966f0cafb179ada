// The functions of `fifo` that few calls need.
#pragma once

#include <algorithm>

#include "fifo.h"

namespace adf {
namespace sim {

ADF_SIM_RUN void fifo::grow(std::size_t bytes) {
    list<unsigned char> larger;
    larger.grow_to(std::max<std::size_t>(64, 2 * bytes));
    for (std::size_t i = 0; i < held_; ++i) larger[i] = ring_[(first_ + i) % ring_.size()];
    ring_.swap(larger);
    first_ = 0;
}

ADF_SIM_RUN void fifo::mark() { marks_.push_back(written_); }

ADF_SIM_RUN void fifo::stamp(std::uint64_t time) {
    newest_ = time;
    times_.push_back({written_, time});
}

ADF_SIM_RUN void fifo::pass_times() {
    for (; !times_.empty() && times_.front().byte < read_; times_.pop_front()) came_ = times_.front().time;
}

ADF_SIM_RUN bool fifo::pass_marks() {
    bool last = false;
    for (; !marks_.empty() && marks_.front() <= read_; marks_.pop_front()) last = true;
    return last;
}

} // namespace sim
} // namespace adf
