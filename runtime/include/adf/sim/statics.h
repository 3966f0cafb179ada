// Static data of kernels. On hardware every tile has its own copy of a kernel's variables; on the
// host all instances of a source share them. `aiec sim` puts the writable data of each kernel
// source into a separate section and lists the sections in a table. A kernel then gets its own copy
// of its source's section, which is swapped in while it runs. Programs that are built by hand have
// no table, and their instances share static data.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace adf {
namespace sim {

// The writable data of one kernel source.
struct static_section {
    const char *source; // as source(k) names it
    char *begin;
    char *end;
};

// Every section that has been declared.
inline std::vector<static_section> &static_sections() {
    static std::vector<static_section> all;
    return all;
}

struct declare_static_section {
    declare_static_section(const char *source, char *begin, char *end) {
        if (begin && end > begin) static_sections().push_back({source, begin, end});
    }
};

#if defined(__GNUC__)
#define ADF_SIM_NO_SANITIZE __attribute__((no_sanitize("address"), noinline))
#else
#define ADF_SIM_NO_SANITIZE
#endif

// A kernel's own copy of the sections of its source.
class private_statics {
public:
    // Takes the values that static data starts with.
    void adopt(const std::string &source) {
        for (const static_section &s : static_sections()) {
            if (source != s.source) continue;
            sections_.push_back({s, std::vector<char>(std::size_t(s.end - s.begin))});
            copy(sections_.back().data.data(), s.begin, sections_.back().data.size());
        }
    }
    // Before the kernel goes on, and after it has stopped.
    void enter() {
        for (own &o : sections_) copy(o.section.begin, o.data.data(), o.data.size());
    }
    void leave() {
        for (own &o : sections_) copy(o.data.data(), o.section.begin, o.data.size());
    }
    std::size_t bytes() const {
        std::size_t total = 0;
        for (const own &o : sections_) total += o.data.size();
        return total;
    }

private:
    struct own {
        static_section section;
        std::vector<char> data;
    };
    // Not memcpy: the address sanitizer guards the space between variables, which the copy
    // includes.
    ADF_SIM_NO_SANITIZE static void copy(char *to, const char *from, std::size_t bytes) {
#ifdef ADF_SIM_ASAN
        for (std::size_t i = 0; i < bytes; ++i) static_cast<volatile char *>(to)[i] = from[i];
#else
        std::memcpy(to, from, bytes);
#endif
    }

    std::vector<own> sections_;
};

} // namespace sim
} // namespace adf
