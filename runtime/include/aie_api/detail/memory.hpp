// Loads and stores between data memory and vectors (UG1529, "Memory"), with the alignment check
// that the vendor's functional simulator lacks. A misaligned access is reported, then done at its
// address.
//
// Required alignment: 16 bytes for 128-bit vectors. Longer ones need 16 bytes on AIE (UG1079,
// "Alignment") and 32 bytes on AIE-ML (UG1603, "Alignment"); on AIE the latter is reported as a
// portability issue.
#pragma once

#include "alignment.hpp"
#include "vector.hpp"

namespace aie {

// The memory bank that an access is tied to; the host has one memory.
enum class aie_dm_resource { none, a, b, c, d, stack };

} // namespace aie

using aie::aie_dm_resource;

// Annotations of pointers (UG1079, "Load and Store with Virtual Resource Annotations").
#define __aie_dm_resource_a
#define __aie_dm_resource_b
#define __aie_dm_resource_c
#define __aie_dm_resource_d
#define __aie_dm_resource_stack

namespace aie {
namespace sim {

[[gnu::noinline]] inline void misaligned(const void *at, std::size_t bytes, source_place place) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    const bool broken = address % alignment_here(bytes) != 0;
    const std::size_t needed = broken ? alignment_here(bytes) : alignment_anywhere(bytes);
    char text[256];
    std::snprintf(text, sizeof text,
                  "a vector access of %u bytes is not aligned to %u bytes (it is %u bytes off)%s; align the memory with "
                  "alignas(aie::vector_decl_align), or use the unaligned form of the access",
                  unsigned(bytes), unsigned(needed), unsigned(address % needed), broken ? "" : "; 16 are enough on AIE, not on AIE-ML");
    report_hook()(broken ? severity::error : severity::portability, text, place, at);
}

// Accesses below 128 bits are not vector accesses.
inline void check_alignment(const void *at, std::size_t bytes, source_place place) {
    if (bytes >= 16 && reinterpret_cast<std::uintptr_t>(at) % alignment_anywhere(bytes) != 0) misaligned(at, bytes, place);
}

template <unsigned Lanes, typename Type>
vector<std::remove_cv_t<Type>, Lanes> copied(const Type *from) {
    vector<std::remove_cv_t<Type>, Lanes> v;
    v.load(from);
    return v;
}

} // namespace sim

// `Lanes` elements from aligned memory.
template <unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none, typename Type>
vector<Type, Lanes> load_v(const Type *from, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    sim::check_alignment(from, Lanes * sizeof(Type), {file, line});
    if (sim::read_hook()) sim::read_hook()(from, Lanes * sizeof(Type), {file, line}, true);
    return sim::copied<Lanes>(from);
}
// A vector of 512 bits, the API's default without a number of lanes (Xilinx/aie_api,
// native_vector_length_v).
template <aie_dm_resource Resource = aie_dm_resource::none, typename Type>
vector<Type, native_vector_length_v<Type>> load_v(const Type *from, const char *file = __builtin_FILE(), unsigned line =
                                                  __builtin_LINE()) {
    return load_v<native_vector_length_v<Type>>(from, file, line);
}

// `Lanes` elements from the last aligned address not after `from`: aligned to the vector, at most
// to 256 bits.
template <unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none, typename Type>
vector<Type, Lanes> load_floor_v(const Type *from) {
    const std::size_t bytes = Lanes * sizeof(Type) < 32 ? Lanes * sizeof(Type) : 32;
    return sim::copied<Lanes>(from - reinterpret_cast<std::uintptr_t>(from) % bytes / sizeof(Type));
}
template <unsigned Lanes, unsigned Bytes, aie_dm_resource Resource = aie_dm_resource::none, typename Type>
vector<Type, Lanes> load_floor_bytes_v(const Type *from) {
    return sim::copied<Lanes>(from - reinterpret_cast<std::uintptr_t>(from) % Bytes / sizeof(Type));
}

// `Lanes` elements from any address of an element.
template <unsigned Lanes, aie_dm_resource Resource = aie_dm_resource::none, typename Type>
vector<Type, Lanes> load_unaligned_v(const Type *from, unsigned /*aligned_elements*/ = 1) {
    return sim::copied<Lanes>(from);
}
template <aie_dm_resource Resource = aie_dm_resource::none, typename Type>
vector<Type, native_vector_length_v<Type>> load_unaligned_v(const Type *from, unsigned aligned_elements = 1) {
    return load_unaligned_v<native_vector_length_v<Type>>(from, aligned_elements);
}

template <typename Type, unsigned Lanes>
Type *store_v(Type *to, const vector<sim::same_type_t<Type>, Lanes> &v, const char *file = __builtin_FILE(),
           unsigned line = __builtin_LINE()) {
    sim::check_alignment(to, Lanes * sizeof(Type), {file, line});
    v.store(to);
    return to;
}
template <typename Type, unsigned Lanes>
Type *store_unaligned_v(Type *to, const vector<sim::same_type_t<Type>, Lanes> &v, unsigned /*aligned_elements*/ = 1) {
    v.store(to);
    return to;
}

} // namespace aie
