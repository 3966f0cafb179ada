// The functions of counts.h that are no templates, and the report of the counters.
#pragma once

#include "../counts.h"

#ifdef AIEC_SIM_TIMING

#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "kernel_node.h"

namespace adf {
namespace sim {
namespace counts {

// The regions of a kernel, by file and line; line 0 is the code outside of loops.
struct kernel_counts {
    std::map<std::pair<std::string, unsigned>, region> regions;
    std::map<std::pair<const char *, unsigned>, region *> known;
    std::uint64_t firings = 0;
    const kernel_node *node = nullptr;
    std::map<std::string, std::uint64_t> uncounted; // calls of what no figure has cycles for
};
// Never destroyed: the report is written when the program ends.
inline std::map<unsigned, kernel_counts> &all_counts() {
    static auto *all = new std::map<unsigned, kernel_counts>;
    return *all;
}

// Ends the segment of the region that runs: what follows begins when all of it has ended.
inline void close_segment() {
    state &s = state::get();
    s.now->chain += s.done.free - s.segment.free;
    s.now->alone += s.done.alone - s.segment.alone;
    s.base.free = s.done.free;
    barrier();
    s.segment = s.base = s.done;
}
inline void clear_ports() {
    for (auto &way : state::get().port_words) way[0] = way[1] = 0;
}

inline region *region_of(const char *file, unsigned line) {
    kernel_counts &own = all_counts()[running_kernel()->index];
    region *&known = own.known[{file, line}];
    if (!known) {
        known = &own.regions[{file, line}];
        if (line != 0) known->file = own.regions.find({file, line})->first.first.c_str();
        known->line = line;
    }
    return known;
}

ADF_SIM_RUN bool is_data(const void *at) {
    if (kernel_node::buffer_at(at)) return true;
    for (const static_section &s : static_sections())
        if (at >= s.begin && at < s.end) return true;
    return false;
}

ADF_SIM_RUN region *enter(const char *file, unsigned line, bool pipelined, bool restricted) {
    state &s = state::get();
    region *const outer = s.now;
    close_segment();
    clear_ports();
    outer->inner = false;
    s.now = region_of(file, line);
    s.now->pipelined = pipelined;
    s.now->restricted = restricted;
    ++s.now->runs;
    return outer;
}

ADF_SIM_RUN void leave(region *outer) {
    close_segment();
    clear_ports();
    state::get().now = outer;
}

// Around a firing. A kernel that waits keeps its place: `suspended` holds what changes.
struct suspended {
    region *now;
    const char *low, *high;
    unsigned quiet;
    std::uint64_t firing;
    times base, done, segment;
    std::uint64_t words[2][2];
};
inline suspended suspend() {
    state &s = state::get();
    suspended kept{s.now, s.low, s.high, s.quiet, s.firing, s.base, s.done, s.segment, {}};
    for (unsigned i = 0; i < 4; ++i) kept.words[i / 2][i % 2] = s.port_words[i / 2][i % 2];
    s.now = nullptr;
    s.quiet = 0;
    return kept;
}
inline void resume(const suspended &kept) {
    state &s = state::get();
    s.now = kept.now, s.low = kept.low, s.high = kept.high, s.quiet = kept.quiet, s.firing = kept.firing;
    // Others have worked meanwhile; their times lie later and do not matter here.
    s.base = kept.base, s.done = kept.done, s.segment = kept.segment;
    for (unsigned i = 0; i < 4; ++i) s.port_words[i / 2][i % 2] = kept.words[i / 2][i % 2];
    if (s.now) s.busy_since = s.base.alone;
}

// The running kernel has called a function that no figure has cycles for.
inline void name_uncounted(const char *name, unsigned calls) {
    if (running()) all_counts()[running_kernel()->index].uncounted[name] += calls;
}

inline void begin_firing(const char *low, const char *high) {
    state &s = state::get();
    s.low = low, s.high = high;
    s.base = s.done = s.segment = times{};
    static std::uint64_t firings = 0;
    s.firing = ++firings;
    clear_ports();
    s.now = region_of("", 0);
    ++s.now->runs, ++s.now->turns;
    barrier();
    kernel_counts &own = all_counts()[running_kernel()->index];
    own.node = running_kernel();
    ++own.firings;
}
inline void end_firing() {
    close_segment();
    state::get().now = nullptr;
}

inline std::string json_of(const region &r) {
    static const char *const names[kinds] = {"load", "store", "scalar_load", "scalar_store", "narrow_store", "multiply",
                                             "multiply_float", "lanes", "move", "shift", "fused", "stream_in", "stream_out",
                                             "cascade_in", "cascade_out", "lock", "scalar", "scalar_float"};
    std::string text = "{\"file\":" + json_text(r.file) + ",\"line\":" + std::to_string(r.line);
    const auto flag = [&](const char *name, bool on) { text += std::string(",\"") + name + "\":" + (on ? "true" : "false"); };
    flag("pipelined", r.pipelined);
    flag("restricted", r.restricted);
    flag("inner", r.inner);
    const auto number = [&](const char *name, std::uint64_t n) {
        if (n) text += std::string(",\"") + name + "\":" + std::to_string(n);
    };
    number("runs", r.runs);
    number("turns", r.turns);
    number("chain", r.chain);
    number("alone", r.alone);
    for (unsigned i = 0; i < kinds; ++i) number(names[i], r.counted[i]);
    static const char *const types[8] = {"other", "int8", "int16", "int32", "cint16", "cint32", "float", "cfloat"};
    std::string products;
    for (unsigned i = 0; i < 64; ++i)
        if (r.products[i])
            products += (products.empty() ? "\"" : ",\"") + std::string(types[i / 8]) + " x " + types[i % 8] +
                        "\":" + std::to_string(r.products[i]);
    if (!products.empty()) text += ",\"products\":{" + products + "}";
    return text + "}";
}

inline std::string json_of(const port &p) {
    static const char *const names[] = {"open", "block", "stream", "packet", "cascade", "parameter"};
    const std::size_t bytes = p.parameter ? p.parameter->value_bytes : p.bytes;
    return std::string("{\"way\":\"") + name_of(p.way) + "\",\"kind\":\"" + names[int(p.what)] + "\",\"async\":" +
           (p.async ? "true" : "false") + ",\"bytes\":" + std::to_string(bytes) + ",\"margin\":" + std::to_string(p.margin) +
           ",\"passed\":" + std::to_string(p.passed) + "}";
}

// One event per kernel.
inline void report_counts() {
    for (const auto &[index, own] : all_counts()) {
        std::string ports;
        own.node->each_port([&](port &p) { ports += (ports.empty() ? "" : ",") + json_of(p); });
        std::string uncounted, regions;
        for (const auto &[name, calls] : own.uncounted)
            uncounted += (uncounted.empty() ? "" : ",") + json_text(name) + ":" + std::to_string(calls);
        for (const auto &[key, r] : own.regions) regions += (regions.empty() ? "" : ",") + json_of(r);
        journal::get().event("{\"event\":\"counts\",\"kernel\":" + std::to_string(index) + ",\"firings\":" + std::to_string(own.firings) +
                             ",\"name\":" + json_text(own.node->called) + ",\"source\":" + json_text(own.node->source) + ",\"ports\":[" +
                             ports + "],\"uncounted\":{" + uncounted + "},\"regions\":[" + regions + "]}");
    }
}

} // namespace counts
} // namespace sim
} // namespace adf

