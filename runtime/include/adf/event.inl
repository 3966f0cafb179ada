// The functions of the event interface.
#pragma once

#include <cstdint>

#include "event.h"

namespace adf {
namespace event {
namespace detail {

struct counter {
    bool running = false;
    std::uint64_t start = 0;
    std::uint64_t result = 0;
};

ADF_SIM_RUN sim::list<counter> &counters() {
    static sim::list<counter> all;
    return all;
}

ADF_SIM_RUN handle begin() {
    counters().push_back({true, sim::operations(), 0});
    return handle(counters().size() - 1);
}

} // namespace detail

ADF_SIM_RUN long long read_profiling(handle h) {
    if (h < 0 || std::size_t(h) >= detail::counters().size()) return 0;
    detail::counter &c = detail::counters()[std::size_t(h)];
    if (c.running) c.result = sim::operations() - c.start;
    return (long long)c.result;
}

ADF_SIM_RUN void stop_profiling(handle h) {
    read_profiling(h);
    if (h >= 0 && std::size_t(h) < detail::counters().size()) detail::counters()[std::size_t(h)].running = false;
}

} // namespace event
} // namespace adf
