// The functions of `kernel_node` and `block_view`.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "counts.inl"
#include "kernel_node.h"
#include "source_line.h"

namespace adf {
namespace sim {

ADF_SIM_RUN bool kernel_node::is_misused(const port &p, const char *what) { return misused(p, what), true; }

ADF_SIM_RUN void kernel_node::begin_packet(const port &p, const unsigned char *header) {
    const net *wire = p.wire;
    const node *split = nullptr;
    for (unsigned hops = 0; wire && !split && hops < 8; ++hops) {
        const node *to = wire->branches.front().to->owner;
        if (to && to->splits_packets()) split = to;
        wire = to && to->merges_packets() ? to->out[0]->wire : nullptr;
    }
    std::uint32_t word = 0;
    std::memcpy(&word, header, sizeof word);
    const std::size_t id = word & 31U, branches = split ? split->out.size() : 32;
    if (!split || (id < branches && split->out[id]->wire)) return;
    const std::string ids = branches == 1 ? "id 0" : "ids 0 to " + std::to_string(branches - 1);
    const bool made = word == packet_header(unsigned(id), word >> 12 & 7U);
    misused(p, (made ? "writes a header with packet id " : "begins a packet with a word that is no header and has packet id ") +
                   std::to_string(id) + ", and the split behind it has " + ids,
            severity::error);
    end_run();
}

ADF_SIM_RUN bool kernel_node::step() {
    if (rests) return false;
    if (inside_ ? !satisfied(waiting_) : (no_more() || !may_start())) return false;
    if (!thread_.started()) thread_.start(&kernel_node::run_forever, this, stack_bytes() + heap_bytes);
    ++operations();
    waiting_ = wait_state();
    running_kernel() = this;
    const on_core mine(*this);
    aie::sim::report_hook() = &kernel_node::vector_misused;
    statics_.enter();
    close_lent();
    thread_.resume();
    reopen_lent();
    statics_.leave();
    running_kernel() = nullptr;
    return vain_ < most_vain;
}

ADF_SIM_RUN std::vector<wait_state> kernel_node::blocked_on() const {
    std::vector<wait_state> all;
    if (inside_) {
        if (!satisfied(waiting_)) all.push_back(waiting_);
        else if (vain_ >= most_vain && !satisfied(polled_)) all.push_back(polled_);
    } else if (!no_more()) {
        each_needed([&](port &p) {
            if (!satisfied({&p, 0})) all.push_back({&p, 0});
        });
    }
    return all;
}

ADF_SIM_RUN void kernel_node::wait_for(const wait_state &w) {
    if (reluctant_ && reluctant_->below(8) == 0) pause(w);
    while (!satisfied(w)) pause(w);
    vain_ = 0;
}

ADF_SIM_RUN bool kernel_node::poll(const wait_state &w) {
    if (!satisfied(w)) {
        has_polled() = true;
        polled_ = w;
        if (vain_ < most_vain) ++vain_;
        pause(wait_state());
    }
    if (!satisfied(w)) return false;
    vain_ = 0;
    return true;
}

ADF_SIM_RUN void kernel_node::acquire(block_view &w) {
    tick();
    counts::locked();
    if (!w.at->async) return misused(*w.at, "window_acquire of a synchronous window");
    if (w.at->held && w.at->held_since == fired) return misused(*w.at, "acquired twice without a release");
    if (w.at->held) {
        // On hardware it waits for itself for ever. A run that continues shows further errors.
        unreleased(*w.at, " and acquired again");
        give(w);
    }
    wait_for({w.at, 0});
    take(w);
}

ADF_SIM_RUN void kernel_node::release(block_view &w) {
    tick();
    counts::locked();
    if (!w.at->async) return misused(*w.at, "window_release of a synchronous window");
    if (!w.at->held) return misused(*w.at, "released without being acquired");
    give(w);
}

ADF_SIM_RUN void kernel_node::take(block_view &w) {
    const pool &p = *w.at->buffers;
    take_back(*w.at, w.at->is_input() ? p.full_index() : p.empty_index());
    w.take();
}

ADF_SIM_RUN void kernel_node::give(block_view &w) {
    const pool &p = *w.at->buffers;
    const unsigned index = w.at->is_input() ? p.full_index() : p.empty_index();
    w.give();
    lend(*w.at, index);
}

ADF_SIM_RUN void kernel_node::lend(port &p, unsigned index) {
    // Each costs some microseconds, and what a kernel does wrong with a pointer it does from the
    // start.
    const std::uint64_t watched = p.async ? 50 : 4;
    if (!settings::get().checks) return;
    if (p.passed > watched) {
        for (unsigned i = 0; p.passed == watched + 1 && i < p.buffers->depth(); ++i) take_back(p, i);
        return;
    }
    lent_.push_back({&p, index});
    p.buffers->guarded().close(index);
}

ADF_SIM_RUN void kernel_node::lend_unacquired() {
    if (!settings::get().checks) return;
    each_port([this](port &p) {
        if (!p.is_block() || !p.async) return;
        for (unsigned i = 0; i < p.buffers->depth(); ++i) lent_.push_back({&p, i});
    });
}

ADF_SIM_RUN void kernel_node::take_back(port &p, unsigned index) {
    list<lent_buffer> others;
    for (const lent_buffer &l : lent_)
        if (l.at->buffers != p.buffers || l.index != index) others.push_back(l);
    lent_.swap(others);
    p.buffers->guarded().reopen(index);
}

ADF_SIM_RUN void kernel_node::close_lent() {
    for (const lent_buffer &l : lent_) l.at->buffers->guarded().close(l.index);
}

ADF_SIM_RUN void kernel_node::reopen_lent() {
    for (const lent_buffer &l : lent_) l.at->buffers->guarded().reopen(l.index);
}

ADF_SIM_RUN bool kernel_node::satisfied(const wait_state &w) {
    if (!w.at) return true;
    switch (w.at->what) {
    case carries::block: return w.at->block_ready();
    case carries::parameter: return parameter_ready(*w.at);
    default: break;
    }
    const net &n = *w.at->wire;
    return w.at->is_input() ? n.branches[w.at->branch].queue.size() >= w.bytes : n.space() >= w.bytes;
}

ADF_SIM_RUN std::string kernel_node::waits_for(const wait_state &w) {
    const bool in = w.at->is_input();
    switch (w.at->what) {
    case carries::block: return in ? "a full buffer" : "an empty buffer";
    case carries::parameter: return in ? "an update" : "a reader";
    case carries::cascade: return in ? "an accumulator" : "space for an accumulator";
    default: return in ? "data" : "space";
    }
}

ADF_SIM_RUN std::string kernel_node::where(const port &p) {
    const auto *k = dynamic_cast<const kernel_node *>(p.owner);
    return "\"kernel\":" + std::to_string(k ? k->index : 0) + ",\"direction\":\"" + name_of(p.way) +
           "\",\"port\":" + std::to_string(p.index);
}

ADF_SIM_RUN void kernel_node::misused(const port &p, const std::string &what, severity how,
                    const char *event, const std::string &line) {
    const std::string key = std::string("\"event\":\"") + event + "\"," + where(p) +
                            (std::strcmp(event, "misuse") == 0 ? ",\"what\":" + json_text(what) : "");
    finding(dynamic_cast<const kernel_node *>(p.owner), key, described(p) + ": " + what, how, line);
}

ADF_SIM_RUN void kernel_node::broke_rule(const kernel_node *k, const std::string &what, severity how,
                       const std::string &line) {
    finding(k, "\"event\":\"finding\",\"kernel\":" + std::to_string(k ? k->index : 0) + ",\"what\":" + json_text(what),
            (k ? k->name() : std::string("the host program")) + ": " + what, how, line);
}

ADF_SIM_RUN void kernel_node::vector_misused(aie::sim::severity bad, const char *what, aie::sim::source_place place, const void *address) {
    const severity how = bad == aie::sim::severity::error ? severity::error : severity::warning;
    const std::string line = spelled(place);
    const kernel_node *k = running_kernel();
    const port *found = nullptr;
    if (k) k->each_port([&](port &p) {
        if (p.is_block() && static_cast<const block_view &>(*p.view).covers(address)) found = &p;
    });
    found ? misused(*found, what, how, "misuse", line) : broke_rule(k, what, how, line);
}

ADF_SIM_RUN void kernel_node::vector_read(const void *address, std::size_t bytes, aie::sim::source_place place, bool surely) {
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

ADF_SIM_RUN const aie::sim::watched_buffer *kernel_node::buffer_at(const void *address) {
    const aie::sim::watched_buffer *found = nullptr;
    if (const kernel_node *k = running_kernel()) k->each_port([&](port &p) {
        if (!p.is_block()) return;
        const auto &view = static_cast<const block_view &>(*p.view);
        if (view.covers(address)) found = &view.watched;
    });
    return found;
}

ADF_SIM_RUN void kernel_node::strayed(const aie::sim::watched_buffer &buffer, const void *address, aie::sim::source_place place, bool stale) {
    const kernel_node *k = running_kernel();
    if (k) k->each_port([&](port &p) {
        if (!p.is_block() || &static_cast<const block_view &>(*p.view).watched != &buffer) return;
        const std::string access = p.is_input() ? "read " : "write ";
        if (stale) {
            const char *when = buffer.first ? "through an iterator that was made before the last release; begin again after acquire"
                                            : "through an iterator while the buffer is not held";
            misused(p, access + when, severity::error, "misuse", spelled(place));
        } else {
            const bool ahead = p.is_input() && is_ahead(p, buffer.first, address);
            misused(p, access + (ahead ? by_one_vector : beside(p, buffer.first, address)),
                    ahead           ? severity::warning
                    : p.is_input() ? severity::likely
                                   : severity::error,
                    "misuse", spelled(place));
        }
    });
}

ADF_SIM_RUN kernel_node::left kernel_node::left_a_buffer(const void *address, bool writes, const void *instruction) {
    left found = left::nothing;
    each_port([&](port &p) {
        if (found != left::nothing || !p.buffers) return;
        unsigned char *buffer = p.buffers->guarded().buffer_before(address);
        if (!buffer) return;
        const bool ahead = !writes && is_ahead(p, buffer, address);
        found = ahead ? left::once : left::open;
        p.buffers->guarded().open(buffer, writes);
        const std::string where = ahead ? by_one_vector : beside(p, buffer, address);
        misused(p, (writes ? "write " : "read ") + where + ", through a pointer",
                ahead    ? severity::warning
                : writes ? severity::error
                         : severity::likely,
                "misuse", source_line(instruction));
    });
    return found;
}

ADF_SIM_RUN bool kernel_node::outlived_a_lock(const void *address, bool writes, const void *instruction) {
    for (const lent_buffer l : lent_) {
        if (!l.at->buffers->guarded().is_closed(l.index, address)) continue;
        take_back(*l.at, l.index);
        // If it was released at all, then in an earlier firing, and this one has not acquired the
        // port so far.
        const bool early = l.at->async && !l.at->held && l.at->passed == l.at->passed_before;
        misused(*l.at, std::string(writes ? "write" : "read") + " through a pointer to the buffer, " +
                    (!early              ? "after the buffer was released"
                     : l.at->passed == 0 ? "before it is acquired"
                                         : "before it is acquired again"),
                severity::error, "misuse", source_line(instruction));
        return true;
    }
    return false;
}

ADF_SIM_RUN std::string kernel_node::spelled(aie::sim::source_place place) {
    return place.line == 0 ? "" : std::string(place.file) + ':' + std::to_string(place.line);
}

ADF_SIM_RUN bool kernel_node::is_ahead(const port &p, const unsigned char *buffer, const void *address) {
    const std::ptrdiff_t at = static_cast<const unsigned char *>(address) - buffer - std::ptrdiff_t(p.buffers->margin());
    return at >= 0 && at < std::ptrdiff_t(p.buffers->bytes()) + widest_vector;
}

ADF_SIM_RUN std::string kernel_node::beside(const port &p, const unsigned char *buffer, const void *address) {
    const std::ptrdiff_t at = static_cast<const unsigned char *>(address) - buffer - std::ptrdiff_t(p.buffers->margin());
    if (at < 0) return "before the start of the buffer";
    return "past the end of the buffer, at byte " + std::to_string(at) + " of " + std::to_string(p.buffers->bytes());
}

ADF_SIM_RUN void kernel_node::finding(const kernel_node *k, const std::string &key, const std::string &text, severity how,
                    const std::string &known_line) {
    auto &out = journal::get();
    if (!out.first_time(key)) return;
    const settings &wanted = settings::get();
    const bool bad = how == severity::error || (how == severity::likely && !wanted.lenient) ||
                     (how != severity::note && wanted.strict);
    std::string json = '{' + key + ",\"severity\":\"" + (bad ? "error" : how == severity::note ? "note" : "warning") + '"';
    std::string words = text;
    if (k) {
        // What is noticed behind the last run belongs to it.
        const std::uint64_t iteration = k->idle() && k->fired > 0 ? k->fired - 1 : k->fired;
        json += ",\"iteration\":" + std::to_string(iteration);
        words += ", in iteration " + std::to_string(iteration);
    }
    const bool inside = k && k->in_user_code_ && running_kernel() == k;
    std::string line = known_line.empty() && inside ? source_line() : known_line;
    // What is noticed when the kernel has returned has no line but that of the kernel.
    const bool whole = line.empty() && !inside && k && k->body;
    if (whole) line = line_of_code(k->body->code());
    if (!line.empty()) {
        json += ",\"line\":" + json_text(line);
        words += (whole ? ", in the function at " : ", at ") + line;
    }
    out.event(json + '}');
    if (bad) out.failure(words);
    else if (how == severity::note) out.note(words);
    else out.warning(words);
}

ADF_SIM_RUN bool kernel_node::may_start() const {
    bool all = true;
    each_needed([&](port &p) { all = all && satisfied({&p, 0}); });
    return all;
}

ADF_SIM_RUN bool kernel_node::parameter_ready(const port &p) {
    const parameter_state &s = *p.parameter;
    if (p.way == direction::in) return p.async ? s.present : !s.pending.empty();
    if (p.async) return true;
    if (!p.wire) return s.pending.size() < 2;
    const auto has_room = [&p](const branch &b) {
        return b.to->async || b.to->parameter->pending.size() < (p.single || b.to->single ? 1 : 2);
    };
    return std::all_of(p.wire->branches.begin(), p.wire->branches.end(), has_room);
}

ADF_SIM_RUN void kernel_node::pause(const wait_state &w) {
    waiting_ = w;
    running_kernel() = nullptr;
#ifdef AIEC_SIM_TIMING
    const counts::suspended kept = counts::suspend();
    rest();
    counts::resume(kept);
#else
    rest();
#endif
}

ADF_SIM_RUN void kernel_node::rest() {
    thread_.yield();
    while (asked_) {
        asked_ = false;
        line_ = source_line();
        thread_.yield();
    }
}

ADF_SIM_RUN std::string kernel_node::line_of_wait() {
    if (!inside_) return "";
    asked_ = true;
    thread_.resume();
    return line_;
}

ADF_SIM_RUN void kernel_node::run_forever(void *self) {
    auto &kernel = *static_cast<kernel_node *>(self);
    for (;;) {
        kernel.fire();
        kernel.thread_.yield();
    }
}

ADF_SIM_RUN void kernel_node::fire() {
    inside_ = true;
    each_port([this](port &p) { begin(p); });
    if (!initialized) {
        if (initialize) initialize();
        else
            journal::get().failure(name() + ": the initialization_function " + initialization +
                                   " is not in the program; link it with -rdynamic");
        initialized = true;
    }
    if (!is_bypassed() || !pass_by()) call();
    if (after_firing()) after_firing()(this);
    each_port([this](port &p) { end(p); });
    ++fired;
    inside_ = false;
}

ADF_SIM_RUN void kernel_node::call() {
    in_user_code_ = true;
#ifdef AIEC_SIM_TIMING
    counts::begin_firing(thread_.low(), thread_.high());
    body->call(*this);
    counts::end_firing();
#else
    body->call(*this);
#endif
    in_user_code_ = false;
}

ADF_SIM_RUN bool kernel_node::is_bypassed() const {
    if (!control) return false;
    std::int32_t value = 0;
    std::memcpy(&value, control->parameter->value.data(), sizeof value);
    return (value != 0) != control->negated;
}

ADF_SIM_RUN bool kernel_node::pass_by() {
    list<port *> from, to;
    const port *odd = nullptr;
    each_port([&](port &p) {
        if (p.what == carries::parameter) return;
        (p.is_input() ? from : to).push_back(&p);
        if (!p.is_block() || p.async) odd = &p;
    });
    const auto cannot = [](const port &p, const std::string &why) {
        misused(p, "a bypass copies each input to the output of its number (UG1079, \"Kernel Bypass\"); " + why +
                       ", so the kernel has run instead");
        return false;
    };
    // The documents do not say how many words of a stream a run passes on.
    if (odd) return cannot(*odd, std::string("this port is ") + (odd->async ? "asynchronous" : name_of(odd->what)));
    if (from.size() != to.size()) return cannot(*control, counted(from.size(), "input") + " and " + counted(to.size(), "output"));
    for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i]->buffers->bytes() != to[i]->buffers->bytes())
            return cannot(*from[i], counted(from[i]->buffers->bytes(), "byte") + " and " + std::to_string(to[i]->buffers->bytes()));
    for (std::size_t i = 0; i < from.size(); ++i) copy_block(*from[i], *to[i]);
    return true;
}

ADF_SIM_RUN void kernel_node::copy_block(port &from, port &to) {
    auto &in = static_cast<block_view &>(*from.view);
    auto &out = static_cast<block_view &>(*to.view);
    std::memcpy(out.data + to.buffers->margin(), in.data + from.buffers->margin(), from.buffers->bytes());
    in.touched = in.count;
    out.kept = true; // whatever the values are, they were written
}

ADF_SIM_RUN void kernel_node::begin(port &p) {
    p.passed_before = p.passed;
    if (p.is_block() && !p.async) take(static_cast<block_view &>(*p.view));
    if (p.what != carries::parameter || p.async || p.way != direction::in) return;
    // Copied, not moved: the kernel may keep a reference to an array.
    std::copy(p.parameter->pending.front().begin(), p.parameter->pending.front().end(), p.parameter->value.begin());
}

ADF_SIM_RUN void kernel_node::end(port &p) {
    // An asynchronous port may stay locked until a later firing (UG1079, "Asynchronous Buffer Port
    // Access").
    if (p.is_block() && !p.async) give(static_cast<block_view &>(*p.view));
    if (p.open > 0) {
        misused(p, "the kernel returned with " + counted(p.open, "element") + " of the open channel left");
        p.open = 0;
    }
    if (p.is_block() || p.is_stream()) {
        const std::uint64_t now = p.passed - p.passed_before;
        p.fewest = fired == 0 ? now : std::min(p.fewest, now);
        p.most = std::max(p.most, now);
    }
    if (p.what != carries::parameter) return;
    if (p.way == direction::in) {
        // Locked until the run ends (UG1079, "Run-Time Parameter Specification").
        if (!p.async) p.parameter->pending.pop_front();
        return;
    }
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

ADF_SIM_RUN void kernel_node::unreleased(const port &p, const char *but) {
    const std::string since = "held since iteration " + std::to_string(p.held_since);
    if (but) misused(p, "missing release: " + since + but + "; add window_release after the last access",
                     severity::error, "missing-release");
    else misused(p, "still " + since + " when the run ended, so it has not passed on", severity::note, "missing-release");
}

ADF_SIM_RUN void kernel_node::open_channel(port &p, std::uint64_t elements) {
    tick();
    if (p.open > 0) misused(p, "opened again with " + counted(p.open, "element") + " left");
    p.channel = true;
    p.open = elements;
    const std::uint64_t run = static_cast<const kernel_node *>(p.owner)->fired;
    // A sender has an end at each branch.
    for (branch &b : p.wire->branches) {
        if (p.is_input() && b.to != &p) continue;
        if (b.openings.empty() || b.ahead == p.is_input()) {
            b.ahead = p.is_input();
            b.openings.push_back({elements, run});
            continue;
        }
        const branch::opening other = b.openings.front();
        b.openings.pop_front();
        if (b.ahead) b.behind.meet(other.run, run);
        else b.behind.meet(run, other.run);
        if (other.elements == elements) continue;
        misused(p, "opened for " + counted(elements, "element") + ", and its other end for " +
                       std::to_string(other.elements));
    }
}

ADF_SIM_RUN void kernel_node::move_in_channel(port &p, std::uint64_t elements) {
    if (elements > p.open) misused(p, "used after it closed itself");
    p.open -= std::min(p.open, elements);
}

ADF_SIM_RUN std::uint64_t tick() {
    ++operations();
    kernel_node *k = running_kernel();
    return k ? ++k->time : operations();
}

ADF_SIM_RUN std::uint64_t kernel_node::counter_start() const {
    // The same for all seeds, so that a kernel may write its counter.
    random_source numbers(index);
    return numbers.next() >> 32;
}

ADF_SIM_RUN std::uint64_t tile_counter() {
    const std::uint64_t now = tick();
    const kernel_node *k = running_kernel();
    return k ? now + k->counter_start() : now;
}

ADF_SIM_RUN bool block_view::covers(const void *address) const {
    const auto *byte = static_cast<const unsigned char *>(address);
    return data && byte >= data && byte < data + std::size_t(count) * at->type.bytes();
}

ADF_SIM_RUN void block_view::check_written(std::size_t first, std::size_t bytes, const std::string &line) const {
    pool &p = *at->buffers;
    if (at->is_input() ? !p.drained_hole(first, bytes) : !p.filled_hole(first, bytes)) return;
    kernel_node::misused(*at,
                         "read of " + counted(bytes, "byte") + " at byte " + std::to_string(first) +
                             (at->is_input() ? ", some of which the other end never wrote"
                                             : ", some of which have not been written since the buffer was acquired"),
                         kernel_node::severity::likely, "misuse", line);
}

ADF_SIM_RUN void block_view::take() {
    pool &p = *at->buffers;
    if (at->is_input()) {
        kernel->not_before(p.filled_at() + (at->wire ? at->wire->latency : 0));
        data = p.full_buffer();
    } else {
        kernel->not_before(p.emptied_at());
        p.poison();
        data = p.empty_buffer();
    }
    at->held = true;
    at->held_since = kernel->fired;
    touched = 0;
    raw = kept = false;
    watched.first = watched.reached = data;
    watched.last = data + std::size_t(count) * at->type.bytes();
    watched.unwritten = at->is_input() && pool::with_holes() > 0 && p.drained_hole(0, p.bytes());
    watched.filling = !at->is_input();
    ++watched.turn;
    rewind();
}

ADF_SIM_RUN void block_view::give() {
    pool &p = *at->buffers;
    if (p.trampled()) kernel_node::misused(*at, "memory next to the buffer was written");
    if (at->is_input()) {
        touched = std::max(touched, std::int64_t(std::size_t(watched.reached - data) / at->type.bytes()));
        // A filter with a margin may stop that much before the end; what a plain pointer reads is
        // not known.
        if (touched > 0 && touched + margin < count && !raw) {
            kernel_node::misused(*at,
                                 "read short of the window: elements from " + std::to_string(touched) + " to " +
                                     std::to_string(count - 1) + " were not read",
                                 kernel_node::severity::note);
        }
        p.release_empty(kernel->time);
    } else {
        const pool::gaps gaps = p.heal(kept);
        if (gaps.words > 0) {
            kernel_node::misused(*at,
                                 "write short of the window: " + counted(4 * gaps.words, "byte") + " of " +
                                     std::to_string(p.bytes()) + " were not written, the first at byte " +
                                     std::to_string(gaps.first) + "; what is sent there is what lay in memory",
                                 kernel_node::severity::likely);
        }
        p.release_full(kernel->time);
    }
    ++at->passed;
    data = nullptr;
    watched.first = nullptr;
    at->held = false;
}

} // namespace sim
} // namespace adf
