// The functions of `block`.
#pragma once

#include <string>

#include "block.h"

namespace adf {
namespace sim {

ADF_SIM_RUN void complain_of_alignment(const block_view &v, std::uintptr_t byte, std::size_t needed, bool broken,
                                       std::size_t bytes) {
    kernel_node::misused(*v.at,
                         std::string(v.at->is_input() ? "read" : "write") + " of a vector of " + std::to_string(bytes) +
                             " bytes at byte " + std::to_string(byte) + ", which is not a multiple of " +
                             std::to_string(needed) +
                             (broken ? "; hardware ignores the low bits of the address"
                                     : " (aie::vector_decl_align); 16 are enough on AIE, not on AIE-ML"),
                         broken ? kernel_node::severity::error : kernel_node::severity::warning);
}

ADF_SIM_RUN void complain_of_access(const block_view &v, std::int64_t first) {
    using severity = kernel_node::severity;
    const std::string access = v.at->is_input() ? "read " : "write ";
    if (!v.data) {
        kernel_node::misused(*v.at, access + "before window_acquire");
    } else if (v.rounds != 0) {
        const char *where = v.rounds > 0 ? "where window_incr led past the end of the window"
                                         : "where window_decr led before the start of the window";
        kernel_node::misused(*v.at, access + where + ", which wraps around", severity::warning);
    } else {
        const char *where = first < 0 ? "before the start of the window" : "past the end of the window";
        kernel_node::misused(*v.at, access + where, severity::likely);
    }
}

} // namespace sim
} // namespace adf
