// Static data of kernels. On hardware every tile has its own copy of a kernel's variables; on the
// host all instances of a source share them. `aiec sim` puts the writable data of each kernel
// source into a separate section and lists the sections in a table. A kernel then gets its own copy
// of its source's section, which is swapped in while it runs. Programs that are built by hand have
// no table, and their instances share static data.
#pragma once

#include <cstddef>
#include <string>

#include "linked.h"
#include "list.h"
#include "static_section.h"

namespace adf {
namespace sim {

// Every section that has been declared.
ADF_SIM_RUN list<static_section> &static_sections();

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
        list<char> data;
    };
    list<own> sections_;
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "statics.inl"
#endif
