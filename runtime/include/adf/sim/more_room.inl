// The functions of `more_room`.
#pragma once

#include <deque>
#include <map>
#include <utility>

#include "more_room.h"

namespace adf {
namespace sim {

struct more_room::queues {
    std::map<unsigned, std::deque<std::pair<int32, bool>>> of; // by sender
};

ADF_SIM_RUN more_room::more_room() : queues_(new queues) {}
ADF_SIM_RUN more_room::~more_room() { delete queues_; }

ADF_SIM_RUN bool more_room::has(unsigned from) const {
    const auto found = queues_->of.find(from);
    return found != queues_->of.end() && !found->second.empty();
}

ADF_SIM_RUN bool more_room::keep(unsigned from, int32 word, bool ends) {
    queues_->of[from].emplace_back(word, ends);
    return true;
}

ADF_SIM_RUN int32 more_room::take(unsigned from, bool &ends) {
    auto &queue = queues_->of[from];
    const auto first = queue.front();
    queue.pop_front();
    ends = first.second;
    return first.first;
}

} // namespace sim
} // namespace adf
