// The statements of graph constructors, for a description of the graph (AIEC_SIM_DESCRIBE). A
// statement is known by its call chain. Debug information tells its lines, which the reader of the
// description looks up.
#pragma once

#include <string>
#include <vector>

#include "linked.h"

namespace adf {
namespace sim {

// The number of a call chain, from 1. 0 when the run describes no graph.
using statement = unsigned;

// The statement that calls the runtime now.
ADF_SIM_RUN statement here();

// An error that ends the description, or a warning. `handle` is the object that refers to nothing,
// if that is the error.
ADF_SIM_RUN void record_failure(const std::string &text, const void *handle = nullptr);

// Writes the description, and ends the program. A program without a graph has none.
[[noreturn]] ADF_SIM_RUN void describe_and_leave();

// From now on, `write` writes the description. A constructor that is interrupted by a signal, an
// exception or the time limit still leaves one that tells where.
ADF_SIM_RUN void watch_constructors(void (*write)());

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "record.inl"
#endif
