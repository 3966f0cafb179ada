// A kernel at run time: its function or object, its ports, and the loop that fires it.
//
// Before a firing the runtime acquires every synchronous block port and takes every synchronous
// parameter; after it, the runtime releases every block. Asynchronous ports are handled by the
// kernel itself (thesis 2.2). Streams block word by word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../../aie_api/detail/watch.hpp"
#include "context.h"
#include "list.h"
#include "net.h"
#include "source_line.h"
#include "statics.h"

namespace adf {
namespace sim {

// Counts port operations and scheduler turns of the whole run.
inline std::uint64_t &operations() {
    static std::uint64_t count = 0;
    return count;
}

class kernel_node;

// The kernel that is running, or null while the host program or a DMA is.
inline kernel_node *&running_kernel() {
    static kernel_node *current = nullptr;
    return current;
}

// Counts an operation, also in the time of the running kernel.
ADF_SIM_RUN std::uint64_t tick();

// The counter of the running kernel's tile, which this reads: its time, and the time at which the
// counter started, which differs from kernel to kernel.
ADF_SIM_RUN std::uint64_t tile_counter();

// A function called after each firing of a kernel. The checks that need it set it.
inline void (*&after_firing())(const kernel_node *) {
    static void (*hook)(const kernel_node *) = nullptr;
    return hook;
}

// The call of the user's code in a firing.
struct invocation {
    virtual ~invocation() = default;
    virtual void call(kernel_node &kernel) = 0;
    // Start of the kernel's code. Null if it is not known.
    virtual const void *code() const { return nullptr; }
};

// The non-template part of a window or buffer: its memory while the port is held, and the position
// in it.
struct block_view : view_base {
    port *at = nullptr;
    kernel_node *kernel = nullptr;
    unsigned char *data = nullptr; // null unless held; the margin lies first
    std::int64_t position = 0;     // elements from `data` on
    // Number of moves over the end, minus moves back over the start.
    std::int64_t rounds = 0;
    std::int64_t count = 0;        // elements, margin included
    std::int64_t margin = 0;       // elements
    unsigned winsize = 0;          // bytes, margin excluded
    // End of the elements that window functions have read since the port was acquired.
    mutable std::int64_t touched = 0;
    bool raw = false;              // the kernel has a plain pointer to the buffer
    // True if unwritten elements shall keep the data of an earlier firing.
    bool kept = false;
    aie::sim::watched_buffer watched; // what iterators look at

    // Does the address lie in the buffer that is held?
    bool covers(const void *address) const;

    // The block has a new buffer: windows go to its start.
    virtual void rewind() { position = rounds = 0; }

    // Moves the position by a number of elements, circularly over margin and window (UG1079:
    // windows are circular). A kernel that steps over the rest of a window has not forgotten to
    // read it.
    void move(std::int64_t elements) {
        position += elements;
        if (position >= count) touched = count;
        if (count <= 0 || (position >= 0 && position < count)) return;
        const std::int64_t inside = (position % count + count) % count;
        rounds += (position - inside) / count;
        position = inside;
    }

    // Reports a read of unwritten bytes, counted from the end of the margin.
    void check_written(std::size_t first, std::size_t bytes, const std::string &line = "") const;

    void take();
    void give();
};

// Why a kernel cannot go on.
struct wait_state {
    port *at = nullptr;       // null: not waiting
    std::size_t bytes = 0;    // of a stream or cascade
};

class kernel_node final : public node {
public:
    explicit kernel_node(unsigned number);
    ~kernel_node() override;

    const unsigned index; // in order of creation, or as the settings say
    std::unique_ptr<invocation> body;
    std::string called;   // what the user calls it, if that is known: `g.filters[2].fir`
    std::string function; // as the compiler spells it, or `class ` and the class as it spells that
    std::string source;
    list<std::string> headers;
    std::string initialization; // name of the function called before the first firing
    const char *outside = nullptr; // what only kernels of programmable logic have, if an argument is that
    bool in_logic = false; // of programmable logic, which a functional run executes all the same
    double runtime_ratio = 0;
    std::size_t declared_stack = 0; // bytes; 0: the graph does not say
    std::size_t heap_bytes = 1024;
    unsigned repetitions = 1;         // firings per graph iteration
    bool repetitions_declared = false;
    list<place> stack_places;
    list<place> parameter_places;
    list<std::string> arguments; // of the constructor of its class
    bool has_arguments = false;         // all of them have a text
    statement source_by = 0, runtime_by = 0, stack_by = 0, heap_by = 0, repetitions_by = 0;
    list<std::shared_ptr<void>> keeps; // what constructor arguments refer to

