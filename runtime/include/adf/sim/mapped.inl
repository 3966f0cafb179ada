// The memory of the program.
#pragma once

#include <cinttypes>
#include <cstdio>

#include "reach.h"

namespace adf {
namespace sim {

ADF_SIM_RUN list<memory_range> writable_memory() {
    list<memory_range> found;
    std::FILE *maps = std::fopen("/proc/self/maps", "r");
    if (!maps) return found;
    char line[512];
    while (std::fgets(line, sizeof line, maps)) {
        memory_range range{};
        char readable = 0, writable = 0;
        const int fields = std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %c%c", &range.first, &range.end, &readable, &writable);
        if (fields == 4 && readable == 'r' && writable == 'w') found.push_back(range);
    }
    std::fclose(maps);
    return found;
}

} // namespace sim
} // namespace adf
