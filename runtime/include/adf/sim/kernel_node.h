// A kernel at run time: its function or object, its ports, and the loop that fires it.
//
// Before a firing every synchronous block port is acquired and every synchronous parameter taken, after it every block
// is released; asynchronous ports are the kernel's own business (thesis 2.2). Streams block word by word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../../aie_api/detail/watch.hpp"
#include "context.h"
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

// Counts an operation of the running kernel, too. Its own count is the same in every order of kernels.
inline std::uint64_t tick();

// What else looks at a kernel when a firing has ended; set by the checks that need it.
inline void (*&after_firing())(const kernel_node *) {
    static void (*hook)(const kernel_node *) = nullptr;
    return hook;
}

// How a firing calls the user's code.
struct invocation {
    virtual ~invocation() = default;
    virtual void call(kernel_node &kernel) = 0;
};

// The non-template part of a window or buffer: the memory it stands on while the port is held, and the position in it.
struct block_view : view_base {
    port *at = nullptr;
    kernel_node *kernel = nullptr;
    unsigned char *data = nullptr; // null unless held; the margin lies first
    std::int64_t position = 0;     // elements from `data` on
    std::int64_t count = 0;        // elements, margin included
    std::int64_t margin = 0;       // elements
    unsigned winsize = 0;          // bytes, margin excluded
    mutable std::int64_t touched = 0; // elements up to the last that window functions read since the port was taken
    bool raw = false;              // the kernel has a plain pointer to the buffer
    aie::sim::watched_buffer watched; // what iterators look at

    // Does the address lie in the buffer that is held?
    bool covers(const void *address) const;

    // The block has a new buffer: windows go to its start.
    virtual void rewind() { position = 0; }

    // Reports a read of bytes (counted behind the margin) that nobody has written.
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
    explicit kernel_node(unsigned number) : index(number) {}

    const unsigned index; // creation order
    std::unique_ptr<invocation> body;
    std::string called;   // what the user calls it, if that is known: `g.filters[2].fir`
    std::string function; // as the compiler spells it, or `class ` and the class as it spells that
    std::string source;
    std::vector<std::string> headers;
    std::string initialization; // name of the function called before the first firing
    double runtime_ratio = 0;
    std::size_t declared_stack = 0; // bytes; 0: the graph does not say
    std::size_t heap_bytes = 1024;
    unsigned repetitions = 1;         // firings per graph iteration
    bool repetitions_declared = false;
    std::vector<place> stack_places;
    std::vector<place> parameter_places;
    std::vector<const void *> handles; // where objects that stand for it have been, for whoever looks for its name
    std::vector<std::shared_ptr<void>> keeps; // what constructor arguments refer to

    std::uint64_t ticks = 0; // operations at ports so far
    bool endless = false;
    bool suspended = false;
    std::uint64_t wanted = 0; // firings asked for since the start
    std::uint64_t fired = 0;
    std::function<void()> initialize;

    // UG1079: 1024 bytes unless somebody says otherwise.
    std::size_t stack_bytes() const { return declared_stack ? declared_stack : 1024; }

    bool idle() const { return !endless && fired >= wanted && !inside_; }
    // Asks for nothing more than what has been done.
    void cancel() {
        endless = false;
        wanted = fired;
        cancelled_ = true;
    }
    bool cancelled() const { return cancelled_; }

    std::string name() const override {
        std::string text = called.empty() ? "kernel " + std::to_string(index) : called;
        if (source.empty() && places.empty()) return text;
        text += " (" + source;
        if (!places.empty() && places.front().kind == place::what::tile) {
            if (!source.empty()) text += ", ";
            text += "tile " + std::to_string(places.front().column) + ',' + std::to_string(places.front().row);
        }
        return text + ')';
    }

    bool step() override {
        if (inside_ ? !satisfied(waiting_) : (no_more() || !may_start())) return false;
        if (!thread_.started()) thread_.start(&kernel_node::run_forever, this, stack_bytes() + heap_bytes);
        ++operations();
        waiting_ = wait_state();
        running_kernel() = this;
        aie::sim::core *const outside = aie::sim::running_core();
        aie::sim::running_core() = &core_;
        aie::sim::report_hook() = &kernel_node::vector_misused;
        statics_.enter();
        thread_.resume();
        statics_.leave();
        aie::sim::running_core() = outside;
        running_kernel() = nullptr;
        return true;
    }

    // What the kernel cannot go on without, and which is not there.
    std::vector<wait_state> blocked_on() const {
        std::vector<wait_state> all;
        if (inside_) {
            if (!satisfied(waiting_)) all.push_back(waiting_);
        } else if (!no_more()) {
            each_needed([&](port &p) {
                if (!satisfied({&p, 0})) all.push_back({&p, 0});
            });
        }
        return all;
    }
    bool inside() const { return inside_; }

