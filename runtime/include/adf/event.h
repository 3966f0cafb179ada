// The event interface (UG1079, "event API"): counters of the interface tiles. A functional run has
// no clock. Counters count the bytes moved by PLIO and the rounds of the scheduler, which is
// deterministic and grows.
#pragma once

#include <cstddef>

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

// Starts a counter.
ADF_SIM_RUN handle begin();

} // namespace detail

// Starts a counter at one input or output (or between two).
template <typename Io>
handle start_profiling(const Io &, io_profiling_option, std::size_t = 0) { return detail::begin(); }
template <typename First, typename Second>
handle start_profiling(const First &, const Second &, io_profiling_option, std::size_t = 0) { return detail::begin(); }

// Operations of the run since the counter was started. 0 when the counter does not exist.
ADF_SIM_RUN long long read_profiling(handle h);
ADF_SIM_RUN void stop_profiling(handle h);

} // namespace event
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "event.inl"
#endif
