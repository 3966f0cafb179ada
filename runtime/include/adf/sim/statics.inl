// The functions of `statics.h`.
#pragma once

#include <cstring>
#include <string>

#include "statics.h"

namespace adf {
namespace sim {

ADF_SIM_RUN list<static_section> &static_sections() {
    static list<static_section> all;
    return all;
}

ADF_SIM_RUN declare_static_section::declare_static_section(const char *source, char *begin, char *end) {
    if (begin && end > begin) static_sections().push_back({source, begin, end});
}

#if defined(__GNUC__)
#define ADF_SIM_NO_SANITIZE __attribute__((no_sanitize("address"), noinline))
#else
#define ADF_SIM_NO_SANITIZE
#endif

// Not memcpy: the address sanitizer guards the space between variables, which the copy includes.
ADF_SIM_NO_SANITIZE ADF_SIM_RUN void copy_statics(char *to, const char *from, std::size_t bytes) {
#ifdef ADF_SIM_ASAN
    for (std::size_t i = 0; i < bytes; ++i) static_cast<volatile char *>(to)[i] = from[i];
#else
    std::memcpy(to, from, bytes);
#endif
}

ADF_SIM_RUN void private_statics::adopt(const std::string &source) {
    for (const static_section &s : static_sections()) {
        if (source != s.source) continue;
        sections_.push_back({s, {}});
        list<char> &data = sections_.back().data;
        data.grow_to(std::size_t(s.end - s.begin));
        copy_statics(data.begin(), s.begin, data.size());
    }
}

ADF_SIM_RUN void private_statics::enter() {
    for (own &o : sections_) copy_statics(o.section.begin, o.data.begin(), o.data.size());
}

ADF_SIM_RUN void private_statics::leave() {
    for (own &o : sections_) copy_statics(o.data.begin(), o.section.begin, o.data.size());
}

ADF_SIM_RUN std::size_t private_statics::bytes() const {
    std::size_t total = 0;
    for (const own &o : sections_) total += o.data.size();
    return total;
}

} // namespace sim
} // namespace adf