// The calls that the compiler writes for accesses to memory of a kernel's own code
// (-fsanitize=thread). The program is not linked with that sanitizer.
extern "C" {
#define ADF_SIM_ACCESS(bytes)                                                                                            \
    inline __attribute__((used)) void __tsan_read##bytes(void *at) { adf::sim::counts::number(at, bytes, false); }        \
    inline __attribute__((used)) void __tsan_write##bytes(void *at) { adf::sim::counts::number(at, bytes, true); }        \
    inline __attribute__((used)) void __tsan_unaligned_read##bytes(void *at) { adf::sim::counts::number(at, bytes, false); } \
    inline __attribute__((used)) void __tsan_unaligned_write##bytes(void *at) { adf::sim::counts::number(at, bytes, true); } \
    inline __attribute__((used)) void __tsan_volatile_read##bytes(void *at) { adf::sim::counts::number(at, bytes, false); } \
    inline __attribute__((used)) void __tsan_volatile_write##bytes(void *at) { adf::sim::counts::number(at, bytes, true); }
ADF_SIM_ACCESS(1)
ADF_SIM_ACCESS(2)
ADF_SIM_ACCESS(4)
ADF_SIM_ACCESS(8)
#undef ADF_SIM_ACCESS
// Larger ones are copies of whole objects, which are not scalar work.
#define ADF_SIM_ACCESS(name) inline __attribute__((used)) void __tsan_##name(void *) {}
ADF_SIM_ACCESS(read16)
ADF_SIM_ACCESS(write16)
ADF_SIM_ACCESS(unaligned_read16)
ADF_SIM_ACCESS(unaligned_write16)
ADF_SIM_ACCESS(volatile_read16)
ADF_SIM_ACCESS(volatile_write16)
ADF_SIM_ACCESS(func_entry)
ADF_SIM_ACCESS(vptr_read)
#undef ADF_SIM_ACCESS
inline __attribute__((used)) void __tsan_read_range(void *, unsigned long) {}
inline __attribute__((used)) void __tsan_write_range(void *, unsigned long) {}
inline __attribute__((used)) void __tsan_vptr_update(void **, void *) {}
inline __attribute__((used)) void __tsan_func_exit() {}
inline __attribute__((used)) void __tsan_init() {}
// The calls that aiec writes into a kernel's own code: in place of those that copy or fill memory,
// and in each basic block that has operations on numbers.
inline __attribute__((used)) void *aiec_memcpy(void *to, const void *from, unsigned long bytes) {
    adf::sim::counts::copied_memory(to, from, bytes);
    return std::memcpy(to, from, bytes);
}
inline __attribute__((used)) void *aiec_memmove(void *to, const void *from, unsigned long bytes) {
    adf::sim::counts::copied_memory(to, from, bytes);
    return std::memmove(to, from, bytes);
}
inline __attribute__((used)) void *aiec_memset(void *to, int value, unsigned long bytes) {
    adf::sim::counts::copied_memory(to, nullptr, bytes);
    return std::memset(to, value, bytes);
}
inline __attribute__((used)) void aiec_uncounted(const char *name, unsigned calls) { adf::sim::counts::name_uncounted(name, calls); }
inline __attribute__((used)) void aiec_block(unsigned integers, unsigned floats) { adf::sim::counts::block(integers, floats); }
}

#endif
