// The source line of the user's code that is running: the innermost frame that is not of these headers. Looked up with
// addr2line when something went wrong, so it costs nothing before; without debug information (-g) or addr2line there
// is no line.
#pragma once

#include <string>

#include "linked.h"

namespace adf {
namespace sim {

// A path without links and `..`, or the path itself if there is no such file.
ADF_SIM_RUN std::string real_path(const std::string &path);

// Does `line` (a file and a line) lie in the include folder of these headers?
ADF_SIM_RUN bool of_the_headers(const std::string &line);

ADF_SIM_RUN bool of_the_user(const std::string &line);

// `kernels/fir.cc:12`, or nothing. In the handler of a signal, `interrupted` is the instruction at which it came.
ADF_SIM_RUN std::string source_line(const void *interrupted = nullptr);

// The line in which this function is defined, or nothing.
ADF_SIM_RUN std::string line_of_code(const void *code);

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "source_line.inl"
#endif
