// Vector accesses through pointers to vector types, `*(v8int32 *)p`. The compiler checks each
// access whose alignment it cannot know (-fsanitize=alignment), and calls a function of its runtime
// library for misaligned ones. These headers define that function instead, so that the library is
// not needed and the report names kernel, port and firing.
//
// The function takes the compiler's descriptions of a place and an access, and reports accesses of
// 16 bytes and more. Programs that are compiled with the flag define AIEC_CHECK_ALIGNMENT; those
// under the compiler's own sanitizers do not.
#pragma once

#include <cstdint>

#include "core.hpp"

namespace aie {
namespace sim {

// Describes the fault of a vector access at this address, of a type that needs this alignment in
// bytes.
[[gnu::cold]] ADF_SIM_RUN void misaligned_pointer(std::uintptr_t address, std::size_t natural, source_place place);

} // namespace sim
} // namespace aie

#ifndef AIEC_SIM_LINKED
#include "alignment.inl"
#endif
