// The functions of `alignment`, and those that the compiler calls.
#pragma once

#include <cstdio>
#include <cstring>

#include "alignment.hpp"

namespace aie {
namespace sim {

ADF_SIM_RUN void misaligned_pointer(std::uintptr_t address, std::size_t natural, source_place place) {
    const bool broken = address % alignment_here(natural) != 0;
    const std::size_t needed = broken ? alignment_here(natural) : natural;
    char text[256];
    std::snprintf(text, sizeof text,
                  "an access through a pointer to a vector is not aligned to %u bytes (it is %u bytes off)%s; align the memory "
                  "with alignas(aie::vector_decl_align), or use aie::load_unaligned_v and aie::store_unaligned_v",
                  unsigned(needed), unsigned(address % needed), broken ? "" : "; 16 are enough on AIE, not on AIE-ML");
    report_hook()(broken ? severity::error : severity::portability, text, place, reinterpret_cast<const void *>(address));
}

#ifdef AIEC_CHECK_ALIGNMENT
// The layout of g++ and clang. The type's description and the kind of access follow and are not
// used.
struct compiler_place {
    const char *file;
    std::uint32_t line, column;
};
struct compiler_access {
    compiler_place place;
    const void *type;
    unsigned char log_alignment;
    unsigned char kind;
};

// Does a place lie in these headers? Their own accesses are checked before they are made.
inline bool in_these_headers(const char *file) {
    static const std::size_t folder = std::strlen(__FILE__) - std::strlen("aie_api/detail/alignment.inl");
    return std::strncmp(file, __FILE__, folder) == 0;
}
#endif

} // namespace sim
} // namespace aie

#ifdef AIEC_CHECK_ALIGNMENT
extern "C" {
// An access that is not aligned, or goes to no memory: the latter ends the program by itself.
__attribute__((used)) inline void __ubsan_handle_type_mismatch_v1(void *access, void *at) {
    const auto &what = *static_cast<const aie::sim::compiler_access *>(access);
    const std::size_t natural = std::size_t(1) << what.log_alignment;
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    if (natural < 16 || address == 0 || address % natural == 0 || aie::sim::in_these_headers(what.place.file)) return;
    aie::sim::misaligned_pointer(address, natural, {what.place.file, what.place.line});
}
// clang also checks the promise of __builtin_assume_aligned, which is no access.
__attribute__((used)) inline void __ubsan_handle_alignment_assumption(void *, void *, void *, void *) {}
}
#endif
