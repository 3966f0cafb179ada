// The making and unmapping of `guarded_buffers`.
#pragma once

#include <string>

#include "guarded.h"

namespace adf {
namespace sim {

ADF_SIM_RUN guarded_buffers::guarded_buffers(std::size_t bytes, unsigned count)
    : bytes_(bytes), count_(count) {
    closed_.grow_to(count);
    page_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    open_ = (fence + rounded(bytes) + page_ - 1) / page_ * page_;
    const int access = PROT_READ | PROT_WRITE;
    void *at = ::mmap(nullptr, mapped(), access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) stop("no memory for buffers of " + std::to_string(bytes) + " bytes");
    memory_ = static_cast<unsigned char *>(at);
    for (unsigned i = 0; i < count; ++i) {
        // Systems limit the number of mappings of a process. A buffer that gets no guard page
        // goes without.
        ::mprotect(page_behind(i), page_, PROT_NONE);
        mend(i);
    }
}

ADF_SIM_RUN guarded_buffers::~guarded_buffers() { ::munmap(memory_, mapped()); }

} // namespace sim
} // namespace adf
