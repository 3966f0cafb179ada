// The running source line of the user's code: the innermost frame outside these headers. addr2line
// looks it up when an error occurs, so it costs nothing before. Without debug information (-g) or
// addr2line there is no line.
#pragma once

#include <string>

#include "linked.h"

namespace adf {
namespace sim {

// A path without links and `..`, or the path itself if the file does not exist.
ADF_SIM_RUN std::string real_path(const std::string &path);

// Does `line` (a file and a line) lie in the include folder of these headers?
ADF_SIM_RUN bool of_the_headers(const std::string &line);

ADF_SIM_RUN bool of_the_user(const std::string &line);

// `kernels/fir.cc:12`, or empty. In a signal handler, `interrupted` is the interrupted instruction.
ADF_SIM_RUN std::string source_line(const void *interrupted = nullptr);

// A place of the running code, whose line is looked up later. Empty at first.
struct code_place {
    void *frames[24];
    int depth = 0;

    void note();
    std::string line() const;
};

// The line in which this function is defined, or nothing.
ADF_SIM_RUN std::string line_of_code(const void *code);

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "source_line.inl"
#endif
