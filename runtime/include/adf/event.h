// The event interface (UG1079, "event API"): counters of the interface tiles. A functional run has
// no clock. Counters count the bytes moved by PLIO and the rounds of the scheduler, which is
// deterministic and grows.
#pragma once

#include <cstddef>
#include <vector>

#include "io.h"

namespace adf {
namespace event {

using handle = int;
constexpr handle invalid_handle = -1;

enum io_profiling_option {
    io_total_stream_running_to_idle_cycles,
    io_stream_start_to_bytes_transferred_cycles,
    io_stream_start_difference_cycles,
    io_stream_running_event_count,
};

namespace detail {

struct counter {
    bool running = false;
    std::uint64_t start = 0;
    std::uint64_t result = 0;
};
inline std::vector<counter> &counters() {
    static std::vector<counter> all;
    return all;
}
inline handle begin() {
    counters().push_back({true, sim::operations(), 0});
    return handle(counters().size() - 1);
}

} // namespace detail

// Starts a counter at one input or output (or between two).
template <typename Io>
handle start_profiling(const Io &, io_profiling_option, std::size_t = 0) { return detail::begin(); }
template <typename First, typename Second>
handle start_profiling(const First &, const Second &, io_profiling_option, std::size_t = 0) { return detail::begin(); }

// Operations of the run since the counter was started. 0 when the counter does not exist.
inline long long read_profiling(handle h) {
    if (h < 0 || std::size_t(h) >= detail::counters().size()) return 0;
    detail::counter &c = detail::counters()[std::size_t(h)];
    if (c.running) c.result = sim::operations() - c.start;
    return (long long)c.result;
}
inline void stop_profiling(handle h) {
    read_profiling(h);
    if (h >= 0 && std::size_t(h) < detail::counters().size()) detail::counters()[std::size_t(h)].running = false;
}

} // namespace event
} // namespace adf
