// Vector accesses through pointers to vector types, `*(v8int32 *)p`. The compiler checks each
// access whose alignment it cannot know (-fsanitize=alignment), and calls a function of its runtime
// library for misaligned ones. These headers define that function instead, so that the library is
// not needed and the report names kernel, port and firing.
//
// The function takes the compiler's descriptions of a place and an access, and reports accesses of
// 16 bytes and more. Programs that are compiled with the flag define AIEC_CHECK_ALIGNMENT; those
// under the compiler's own sanitizers do not.
#pragma once

#include <cstring>

#include "core.hpp"

namespace aie {
namespace sim {

// Describes the fault of a vector access at this address, of a type that needs this alignment in
// bytes.
[[gnu::cold, gnu::noinline]] inline void misaligned_pointer(std::uintptr_t address, std::size_t natural, source_place place) {
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
    static const std::size_t folder = std::strlen(__FILE__) - std::strlen("aie_api/detail/alignment.hpp");
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
