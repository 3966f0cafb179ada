// State of the core that a kernel runs on: its rounding and saturation modes, and the hook that
// reports misuse. The scheduler gives every kernel instance its own `core` and selects it while the
// kernel runs. Kernel code outside a simulation shares one. Modes: UG1079, "Rounding and Saturation
// Modes"; values: UG1078, UG1583, "mode".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "../../adf/sim/linked.h"

// The architecture that the API models: 10 is AIE (VC1902), 20 is AIE-ML. Widths of accumulators,
// alignment and the numbers of the rounding modes depend on it. Kernels test this name, so its
// spelling is fixed.
#ifndef __AIE_ARCH__
#define __AIE_ARCH__ 10
#endif

namespace aie {

// Rounding when bits are shifted out of an accumulator. The last six round to nearest and differ on
// ties. Only AIE-ML has `symmetric_floor`, towards zero, and `symmetric_ceil`, away from it.
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

// Result for a value that its type cannot hold: `none` keeps the low bits, `saturate` gives the
// nearest value, `symmetric` the nearest of a range that is symmetric about zero.
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

// Bytes to which a vector access of this size must be aligned: on the modelled device, where 16 are
// enough for AIE (UG1079, "Alignment"), and on any of the family (UG1603, "Alignment").
constexpr std::size_t alignment_here(std::size_t bytes) { return __AIE_ARCH__ == 10 || bytes <= 16 ? 16 : 32; }
constexpr std::size_t alignment_anywhere(std::size_t bytes) { return bytes <= 16 ? 16 : 32; }

// Severity of a kernel's error: `error` is wrong on the modelled device, `portability` on others of
// the family.
enum class severity { error, portability };

// Called with the error, its line and address. A simulation sets a function that adds kernel, port
// and iteration.
using report_function = void (*)(severity, const char *what, source_place, const void *address);

// Outside a simulation: once for a place, for the first places.
ADF_SIM_RUN void report_to_stderr(severity how, const char *what, source_place at, const void *address);

inline report_function &report_hook() {
    static report_function hook = report_to_stderr;
    return hook;
}

// Called for every load, if set. `surely` is false where a reference may also be written through.
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

#ifndef AIEC_SIM_LINKED
#include "core.inl"
#endif
