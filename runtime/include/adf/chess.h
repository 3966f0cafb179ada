// Directives of the AI Engine compiler (UG1079, "compiler directives"). They steer scheduling and
// never change a result, so on the host they vanish. The exception is chess_loop_range, whose
// promise is checked: hardware silently miscompiles a loop with fewer iterations than promised.
// This concerns innermost loops, which are the pipelined ones.
//
// `aiec sim` puts a `loop_run` around every loop with the directive, which counts the iterations of
// one execution of the loop. A loop that is left early (break, return, goto) may stop before its
// least number: the promise counts how often the condition holds.
//
// In a program that is built by hand the directive stands between a loop's header and its body, so
// the check sees iterations, not loops. A loop has ended when the kernel's firing has ended, or
// when another checked loop outside it has begun an iteration. Several runs of a loop may look like
// one. So the check reports a number of iterations that no number of runs within the bounds adds up
// to.
#pragma once

#include <cstdint>

#include "sim/kernel_node.h"

namespace adf {
namespace sim {

// --- around one execution of a loop --------------------------------------------------------------

inline constexpr std::int64_t loop_bound() { return -1; }
template <typename Int>
constexpr std::int64_t loop_bound(Int n) { return std::int64_t(n); }

// Where a loop's condition is counted: after every iteration, before each and at the end, or
// nowhere.
enum class loop_kind { steps, tests, unseen };

// Loops in constant expressions are not checked.
#if __cplusplus >= 202002L
#define ADF_SIM_CONSTEXPR constexpr
#define ADF_SIM_RUNS !__builtin_is_constant_evaluated()
#else
#define ADF_SIM_CONSTEXPR
#define ADF_SIM_RUNS true
#endif

class loop_run {
public:
    constexpr loop_run(std::int64_t least, std::int64_t most, loop_kind kind, const char *file = __builtin_FILE(),
                       int line = __builtin_LINE())
        : least_(least), most_(most), kind_(kind), file_(file), line_(line) {}
    loop_run(const loop_run &) = delete;
    loop_run &operator=(const loop_run &) = delete;
    ADF_SIM_CONSTEXPR ~loop_run() {
        if (turns_ < least_ && ended() && ADF_SIM_RUNS) broken(false);
    }

    // An iteration begins. False, so that the body is the other branch of an `if`.
    ADF_SIM_CONSTEXPR bool turn() {
        if (++turns_ == most_ + 1 && most_ > 0 && ADF_SIM_RUNS) broken(true);
        return false;
    }
    // The condition is evaluated.
    constexpr void went() { ++went_; }

private:
    // Did the loop end because its condition no longer held?
    constexpr bool ended() const {
        if (kind_ == loop_kind::unseen) return true;
        return went_ == (kind_ == loop_kind::tests ? turns_ + 1 : turns_);
    }
    // A loop that runs too often may never end, so it is reported at once.
    [[gnu::cold]] void broken(bool more) const;

    std::int64_t least_, most_; // -1: not said
    loop_kind kind_;
    const char *file_;
    int line_;
    std::int64_t turns_ = 0, went_ = 0;
};
#undef ADF_SIM_CONSTEXPR
#undef ADF_SIM_RUNS

// --- without it: iterations alone ----------------------------------------------------------------

// A loop of one kernel that has begun.
struct loop_state {
    std::int64_t count = 0; // iterations so far
    unsigned alive = 0;     // bodies of this loop that are running
    bool open = false;
    // Another checked loop has run inside: this one is not pipelined, so its promise is
    // irrelevant.
    bool outer = false;
};

// One chess_loop_range in the source. It stores the state of the last kernel that ran it.
struct loop_site {
    const char *file;
    int line;
    std::int64_t least, most; // -1: not said
    kernel_node *kernel = nullptr;
    loop_state *state = nullptr;
};

// Lives as long as one iteration's body. False, so that the body is the other branch of an `if`.
class loop_iteration {
public:
    explicit loop_iteration(loop_site &site);
    ~loop_iteration() { --state_->alive; }
    loop_iteration(const loop_iteration &) = delete;
    loop_iteration &operator=(const loop_iteration &) = delete;
    explicit operator bool() const { return false; }

private:
    void begin(kernel_node *k, const loop_site &site);
    void close_others(const kernel_node *k, const loop_site &site);

    loop_state *state_;
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "chess.inl"
#endif

#if defined(AIEC_SIM_TIMING) && defined(AIEC_MARK_LOOPS) // `aiec sim --timing` takes these out, too
#define chess_prepare_for_pipelining aiec_marked_pipelined()
#define chess_unroll_loop(...) aiec_marked_unrolled()
#define chess_flatten_loop aiec_marked_unrolled()
#else
#define chess_prepare_for_pipelining
#define chess_unroll_loop(...)
#define chess_flatten_loop
#endif
#ifdef AIEC_NO_LOOP_CHECKS
#define chess_loop_range(...)
#elif defined(AIEC_MARK_LOOPS) // for `aiec sim`, which takes the word out again
#define chess_loop_range(...) aiec_marked_loop_range(__VA_ARGS__)
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
// Directives of loops.
#define chess_loop_count(...)
#define chess_unroll_loop_preamble
#define chess_no_hw_loop
#define chess_keep_sw_loop
#define chess_keep_sw_loop2
#define chess_require_pipelining(...)
#define chess_pipeline_adjust_preamble(...)
#define chess_pipeline_initiation_interval(...)
#define chess_pipeline_non_leaf_loop_solution(...)
#define chess_peel_pipelined_loop(...)
#define chess_modulo_scheduling_budget_ratio(...)
#define chess_modulo_scheduling_off
#define chess_no_warn_pipelining
#define chess_no_warn_unroll

// Directives of functions.
#define chess_property(...)
#define chess_clobbers(...)
#define chess_clobbers_not(...)
#define chess_extra_options(...)
#define chess_output

// Directives of variables. The compiler chooses registers and banks; an alignment
// (`chess_storage(%chess_alignof(v8int32))`) is kept. The macro cannot tell one from the other, so
// it aligns everything as vectors.
#define chess_storage(...) __attribute__((aligned(32)))
#define chess_protect_access
#define chess_alignof(...) alignof(__VA_ARGS__)

// Directives of values.
#define chess_copy(...) (__VA_ARGS__)
#define chess_dont_chain(...) (__VA_ARGS__)
#define chess_dont_care(...) __VA_ARGS__()
// Tells kernels whether a value is known at compile time. Both ways give one result.
#define chess_const(...) __builtin_constant_p(__VA_ARGS__)
#define chess_manifest(...) (__builtin_constant_p(__VA_ARGS__) && (__VA_ARGS__))

// Statements.
#define chess_memory_fence() static_cast<void>(0)
#define chess_separator(...) static_cast<void>(0)
#define chess_separator_scheduler(...) static_cast<void>(0)
#define chess_separator_scheduler_local(...) static_cast<void>(0)
#define chess_assert(...) static_cast<void>(0)
#define chess_error(...) static_cast<void>(0)
#define chess_warning(...) static_cast<void>(0)
#define chess_dont_warn_dead(...) static_cast<void>(0)