    // Comes back when the lock is free, or the words or the space for them are there.
    void wait_for(const wait_state &w) {
        if (reluctant_ && reluctant_->below(8) == 0) pause(w);
        while (!satisfied(w)) pause(w);
    }

    // window_acquire of an asynchronous port: comes back when the port is held.
    void acquire(block_view &w) {
        tick();
        if (!w.at->async) return misused(*w.at, "window_acquire of a synchronous window");
        if (w.at->held) return misused(*w.at, "acquired twice without a release");
        wait_for({w.at, 0});
        w.take();
    }
    void release(block_view &w) {
        tick();
        if (!w.at->async) return misused(*w.at, "window_release of a synchronous window");
        if (!w.at->held) return misused(*w.at, "released without being acquired");
        w.give();
    }

    static bool satisfied(const wait_state &w) {
        if (!w.at) return true;
        switch (w.at->what) {
        case carries::block: return w.at->block_ready();
        case carries::parameter: return parameter_ready(*w.at);
        default: break;
        }
        const net &n = *w.at->wire;
        return w.at->is_input() ? n.branches[w.at->branch].queue.size() >= w.bytes : n.space() >= w.bytes;
    }

    // What `w` waits for, in words.
    static std::string waits_for(const wait_state &w) {
        const bool in = w.at->is_input();
        switch (w.at->what) {
        case carries::block: return in ? "a full buffer" : "an empty buffer";
        case carries::parameter: return in ? "an update" : "a reader";
        case carries::cascade: return in ? "an accumulator" : "space for an accumulator";
        default: return in ? "data" : "space";
        }
    }

    // Before any kernel has run: its static data starts as the program's does.
    void adopt_statics() { statics_.adopt(source); }

    const context &stack() const { return thread_; }
    std::size_t host_memory() const { return thread_.reserved() + statics_.bytes(); }
    void be_reluctant(random_source *source) { reluctant_ = source; }

    // The JSON members that name a kernel's port.
    static std::string where(const port &p) {
        const auto *k = dynamic_cast<const kernel_node *>(p.owner);
        return "\"kernel\":" + std::to_string(k ? k->index : 0) + ",\"direction\":\"" + name_of(p.way) +
               "\",\"port\":" + std::to_string(p.index);
    }

    // How bad a finding is: `error` is wrong on hardware; `likely` is wrong unless it is meant, and a warning in lenient
    // runs; `warning` is suspicious, and fails strict runs only; `note` may be meant as it is.
    enum class severity { error, likely, warning, note };

    // Reports once per port and kind what a kernel does wrong with a port, with firing and source line.
    static void misused(const port &p, const std::string &what, severity how = severity::error,
                        const char *event = "misuse", const std::string &line = "") {
        const std::string key = std::string("\"event\":\"") + event + "\"," + where(p) +
                                (std::strcmp(event, "misuse") == 0 ? ",\"what\":" + quoted(what) : "");
        finding(dynamic_cast<const kernel_node *>(p.owner), key, described(p) + ": " + what, how, line);
    }
    // The same for what concerns no port.
    static void broke_rule(const kernel_node *k, const std::string &what, severity how = severity::error,
                           const std::string &line = "") {
        finding(k, "\"event\":\"finding\",\"kernel\":" + std::to_string(k ? k->index : 0) + ",\"what\":" + quoted(what),
                (k ? k->name() : std::string("the host program")) + ": " + what, how, line);
    }
    // What the AIE API found: named by the port whose buffer the address lies in, if it does.
    static void vector_misused(aie::sim::severity bad, const char *what, aie::sim::source_place place, const void *address) {
        const severity how = bad == aie::sim::severity::error ? severity::error : severity::warning;
        const std::string line = spelled(place);
        const kernel_node *k = running_kernel();
        const port *found = nullptr;
        if (k) k->each_port([&](port &p) {
            if (p.is_block() && static_cast<const block_view &>(*p.view).covers(address)) found = &p;
        });
        found ? misused(*found, what, how, "misuse", line) : broke_rule(k, what, how, line);
    }

    // A load of the AIE API. `surely` when it cannot be the left side of an assignment.
    static void vector_read(const void *address, std::size_t bytes, aie::sim::source_place place, bool surely) {
        const kernel_node *k = running_kernel();
        if (!k || (!surely && pool::with_holes() == 0)) return;
        k->each_port([&](port &p) {
            if (!p.is_block() || (p.is_input() ? pool::with_holes() == 0 : !surely)) return;
            const auto &view = static_cast<const block_view &>(*p.view);
            if (!view.covers(address)) return;
            const std::size_t at = std::size_t(static_cast<const unsigned char *>(address) - view.data);
            if (at < p.buffers->margin()) return;
            view.check_written(at - p.buffers->margin(), bytes, spelled(place));
        });
    }

