// Counts what a kernel executes, for `aiec sim --timing`. Without AIEC_SIM_TIMING every function
// here is empty.
//
// The headers call one function per kind of operation. Each adds to the counters of the innermost
// loop that runs, and gives its result two times in cycles of the core:
//
// - `free`: when it is ready if only its operands hold it up, so that iterations overlap at will.
//   The longest such time of a loop is its chain: what remains if slots are unlimited.
// - `alone`: when it is ready if an iteration begins after the one before has ended, and issue
//   slots are taken in order of readiness. It is the time of a loop that does not overlap.
//
// The times of a value are kept beside it, by its address: a vector is exactly its lanes. A vector
// outside of the kernel's stack is memory, so reading it is a load and writing it a store. A vector
// on the stack is a register.
#pragma once

#include <cstddef>
#include <cstdint>

namespace adf {
namespace sim {
namespace counts {

// Kinds of operations. The names in the report are in sim/counts.inl, in this order.
enum class kind : unsigned {
    load,        // 256 bits or less into a vector register
    store,       // 256 bits or less from one
    scalar_load, // of a number
    scalar_store,
    narrow_store, // of a number of 8 or 16 bits, which the core reads and writes back
    multiply,    // a cycle of the fixed-point multiplier
    multiply_float,
    lanes,       // a vector operation beside products: sums, comparisons, selections
    move,        // between registers: elements, shuffles, broadcasts
    shift,       // accumulator to vector, or back
    fused,       // of these, those whose result is stored at once, in one instruction
    stream_in,   // words of 32 bits at the busiest port
    stream_out,
    cascade_in,  // 384 bits
    cascade_out,
    lock,        // acquires and releases in the kernel
    scalar,      // operations of the kernel's own code on integers
    scalar_float,
    count
};

constexpr unsigned kinds = unsigned(kind::count);

#ifdef AIEC_SIM_TIMING

// Latencies in cycles from issue to use of the result (llvm-aie, AIE1Schedule.td; AMD's texts for
// the chain of float sums: two cycles from one to the next on one register).
namespace latency {
constexpr std::uint32_t load = 8, product = 6, float_product = 7, sum = 1, float_sum = 2, lanes = 2, move = 1, shift = 3, stream = 2,
                        scalar = 1;
} // namespace latency

struct times {
    std::uint64_t free = 0, alone = 0;
    void wait_for(const times &o) {
        if (o.free > free) free = o.free;
        if (o.alone > alone) alone = o.alone;
    }
};

// The counters of one loop, or of the code outside of loops.
struct region {
    const char *file = "";
    unsigned line = 0;
    bool pipelined = false;   // a directive asks for software pipelining
    bool restricted = false;  // its source has pointers without aliases
    bool inner = true;        // no loop has run inside
    std::uint64_t runs = 0, turns = 0;
    std::uint64_t chain = 0, alone = 0; // cycles
    std::uint64_t counted[kinds] = {};
    std::uint64_t products[64] = {};    // by the kinds of both factors
};

struct entry {
    const void *at = nullptr;
    std::uint64_t firing = 0; // which one wrote it
    times ready;
    times read;           // when it was last read
    const void *same = nullptr; // the register of which it is a copy, which the compiler saves
    unsigned shifts = 0; // that gave it, if nothing has used it since
};

// All state of the mode. One kernel runs at a time.
struct state {
    static constexpr std::size_t entries = std::size_t(1) << 14, window = 1024;
    region *now = nullptr;                 // null outside of kernels
    const char *low = nullptr, *high = nullptr; // the kernel's stack
    unsigned quiet = 0;                    // inside an operation that counts as a whole
    times base, done;                      // no operation begins earlier; the latest result
    times segment;                         // where the segment of the region began
    std::uint64_t port_words[2][2] = {};   // of the region, by direction and port
    std::uint64_t firing = 0;              // a number of this one and no other
    entry table[entries];
    // Units in use by cycle since `base.alone`: loads, store, vector, moves.
    unsigned char busy[window][4] = {};
    std::uint64_t busy_since = 0;
    static state &get() {
        static state only;
        return only;
    }
};

inline bool running() {
    const state &s = state::get();
    return s.now && s.quiet == 0;
}
inline bool on_stack(const void *at) {
    const state &s = state::get();
    return at >= s.low && at < s.high;
}
inline entry &entry_of(const void *at) {
    const auto a = reinterpret_cast<std::uintptr_t>(at);
    return state::get().table[(a >> 4 ^ a >> 18) % state::entries];
}
inline bool knows(const entry &e, const void *at) { return e.at == at && e.firing == state::get().firing; }
// When the value at an address is ready; the base for an old one.
inline times ready_at(const void *at) {
    const entry &e = entry_of(at);
    times t = state::get().base;
    if (knows(e, at)) t.wait_for(e.ready);
    return t;
}
inline void set_ready(const void *at, const times &t, unsigned shifts = 0) {
    state &s = state::get();
    entry &e = entry_of(at);
    e = {at, s.firing, t, {}, nullptr, shifts};
    s.done.wait_for(t);
}
inline void forget_shift(const void *at) {
    entry &e = entry_of(at);
    if (knows(e, at)) e.shifts = 0;
}
inline void add(kind what, std::uint64_t n) { state::get().now->counted[unsigned(what)] += n; }

// The first cycle from `from` on in which a unit of the class is free, `n` times; moves the base
// of the table on.
inline std::uint64_t issue(std::uint64_t from, unsigned unit, unsigned n) {
    static constexpr unsigned char most[4] = {2, 1, 1, 2};
    state &s = state::get();
    std::uint64_t last = from;
    for (std::uint64_t c = from; n > 0; ++c) {
        if (c < s.busy_since || c - s.busy_since >= state::window) return c + n;
        unsigned char &used = s.busy[c % state::window][unit];
        while (used < most[unit] && n > 0) {
            ++used;
            --n;
            last = c;
        }
    }
    return last;
}
// An iteration begins when all before it has ended.
inline void barrier() {
    state &s = state::get();
    s.base.alone = s.done.alone;
    for (auto &cycle : s.busy) for (unsigned char &unit : cycle) unit = 0;
    s.busy_since = s.base.alone;
}

inline times issued(const times &from, unsigned unit, unsigned n, std::uint32_t cycles) {
    const std::uint64_t at = issue(from.alone, unit, n);
    return {from.free + (n - 1) / 2 + cycles, at + cycles};
}

// Accesses of 256 bits that an access of this size takes.
inline unsigned accesses(std::size_t bytes) { return unsigned((bytes + 31) / 32); }

// The value at an address is read by an operation that is issued then.
inline void read_at(const void *at, const times &issue) {
    entry &e = entry_of(at);
    if (!knows(e, at)) e = {at, state::get().firing, state::get().base, {}, nullptr, 0};
    e.read.wait_for(issue);
    if (!e.same) return;
    entry &original = entry_of(e.same);
    if (knows(original, e.same)) original.read.wait_for(issue);
}

// A load into a register; the result's times.
inline times loaded(const void *from, std::size_t bytes) {
    const unsigned n = accesses(bytes);
    add(kind::load, n);
    return issued(ready_at(from), 0, n, latency::load);
}
// The times of an operand: of a register, or of a load.
inline times operand(const void *at, std::size_t bytes) {
    if (!on_stack(at)) return loaded(at, bytes);
    forget_shift(at);
    return ready_at(at);
}
inline void stored(const void *to, const void *from, std::size_t bytes) {
    const unsigned n = accesses(bytes);
    add(kind::store, n);
    entry &e = entry_of(from);
    if (knows(e, from) && e.shifts) {
        add(kind::fused, e.shifts);
        e.shifts = 0;
    }
    set_ready(to, issued(on_stack(from) ? ready_at(from) : loaded(from, bytes), 1, n, 1));
}

// A value is copied: a load, a store, or between registers, which the compiler saves.
inline void copied(const void *to, const void *from, std::size_t bytes) {
    if (!running() || to == from) return;
    if (!on_stack(to)) return stored(to, from, bytes);
    const entry source = entry_of(from);
    const bool known = knows(source, from);
    const unsigned shifts = known ? source.shifts : 0;
    set_ready(to, on_stack(from) ? ready_at(from) : loaded(from, bytes), shifts);
    if (!on_stack(from)) return;
    entry &copy = entry_of(to);
    if (known) copy.read = source.read;
    copy.same = known && source.same ? source.same : from;
}

// Suspends counting while an operation that counts as a whole computes its lanes.
class quiet {
public:
    quiet() { ++state::get().quiet; }
    ~quiet() { if (open_) --state::get().quiet; }
    quiet(const quiet &) = delete;
    quiet &operator=(const quiet &) = delete;
    void end() {
        if (open_) --state::get().quiet;
        open_ = false;
    }

private:
    bool open_ = true;
};

// The latest of the operands that are vectors or accumulators; others are registers of the scalar
// unit.
template <typename Type, typename = void>
struct is_register { static constexpr bool value = false; };
template <typename Type>
struct is_register<Type, decltype(void(typename Type::native_type()))> { static constexpr bool value = true; };
// Bytes on the core: the host's lanes of accumulators are wider.
template <typename Type>
constexpr std::size_t bytes_of(const Type &x) {
    if constexpr (requires { Type::bytes_on_core; }) return Type::bytes_on_core;
    else return sizeof x;
}
template <typename Type>
void wait_for(times &t, const Type &x) {
    if constexpr (is_register<Type>::value) t.wait_for(operand(&x, bytes_of(x)));
    else if constexpr (requires { Type::num_words; x.clz(); }) t.wait_for(ready_at(&x)); // a mask
    else if constexpr (requires { x.first; x.read_signed; }) wait_for(t, x.first);
    else if constexpr (requires { x.value; typename Type::lazy; }) wait_for(t, x.value);
}
template <typename Type>
void read_by([[maybe_unused]] const Type &x, [[maybe_unused]] const times &issue) {
    if constexpr (is_register<Type>::value) {
        if (on_stack(&x)) read_at(&x, issue);
    }
}
template <typename... Operands>
times ready(const Operands &...operands) {
    times t = state::get().base;
    (wait_for(t, operands), ...);
    return t;
}

// A product of vectors that takes `cycles` of the multiplier. `pair` numbers the types.
template <typename Result, typename... Operands>
void multiplied(const Result &r, unsigned cycles, bool floating, unsigned pair, const Operands &...operands) {
    if (!running()) return;
    if (cycles == 0) cycles = 1;
    add(floating ? kind::multiply_float : kind::multiply, cycles);
    state::get().now->products[pair % 64] += cycles;
    const std::uint32_t l = floating ? latency::float_product : latency::product;
    const times from = ready(operands...);
    (read_by(operands, from), ...);
    set_ready(&r, issued(from, 2, cycles, l));
}
// The same, added to an accumulator, which is needed late.
template <typename Result, typename Acc, typename... Operands>
void accumulated(const Result &r, unsigned cycles, bool floating, unsigned pair, const Acc &acc, const Operands &...operands) {
    if (!running()) return;
    if (cycles == 0) cycles = 1;
    add(floating ? kind::multiply_float : kind::multiply, cycles);
    state::get().now->products[pair % 64] += cycles;
    const std::uint32_t l = floating ? latency::float_product : latency::product;
    const std::uint32_t step = floating ? latency::float_sum : latency::sum;
    times from = ready(operands...);
    const times sum = ready(acc);
    // The accumulator is read `l - step` cycles after issue.
    const auto later = [&](std::uint64_t t) { return t > l - step ? t - (l - step) : 0; };
    from.wait_for({later(sum.free), later(sum.alone)});
    (read_by(operands, from), ...);
    const times t = issued(from, 2, cycles, l);
    set_ready(&r, {t.free + (cycles - 1) * (step > 1 ? step - 1 : 0), t.alone});
}
// Another operation on lanes: `cycles` of the vector unit.
template <typename Result, typename... Operands>
void worked(const Result &r, unsigned cycles, bool floating, const Operands &...operands) {
    if (!running()) return;
    if (cycles == 0) cycles = 1;
    add(floating ? kind::multiply_float : kind::lanes, cycles);
    set_ready(&r, issued(ready(operands...), 2, cycles, floating ? latency::float_product : latency::lanes));
}
template <typename Result, typename... Operands>
void moved(const Result &r, unsigned n, const Operands &...operands) {
    if (!running()) return;
    add(kind::move, n);
    set_ready(&r, issued(ready(operands...), 3, n == 0 ? 1 : n, latency::move));
}
// Between accumulators and vectors.
template <typename Result, typename Operand>
void shifted(const Result &r, unsigned n, const Operand &x) {
    if (!running()) return;
    add(kind::shift, n);
    set_ready(&r, issued(ready(x), 3, n == 0 ? 1 : n, latency::shift), n);
}
// Parts of registers: no instruction.
template <typename Result, typename... Operands>
void renamed(const Result &r, const Operands &...operands) {
    if (!running()) return;
    set_ready(&r, ready(operands...));
}
// A part of a register is replaced in place, which waits for those that read what was there. In
// memory the part is stored.
template <typename Whole, typename Part>
void inserted(const Whole &whole, const Part &part) {
    if (!running()) return;
    if (!on_stack(&whole)) return stored(&whole, &part, bytes_of(part));
    times t = ready(whole, part);
    const entry &e = entry_of(&whole);
    const times read = knows(e, &whole) ? e.read : times{};
    t.wait_for({read.free + 1, read.alone + 1});
    set_ready(&whole, t);
}
// A reduction to a number: shuffles and operations, half the lanes each time.
template <typename Operand>
void reduced(const Operand &x, unsigned lanes, bool floating) {
    if (!running()) return;
    unsigned steps = 0;
    for (unsigned n = lanes; n > 1; n /= 2) ++steps;
    times t = ready(x);
    for (unsigned i = 0; i < steps; ++i) {
        add(floating ? kind::multiply_float : kind::lanes, 1);
        add(kind::move, 1);
        t = issued(issued(t, 3, 1, latency::move), 2, 1, floating ? latency::float_product : latency::lanes);
    }
    state::get().done.wait_for(t);
}

// The butterflies of one turn of an FFT stage: loads, products (twice in a row for radix 4), and
// shifts to the vectors of the results.
template <typename Results>
void transformed(const Results &out, unsigned radix, unsigned loads, unsigned cycles, bool floating, unsigned pair) {
    if (!running()) return;
    add(kind::load, loads);
    add(floating ? kind::multiply_float : kind::multiply, cycles);
    state::get().now->products[pair % 64] += cycles;
    const std::uint32_t product = floating ? latency::float_product : latency::product;
    times t = issued(state::get().base, 0, loads, latency::load);
    t = issued(t, 2, cycles, product);
    if (radix == 4 && !floating) {
        add(kind::shift, radix);
        t = issued(t, 3, radix, latency::shift);
        t.free += product, t.alone += product;
    }
    if (!floating) {
        add(kind::shift, radix);
        t.free += latency::shift, t.alone += latency::shift;
    }
    for (const auto &vector : out) set_ready(&vector, t, floating ? 0 : 1);
}

inline void words(bool in, unsigned port, std::uint64_t n, const void *at) {
    if (!running()) return;
    state &s = state::get();
    const kind what = in ? kind::stream_in : kind::stream_out;
    // The busiest port of the region decides.
    std::uint64_t &own = s.port_words[in ? 0 : 1][port % 2];
    own += n;
    std::uint64_t &other = s.port_words[in ? 0 : 1][(port + 1) % 2];
    if (own > other) add(what, own - other < n ? own - other : n);
    const times t = in ? s.base : ready_at(at);
    const times r = issued(t, 3, 1, latency::stream);
    if (in) set_ready(at, r);
    else s.done.wait_for(r);
}
inline void cascade(bool in, std::uint64_t n, const void *at) {
    if (!running()) return;
    add(in ? kind::cascade_in : kind::cascade_out, n);
    const times r = issued(in ? state::get().base : ready_at(at), 3, unsigned(n), latency::stream);
    if (in) set_ready(at, r);
    else state::get().done.wait_for(r);
}
inline void locked() {
    if (state::get().now) add(kind::lock, 1);
}
// Is this in a buffer or in static data of the running kernel (sim/counts.inl)? The headers' own
// data is not.
bool is_data(const void *at);
// A number in memory, by the code of the kernel itself.
inline void number(const void *at, std::size_t bytes, bool writes) {
    if (!running() || on_stack(at) || !is_data(at)) return;
    add(!writes ? kind::scalar_load : bytes < 4 ? kind::narrow_store : kind::scalar_store, 1);
    state &s = state::get();
    if (writes) set_ready(at, issued(s.done.free > 0 ? ready_at(at) : s.base, 1, 1, 1));
    else s.done.wait_for(issued(ready_at(at), 0, 1, latency::load));
}

// A call of the kernel's own code copies or fills memory: at least as many vectors. Null for what
// is filled.
inline void copied_memory(const void *to, const void *from, std::size_t bytes) {
    if (!running() || bytes == 0) return;
    if (from && !on_stack(from) && is_data(from)) add(kind::load, accesses(bytes));
    if (!on_stack(to) && is_data(to)) add(kind::store, accesses(bytes));
}
// A basic block of the kernel's own code runs, which has these operations of the scalar unit.
inline void block(unsigned integers, unsigned floats) {
    if (!running()) return;
    add(kind::scalar, integers);
    add(kind::scalar_float, floats);
}

// --- loops ---------------------------------------------------------------------------------------

// A loop of the running kernel begins and ends (sim/counts.inl).
region *enter(const char *file, unsigned line, bool pipelined, bool restricted);
void leave(region *outer);

#define ADF_SIM_IN_RUN !__builtin_is_constant_evaluated()
// Stands around one execution of a loop. `aiec sim --timing` writes it into the text.
class loop {
public:
    constexpr loop(bool pipelined, bool restricted, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
        : pipelined_(pipelined), restricted_(restricted), file_(file), line_(line) {}
    constexpr ~loop() {
        if (ADF_SIM_IN_RUN && outer_) leave(outer_);
    }
    loop(const loop &) = delete;
    loop &operator=(const loop &) = delete;
    // An iteration begins. False, so that the body is the other branch of an `if`.
    constexpr bool turn() {
        if (ADF_SIM_IN_RUN && state::get().now) {
            // Only innermost loops are pipelined, so one inside is unrolled unless it asks for the
            // same. A loop without iterations is no loop.
            if (!outer_ && state::get().now->pipelined && !pipelined_) return false;
            if (!outer_) outer_ = enter(file_, line_, pipelined_, restricted_);
            ++state::get().now->turns;
            barrier();
        }
        return false;
    }

private:
    bool pipelined_, restricted_;
    const char *file_;
    unsigned line_;
    region *outer_ = nullptr;
};
#undef ADF_SIM_IN_RUN

// A pipelined loop inside a function of the headers: `turn` counts an iteration by its number.
template <typename Turn>
void repeated(unsigned turns, const Turn &turn, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    if (!running()) return;
    loop body(true, true, file, line);
    for (unsigned i = 0; i < turns; ++i) {
        body.turn();
        turn(i);
    }
}

#else // without the mode: nothing, at no cost

struct [[maybe_unused]] quiet {
    void end() {}
};
inline void copied(const void *, const void *, std::size_t) {}
template <typename... Any>
void multiplied(const Any &...) {}
template <typename... Any>
void accumulated(const Any &...) {}
template <typename... Any>
void worked(const Any &...) {}
template <typename... Any>
void moved(const Any &...) {}
template <typename... Any>
void shifted(const Any &...) {}
template <typename... Any>
void renamed(const Any &...) {}
template <typename... Any>
void inserted(const Any &...) {}
template <typename... Any>
void reduced(const Any &...) {}
template <typename... Any>
void transformed(const Any &...) {}
template <typename... Any>
void repeated(const Any &...) {}
inline void words(bool, unsigned, std::uint64_t, const void *) {}
inline void cascade(bool, std::uint64_t, const void *) {}
inline void locked() {}
inline void number(const void *, std::size_t, bool) {}

#endif

} // namespace counts
} // namespace sim
} // namespace adf
