// What belongs to the core a kernel runs on: its rounding and saturation modes, and where misuse is reported. The
// scheduler gives every kernel instance a `core` of its own and names it while the kernel runs; kernel code that runs
// outside a simulation shares one. Modes: UG1079, "Rounding and Saturation Modes"; values: UG1078, UG1583, "mode".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

// The architecture the API behaves like: 10 is AIE (VC1902), 20 is AIE-ML. Widths of accumulators, alignment and the
// numbers of the rounding modes depend on it. Kernels test this name, so it is spelled as they expect it.
#ifndef __AIE_ARCH__
#define __AIE_ARCH__ 10
#endif

namespace aie {

// Rounding when bits are shifted out of an accumulator. The last six round to nearest and differ on ties; of AIE-ML alone are
// `symmetric_floor`, towards zero, and `symmetric_ceil`, away from it.
enum class rounding_mode : unsigned {
    floor = 0,
    ceil = 1,
#if __AIE_ARCH__ == 10
    positive_inf = 2,
    negative_inf = 3,
    symmetric_inf = 4,
    symmetric_zero = 5,
    conv_even = 6,
    conv_odd = 7,
#else
    symmetric_floor = 2,
    symmetric_ceil = 3,
    negative_inf = 8,
    positive_inf = 9,
    symmetric_zero = 10,
    symmetric_inf = 11,
    conv_even = 12,
    conv_odd = 13,
#endif
};

// What happens to a value that its type cannot hold: `none` keeps the low bits, `saturate` the nearest value, and
// `symmetric` the nearest of a range that is as large below zero as above.
enum class saturation_mode : unsigned {
    none = 0,
    truncate = 1, // an older name of saturate
    saturate = 1,
    symmetric = 3,
};

namespace sim {

// A place in the user's source, taken by default arguments.
struct source_place {
    const char *file = "";
    unsigned line = 0;
};

// The state of one core.
struct core {
    rounding_mode rounding = rounding_mode::floor;
    saturation_mode saturation = saturation_mode::none;
    unsigned radix = 2; // of FFT addressing
};

// The core of the running kernel: the scheduler sets it before it enters a kernel.
inline core *&running_core() {
    static core outside;
    static core *running = &outside;
    return running;
}

// Bytes to which a vector access of this size must be aligned: on the modelled device, where 16 are enough for AIE
// (UG1079, "Alignment"), and on any of the family (UG1603, "Alignment").
constexpr std::size_t alignment_here(std::size_t bytes) { return __AIE_ARCH__ == 10 || bytes <= 16 ? 16 : 32; }
constexpr std::size_t alignment_anywhere(std::size_t bytes) { return bytes <= 16 ? 16 : 32; }

// Severity of what a kernel did wrong: `error` is wrong on the modelled device, `portability` on others of the family.
enum class severity { error, portability };

// Called with what went wrong, in which line and at which address; a simulation puts a function here that adds kernel,
// port and iteration.
using report_function = void (*)(severity, const char *what, source_place, const void *address);

// Outside a simulation: once for a place, for the first places.
inline void report_to_stderr(severity how, const char *what, source_place at, const void * /*address*/) {
    constexpr unsigned most = 64;
    static source_place seen[most];
    static unsigned count = 0;
    for (unsigned i = 0; i < count; ++i)
        if (seen[i].line == at.line && seen[i].file == at.file) return;
    if (count == most) return;
    seen[count++] = at;
    std::fprintf(stderr, "aie_api: %s: %s:%u: %s\n", how == severity::error ? "error" : "warning", at.file, at.line, what);
}

inline report_function &report_hook() {
    static report_function hook = report_to_stderr;
    return hook;
}

// Called for every load, if anybody wants to know; `surely` is false where a reference may also be written through.
using read_function = void (*)(const void *address, std::size_t bytes, source_place, bool surely);
inline read_function &read_hook() {
    static read_function hook = nullptr;
    return hook;
}

} // namespace sim

inline void set_rounding(rounding_mode mode) { sim::running_core()->rounding = mode; }
inline rounding_mode get_rounding() { return sim::running_core()->rounding; }
inline void set_saturation(saturation_mode mode) { sim::running_core()->saturation = mode; }
inline saturation_mode get_saturation() { return sim::running_core()->saturation; }

// Sets a mode and gives the one before.
inline rounding_mode swap_rounding(rounding_mode mode) {
    const rounding_mode before = get_rounding();
    set_rounding(mode);
    return before;
}
inline saturation_mode swap_saturation(saturation_mode mode) {
    const saturation_mode before = get_saturation();
    set_saturation(mode);
    return before;
}

} // namespace aie