    // The buffer of the running kernel that an address lies in, for an iterator that starts from a pointer.
    static const aie::sim::watched_buffer *buffer_at(const void *address) {
        const aie::sim::watched_buffer *found = nullptr;
        if (const kernel_node *k = running_kernel()) k->each_port([&](port &p) {
            if (!p.is_block()) return;
            const auto &view = static_cast<const block_view &>(*p.view);
            if (view.covers(address)) found = &view.watched;
        });
        return found;
    }
    // An iterator was used where it must not be.
    static void strayed(const aie::sim::watched_buffer &buffer, const void *address, aie::sim::source_place place, bool stale) {
        const kernel_node *k = running_kernel();
        if (k) k->each_port([&](port &p) {
            if (!p.is_block() || &static_cast<const block_view &>(*p.view).watched != &buffer) return;
            const std::string access = p.is_input() ? "read " : "write ";
            if (stale) {
                const char *when = buffer.first ? "through an iterator that was made before the last release; begin again after acquire"
                                                : "through an iterator while the buffer is not held";
                misused(p, access + when, severity::error, "misuse", spelled(place));
            } else {
                misused(p, access + beside(p, buffer.first, address), p.is_input() ? severity::likely : severity::error,
                        "misuse", spelled(place));
            }
        });
    }
    // A plain pointer has left a buffer of this kernel: at the first access to the page behind it, which is opened then.
    // False if the address is elsewhere.
    bool left_a_buffer(const void *address, bool writes, const void *instruction) {
        bool found = false;
        each_port([&](port &p) {
            if (found || !p.buffers) return;
            unsigned char *buffer = p.buffers->guarded().buffer_before(address);
            if (!buffer) return;
            found = true;
            p.buffers->guarded().open(buffer, writes);
            misused(p, (writes ? "write " : "read ") + beside(p, buffer, address) + ", through a pointer",
                    writes ? severity::error : severity::likely, "misuse", source_line(instruction));
        });
        return found;
    }

private:
    // `fir.cc:12`, if the place is known.
    static std::string spelled(aie::sim::source_place place) {
        return place.line == 0 ? "" : std::string(place.file) + ':' + std::to_string(place.line);
    }
    // Where an address lies that is not in a buffer.
    static std::string beside(const port &p, const unsigned char *buffer, const void *address) {
        const std::ptrdiff_t at = static_cast<const unsigned char *>(address) - buffer - std::ptrdiff_t(p.buffers->margin());
        if (at < 0) return "before the start of the buffer";
        return "past the end of the buffer, at byte " + std::to_string(at) + " of " + std::to_string(p.buffers->bytes());
    }

    // `known_line` is the user's source line where the caller knows it; else it is looked up.
    static void finding(const kernel_node *k, const std::string &key, const std::string &text, severity how,
                        const std::string &known_line) {
        auto &out = journal::get();
        if (!out.first_time(key)) return;
        const settings &wanted = settings::get();
        const bool bad = how == severity::error || (how == severity::likely && !wanted.lenient) ||
                         (how != severity::note && wanted.strict);
        std::string json = '{' + key + ",\"severity\":\"" + (bad ? "error" : how == severity::note ? "note" : "warning") + '"';
        std::string words = text;
        if (k) {
            json += ",\"iteration\":" + std::to_string(k->fired);
            words += ", in iteration " + std::to_string(k->fired);
        }
        const bool look = known_line.empty() && k && k->in_user_code_ && running_kernel() == k;
        const std::string line = look ? source_line() : known_line;
        if (!line.empty()) {
            json += ",\"line\":" + quoted(line);
            words += ", at " + line;
        }
        out.event(json + '}');
        if (bad) out.failure(words);
        else if (how == severity::note) out.note(words);
        else out.warning(words);
    }

    bool no_more() const { return !endless && fired >= wanted; }

    template <typename Visit>
    void each_needed(Visit visit) const {
        each_port([&](port &p) {
            if (p.is_block() && !p.async) visit(p);
            if (p.what == carries::parameter) visit(p);
        });
    }
    bool may_start() const {
        bool all = true;
        each_needed([&](port &p) { all = all && satisfied({&p, 0}); });
        return all;
    }

    // A synchronous parameter needs a value of its own for every firing, an asynchronous one some value.
    static bool parameter_ready(const port &p) {
        const parameter_state &s = *p.parameter;
        if (p.way == direction::in) return p.async ? s.present : !s.pending.empty();
        return p.async || s.pending.size() < 2;
    }

    void pause(const wait_state &w) {
        waiting_ = w;
        running_kernel() = nullptr;
        thread_.yield();
    }

    static void run_forever(void *self) {
        auto &kernel = *static_cast<kernel_node *>(self);
        for (;;) {
            kernel.fire();
            kernel.thread_.yield();
        }
    }