    // The kernel's time: operations at ports so far, or of the kernel for whose data or space it
    // waited last, if those are more (Lamport, "Time, Clocks, and the Ordering of Events", 1978).
    // Without merges of packets it is equal in every order of kernels.
    std::uint64_t time = 0;
    // Something is there since `then`.
    void not_before(std::uint64_t then) {
        if (then > time) time = then;
    }
    // What the counter of its tile is ahead of its time: up to 2^32.
    std::uint64_t counter_start() const;
    bool endless = false;
    bool suspended = false;
    bool rests = false; // another kernel has its core
    std::uint64_t wanted = 0; // firings asked for since the start
    std::uint64_t fired = 0;
    void (*initialize)() = nullptr; // the function `initialization`; null if the program does not export it
    bool initialized = true;        // nothing is to be called before the next firing
    port *control = nullptr; // of its bypass, if it has one

    // UG1079: 1024 bytes unless the design sets another size.
    std::size_t stack_bytes() const { return declared_stack ? declared_stack : 1024; }

    bool idle() const { return !endless && fired >= wanted && !inside_; }
    // Cancels the firings that have not begun.
    void cancel() {
        endless = false;
        wanted = fired;
        cancelled_ = true;
    }
    bool cancelled() const { return cancelled_; }

    std::string name() const override;

    bool step() override;
    // Nothing keeps it from its next firing but another kernel of its core.
    bool may_begin() const { return !inside_ && !no_more() && may_start(); }

    // While it lives, the modes of the core are those of the kernel: the constructor of its object
    // runs there, too.
    struct on_core {
        explicit on_core(kernel_node &k) : before(aie::sim::running_core()) { aie::sim::running_core() = &k.core_; }
        on_core(const on_core &) = delete;
        on_core &operator=(const on_core &) = delete;
        ~on_core() { aie::sim::running_core() = before; }
        aie::sim::core *before;
    };

    // The data or space for which the kernel waits.
    std::vector<wait_state> blocked_on() const;
    bool inside() const { return inside_; }
    // The user's line at which the kernel waits in a firing, if it is known.
    std::string line_of_wait();

    // Comes back when the lock is free, or the words or the space for them are there.
    void wait_for(const wait_state &w);

    // Non-blocking checks for accesses that may fail: are the words or the space available? If not,
    // other nodes take a turn first, so that a polling kernel makes progress. A kernel that has
    // polled in vain for `most_vain` turns in a row counts as blocked.
    bool poll(const wait_state &w);
    // Has any kernel of the run polled in vain?
    static bool &has_polled() {
        static bool any = false;
        return any;
    }
    // The result of the last such access to each stream: status bits of the core (UG1078,
    // "Streams").
    struct stream_status {
        bool success = false, last = false;
    };
    stream_status in_status[2], out_status[2];

    // window_acquire of an asynchronous port: comes back when the port is held.
    void acquire(block_view &w);
    void release(block_view &w);

    static bool satisfied(const wait_state &w);

    // The wait `w` in words.
    static std::string waits_for(const wait_state &w);

    // Before any kernel has run: its static data starts as the program's does.
    void adopt_statics() { statics_.adopt(source); }

    const context &stack() const { return thread_; }
    std::size_t host_memory() const { return thread_.reserved() + statics_.bytes(); }
    // Before any kernel has run: no buffer of an asynchronous port is the kernel's.
    void lend_unacquired();
    void be_reluctant(random_source *source) { reluctant_ = source; }

    // The JSON members that name a kernel's port.
    static std::string where(const port &p);

    // Severity of a finding. `error` is wrong on hardware. `likely` is wrong unless it is intended,
    // and a warning in lenient runs. `warning` is suspicious, and fails strict runs only. `note`
    // may be intended.
    enum class severity { error, likely, warning, note };

    // Reports a kernel's misuse of a port once per port and kind, with firing and source line.
    static void misused(const port &p, const std::string &what, severity how = severity::error,
                        const char *event = "misuse", const std::string &line = "");
    // The same inside of a condition.
    static bool is_misused(const port &p, const char *what);

