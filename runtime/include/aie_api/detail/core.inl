// The functions of `core`.
#pragma once

#include <cstdio>

#include "core.hpp"

namespace aie {
namespace sim {

ADF_SIM_RUN void report_to_stderr(severity how, const char *what, source_place at, const void * /*address*/) {
    constexpr unsigned most = 64;
    static source_place seen[most];
    static unsigned count = 0;
    for (unsigned i = 0; i < count; ++i)
        if (seen[i].line == at.line && seen[i].file == at.file) return;
    if (count == most) return;
    seen[count++] = at;
    std::fprintf(stderr, "aie_api: %s: %s:%u: %s\n", how == severity::error ? "error" : "warning", at.file, at.line, what);
}

} // namespace sim
} // namespace aie