    void fire() {
        inside_ = true;
        each_port([this](port &p) { begin(p); });
        if (initialize) {
            initialize();
            initialize = nullptr;
        }
        in_user_code_ = true;
        body->call(*this);
        in_user_code_ = false;
        if (after_firing()) after_firing()(this);
        each_port([this](port &p) { end(p); });
        ++fired;
        inside_ = false;
    }

    void begin(port &p) {
        if (p.is_block() && !p.async) static_cast<block_view &>(*p.view).take();
        if (p.what != carries::parameter || p.async || p.way != direction::in) return;
        // Copied, not moved: the kernel may keep a reference to an array.
        std::copy(p.parameter->pending.front().begin(), p.parameter->pending.front().end(), p.parameter->value.begin());
        p.parameter->pending.pop_front();
    }

    void end(port &p) {
        if (p.is_block()) {
            if (p.async && p.held) missing_release(p);
            if (!p.async) static_cast<block_view &>(*p.view).give();
        }
        if (p.what != carries::parameter || p.way == direction::in) return;
        p.parameter->present = true;
        if (p.wire) {
            for (branch &b : p.wire->branches) {
                b.to->parameter->present = true;
                if (b.to->async) b.to->parameter->value = p.parameter->value;
                else b.to->parameter->pending.push_back(p.parameter->value);
            }
        } else if (!p.async) {
            p.parameter->pending.push_back(p.parameter->value);
        }
    }

    // Reports it, then releases in the kernel's place: what else is wrong shows better in a run that goes on.
    static void missing_release(port &p) {
        misused(p, "missing release: the kernel returned while it still held the window; add window_release after the "
                   "last access", severity::error, "missing-release");
        static_cast<block_view &>(*p.view).give();
    }

    context thread_;
    aie::sim::core core_; // rounding and saturation, kept between firings
    private_statics statics_;
    wait_state waiting_;   // inside a firing: what it waits for
    bool inside_ = false;  // a firing has begun and not ended
    bool cancelled_ = false;
    bool in_user_code_ = false;
    random_source *reluctant_ = nullptr;
};

inline std::uint64_t tick() {
    ++operations();
    kernel_node *k = running_kernel();
    return k ? ++k->ticks : operations();
}

inline bool block_view::covers(const void *address) const {
    const auto *byte = static_cast<const unsigned char *>(address);
    return data && byte >= data && byte < data + std::size_t(count) * at->type.bytes();
}

inline void block_view::check_written(std::size_t first, std::size_t bytes, const std::string &line) const {
    pool &p = *at->buffers;
    if (at->is_input() ? !p.drained_hole(first, bytes) : !p.filled_hole(first, bytes)) return;
    kernel_node::misused(*at,
                         "read of " + counted(bytes, "byte") + " at byte " + std::to_string(first) +
                             (at->is_input() ? ", some of which the other end never wrote"
                                             : ", some of which have not been written since the buffer was acquired"),
                         kernel_node::severity::likely, "misuse", line);
}

inline void block_view::take() {
    pool &p = *at->buffers;
    if (at->is_input()) {
        data = p.full_buffer();
    } else {
        p.poison();
        data = p.empty_buffer();
    }
    at->held = true;
    touched = 0;
    raw = false;
    watched.first = watched.reached = data;
    watched.last = data + std::size_t(count) * at->type.bytes();
    watched.unwritten = at->is_input() && pool::with_holes() > 0 && p.drained_hole(0, p.bytes());
    watched.filling = !at->is_input();
    ++watched.turn;
    rewind();
}

inline void block_view::give() {
    pool &p = *at->buffers;
    if (p.trampled()) kernel_node::misused(*at, "memory next to the buffer was written");
    if (at->is_input()) {
        touched = std::max(touched, std::int64_t(std::size_t(watched.reached - data) / at->type.bytes()));
        // A filter with a margin may stop that much before the end; what a plain pointer reads is not known.
        if (touched > 0 && touched + margin < count && !raw) {
            kernel_node::misused(*at,
                                 "read short of the window: elements from " + std::to_string(touched) + " to " +
                                     std::to_string(count - 1) + " were not read",
                                 kernel_node::severity::note);
        }
        p.release_empty();
    } else {
        const pool::gaps gaps = p.heal();
        if (gaps.words > 0) {
            kernel_node::misused(*at,
                                 "write short of the window: " + counted(4 * gaps.words, "byte") + " of " +
                                     std::to_string(p.bytes()) + " were not written, the first at byte " +
                                     std::to_string(gaps.first) + "; what is sent there is what lay in memory",
                                 kernel_node::severity::likely);
        }
        p.release_full();
    }
    ++at->passed;
    data = nullptr;
    watched.first = nullptr;
    at->held = false;
}

} // namespace sim
} // namespace adf