    // The kernel begins a packet with the word at `header`. Ends the run if no branch of the split
    // behind the port has its id: the packet would stand there for ever.
    static void begin_packet(const port &p, const unsigned char *header);
    // A port has stayed locked since an earlier firing. `but`: why that is wrong; null if the next
    // run of the graph may release it.
    static void unreleased(const port &p, const char *but);
    // As above, for errors that concern no port.
    static void broke_rule(const kernel_node *k, const std::string &what, severity how = severity::error,
                           const std::string &line = "");
    // The kernel opens its end of a channel for `elements` elements.
    static void open_channel(port &p, std::uint64_t elements);
    // The kernel is about to move `elements` elements of a channel.
    static void move_in_channel(port &p, std::uint64_t elements);
    // A finding of the AIE API. The report names the port whose buffer contains the address, if
    // any.
    static void vector_misused(aie::sim::severity bad, const char *what, aie::sim::source_place place, const void *address);

    // A load of the AIE API. `surely` when it cannot be the left side of an assignment.
    static void vector_read(const void *address, std::size_t bytes, aie::sim::source_place place, bool surely);

    // The buffer of the running kernel that contains an address, for an iterator that starts from a
    // pointer.
    static const aie::sim::watched_buffer *buffer_at(const void *address);
    // An iterator was used where it must not be.
    static void strayed(const aie::sim::watched_buffer &buffer, const void *address, aie::sim::source_place place, bool stale);
    // What a plain pointer has left: no buffer of this kernel, or one whose page behind it is now
    // open, for good or for one access.
    enum class left { nothing, open, once };
    // Called at the first access to the page behind a buffer, and at every one to a page that was
    // open for one access.
    left left_a_buffer(const void *address, bool writes, const void *instruction);
    // A plain pointer accesses a buffer that this kernel has released and not acquired again.
    // Returns false if the address is elsewhere.
    bool outlived_a_lock(const void *address, bool writes, const void *instruction);

private:
    // `fir.cc:12`, if the place is known.
    static std::string spelled(aie::sim::source_place place);
    // Bytes of the widest vector register (UG1529, "Basic Types").
    static constexpr std::ptrdiff_t widest_vector = 128;
    // The words for a read that begins less than one vector behind the end.
    static constexpr const char *by_one_vector =
        "past the end of the buffer, by one vector at most; hardware gives what lies there, and nothing may use it";
    // True for a read at `address` by a loop that loads one vector ahead and drops it.
    static bool is_ahead(const port &p, const unsigned char *buffer, const void *address);
    // The position of an address outside a buffer, in words.
    static std::string beside(const port &p, const unsigned char *buffer, const void *address);

    // `known_line` is the user's source line where the caller knows it; else it is looked up.
    static void finding(const kernel_node *k, const std::string &key, const std::string &text, severity how,
                        const std::string &known_line);

    bool no_more() const { return !endless && fired >= wanted; }

    template <typename Visit>
    void each_needed(Visit visit) const {
        each_port([&](port &p) {
            if (p.is_block() && !p.async) visit(p);
            if (p.what == carries::parameter) visit(p);
        });
    }
    bool may_start() const;

    // A synchronous parameter needs a new value for every firing, an asynchronous one some value.
    static bool parameter_ready(const port &p);

    void pause(const wait_state &w);
    // Leaves the kernel's stack until a step continues it. Tells its line in between when asked.
    void rest();

    static void run_forever(void *self);

    void fire();

    // Calls the kernel's function.
    void call();

    // True if this run passes its inputs on instead (UG1079, "Kernel Bypass").
    bool is_bypassed() const;
    // Copies the input buffers to the output buffers, in order. Returns false, after a report, if
    // they do not fit each other.
    bool pass_by();
    static void copy_block(port &from, port &to);

    void begin(port &p);

    void end(port &p);

    void take(block_view &w);
    void give(block_view &w);

    // Buffers that the kernel has not acquired, or has released, are closed while it runs, until it
    // takes them.
    struct lent_buffer {
        port *at;
        unsigned index;
    };
    void lend(port &p, unsigned index);
    void take_back(port &p, unsigned index);
    void close_lent();
    void reopen_lent();

    list<lent_buffer> lent_;
    context thread_;
    aie::sim::core core_; // rounding and saturation, kept between firings
    private_statics statics_;
    wait_state waiting_;   // inside a firing: what it waits for
    static constexpr unsigned most_vain = 1000;
    wait_state polled_;    // what it asked for last without getting it
    unsigned vain_ = 0;    // turns on end in which it did nothing else
    bool inside_ = false;  // a firing has begun and not ended
    bool cancelled_ = false;
    bool asked_ = false;   // for the line at which it waits
    std::string line_;     // the answer
    bool in_user_code_ = false;
    random_source *reluctant_ = nullptr;
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "kernel_node.inl"
#endif
