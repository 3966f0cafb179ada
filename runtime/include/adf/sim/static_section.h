// The sections of static data, for the table that `aiec sim` writes for a program. Includes
// nothing, since the compiler reads it for every program once.
#pragma once

namespace adf {
namespace sim {

// The writable data of one kernel source.
struct static_section {
    const char *source; // as source(k) names it
    char *begin;
    char *end;
};

// Adds a section to those of the program.
struct declare_static_section {
    declare_static_section(const char *source, char *begin, char *end);
};

} // namespace sim
} // namespace adf
