// Directives of the AI Engine compiler (UG1079, "compiler directives"). They steer scheduling and never change a
// result, so on the host they vanish - except chess_loop_range, whose promise is checked: hardware miscompiles a loop
// that runs less often than it says, silently.
//
// The directive stands between a loop's header and its body, so the check sees iterations, not loops. A loop has ended
// when the kernel's firing has, or when another checked loop that does not lie inside it has begun an iteration. Several
// runs of a loop may look like one: what is reported is a number of iterations that no number of runs within the bounds
// adds up to.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/kernel_node.h"

namespace adf {
namespace sim {

// A loop of one kernel that has begun.
struct loop_state {
    std::int64_t count = 0; // iterations so far
    unsigned alive = 0;     // bodies of this loop that are running
    bool open = false;
};

// One chess_loop_range in the source. The state of the kernel that came by last is remembered.
struct loop_site {
    const char *file;
    int line;
    std::int64_t least, most; // -1: not said
    kernel_node *kernel = nullptr;
    loop_state *state = nullptr;
};

struct open_loop {
    loop_site site; // a copy: static data of kernels is swapped
    const loop_site *key;
    loop_state *state;
};

inline std::map<std::pair<const kernel_node *, const loop_site *>, loop_state> &loop_states() {
    static std::map<std::pair<const kernel_node *, const loop_site *>, loop_state> all;
    return all;
}
// The loops of a kernel that have begun and are not known to have ended.
inline std::vector<open_loop> &open_loops(const kernel_node *k) {
    static std::map<const kernel_node *, std::vector<open_loop>> all;
    return all[k];
}

// Can so many iterations be those of one or more runs of the loop?
inline bool possible(const loop_site &s, std::int64_t count) {
    if (s.least >= 0 && count < s.least) return false;
    if (s.most < 1) return true; // not said, or no number of iterations
    const std::int64_t runs = s.least > 0 ? count / s.least : count;
    return count <= s.most || (runs > 0 && count <= runs * s.most);
}

inline void close_loop(const kernel_node *k, const loop_site &s, loop_state &state) {
    state.open = false;
    if (possible(s, state.count)) return;
    const std::string range = (s.least < 0 ? "" : std::to_string(s.least)) + "," + (s.most < 0 ? "" : std::to_string(s.most));
    kernel_node::broke_rule(k, std::string("the loop at ") + s.file + ':' + std::to_string(s.line) + " ran " +
                                   counted(std::uint64_t(state.count), "time") + ", chess_loop_range(" + range +
                                   ") promises otherwise; hardware code may be wrong then");
}

// All loops of a kernel have ended, since its firing has.
inline void close_loops_of(const kernel_node *k) {
    auto &all = open_loops(k);
    for (open_loop &l : all) close_loop(k, l.site, *l.state);
    all.clear();
}

// Lives as long as one iteration's body. False, so that the body is the other branch of an `if`.
class loop_iteration {
public:
    explicit loop_iteration(loop_site &site) {
        kernel_node *k = running_kernel();
        if (site.kernel != k || !site.state) {
            site.kernel = k;
            site.state = &loop_states()[{k, &site}];
        }
        state_ = site.state;
        if (!state_->open) begin(k, site);
        else if (open_loops_since() != &site) close_others(k, site);
        ++state_->count;
        ++state_->alive;
    }
    ~loop_iteration() { --state_->alive; }
    loop_iteration(const loop_iteration &) = delete;
    loop_iteration &operator=(const loop_iteration &) = delete;
    explicit operator bool() const { return false; }

private:
    // The site of the last iteration: while it stays the same nothing else can have happened.
    static const loop_site *&open_loops_since() {
        static const loop_site *last = nullptr;
        return last;
    }
    void begin(kernel_node *k, const loop_site &site) {
        after_firing() = close_loops_of;
        close_others(k, site);
        *state_ = loop_state();
        state_->open = true;
        open_loops(k).push_back({site, &site, state_});
    }
    // Loops of this kernel that are not around this one have ended.
    void close_others(const kernel_node *k, const loop_site &site) {
        open_loops_since() = &site;
        auto &all = open_loops(k);
        for (std::size_t i = 0; i < all.size();) {
            open_loop l = all[i];
            if (l.state == state_ || l.state->alive > 0) {
                ++i;
                continue;
            }
            all.erase(all.begin() + std::ptrdiff_t(i));
            close_loop(k, l.site, *l.state);
        }
    }
    loop_state *state_;
};

inline std::int64_t loop_bound() { return -1; }
template <typename Int>
std::int64_t loop_bound(Int n) { return std::int64_t(n); }

} // namespace sim
} // namespace adf

// The compiler knows C's keyword in C++, too.
#ifndef restrict
#define restrict __restrict
#endif

#define chess_prepare_for_pipelining
#ifdef AIEC_NO_LOOP_CHECKS
#define chess_loop_range(...)
#else
#define chess_loop_range(least, ...)                                                                              \
    if (::adf::sim::loop_iteration aiec_iteration{[&]() -> ::adf::sim::loop_site & {                              \
            static ::adf::sim::loop_site site{__FILE__, __LINE__, ::adf::sim::loop_bound(least),                  \
                                              ::adf::sim::loop_bound(__VA_ARGS__)};                               \
            return site;                                                                                          \
        }()};                                                                                                     \
        aiec_iteration) {                                                                                         \
    } else
#endif
#define chess_loop_count(...)
#define chess_flatten_loop
#define chess_unroll_loop(...)
#define chess_unroll_loop_preamble
#define chess_no_hw_loop
#define chess_require_pipelining(...)
#define chess_pipeline_adjust_preamble
#define chess_peel_pipelined_loop(...)
#define chess_keep_sw_loop
#define chess_modulo_scheduling_off
#define chess_storage(...)
#define chess_copy(value) (value)
#define chess_memory_fence() static_cast<void>(0)
#define chess_separator() static_cast<void>(0)
#define chess_separator_scheduler(...) static_cast<void>(0)
#define chess_protect_access
#define chess_output
#define chess_alignof(...) alignof(__VA_ARGS__)
#define chess_error(...) static_cast<void>(0)
#define chess_dont_warn_dead(...) static_cast<void>(0)
