// Static data of kernels. On hardware every tile has its own copy of a kernel's variables; on the
// host all instances of a source share them. `aiec sim` puts the writable data of each kernel
// source into a separate section and lists the sections in a table. A kernel then gets its own copy
// of its source's section, which is swapped in while it runs. Programs that are built by hand have
// no table, and their instances share static data.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "linked.h"
#include "static_section.h"

namespace adf {
namespace sim {

// Every section that has been declared.
ADF_SIM_RUN std::vector<static_section> &static_sections();

// A kernel's own copy of the sections of its source.
class private_statics {
public:
    // Takes the values that static data starts with.
    void adopt(const std::string &source);
    // Before the kernel goes on, and after it has stopped.
    void enter();
    void leave();
    std::size_t bytes() const;

private:
    struct own {
        static_section section;
        std::vector<char> data;
    };
    std::vector<own> sections_;
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "statics.inl"
#endif
