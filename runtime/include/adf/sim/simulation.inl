// The functions of `simulation`: before the run, during it, and when nothing can step any more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <link.h>

#include "deadlock.h"
#include "faults.h"
#include "making.inl"
#include "rates.h"
#include "reach.h"
#include "simulation.h"
#include "turns.h"
#include "wiring.h"

namespace adf {
namespace sim {

// --- before the run ---

ADF_SIM_RUN void simulation::start() {
    if (started_) return;
    if (!settings::get().describe.empty()) describe_and_leave();
    take_names();
    made.take_dimensions();
    wiring(made).resolve();
    for (const kernel_node *k : made.kernels) check(*k);
    check_output_files();
    if (!journal::get().failed()) rates(made).solve();
    if (journal::get().failed()) std::exit(1);
    for (kernel_node *k : made.kernels) k->each_port([](port &p) { set_up(p); });
    for (plio_source *p : made.plio_sources) p->open();
    for (plio_sink *p : made.plio_sinks) p->open();
    if (settings::get().seed != 0) {
        for (kernel_node *k : made.kernels) k->be_reluctant(&random_);
        for (merge_node *m : made.merges) m->be_arbitrary(&random_);
    }
    for (kernel_node *k : made.kernels) k->adopt_statics();
    for (kernel_node *k : made.kernels) k->lend_unacquired();
    if (settings::get().checks) aie::sim::read_hook() = &kernel_node::vector_read;
    aie::sim::stray_hook() = &kernel_node::strayed;
    aie::sim::find_hook() = &kernel_node::buffer_at;
    faults::watch(made);
    for (std::size_t i = 0; i < made.nodes.size(); ++i) order_.push_back(i);
    turns_ = new turns(made);
    started_ = true;
}

ADF_SIM_RUN bool simulation::idle() const {
    for (const kernel_node *k : made.kernels)
        if (!k->idle() && !k->cancelled()) return false;
    return true;
}

ADF_SIM_RUN bool simulation::transfers_done() const {
    for (const gmio_node *g : made.gmios)
        if (!g->done()) return false;
    return true;
}

ADF_SIM_RUN bool simulation::drive(const std::function<bool()> &goal, std::uint64_t rounds) {
    if (!started_) stop("waiting needs a graph that was initialised: call init() first");
    bool reached = goal();
    const bool is_whole = !reached && rounds == no_limit;
    const auto in_turn = is_whole ? turns_->begin([this] { return round(); }, goal) : nullptr;
    for (; !reached && rounds > 0; --rounds) {
        if (!round()) {
            if (rounds_end_quietly(rounds)) break;
            give_up(goal);
        }
        reached = goal();
        report_progress();
    }
    drain();
    if (in_turn) turns_->end(*in_turn);
    return reached;
}

ADF_SIM_RUN void simulation::drive_until_input_ends() {
    if (!started_) stop("waiting needs a graph that was initialised: call init() first");
    const auto never = [] { return false; };
    const auto in_turn = turns_->begin([this] { return round(); }, never);
    while (round()) report_progress();
    if (!input_ended()) give_up(never);
    drain();
    if (in_turn) turns_->end(*in_turn);
}

ADF_SIM_RUN bool simulation::input_ended() {
    // Packet switches take what comes, so that a way round through one is no deadlock.
    const std::vector<wait_edge> path = deadlock_report(made).cycle();
    const auto is_switch = [](const wait_edge &e) { return e.at->what == carries::packet; };
    if (!path.empty() && std::none_of(path.begin(), path.end(), is_switch)) return false;
    for (const plio_source *p : made.plio_sources)
        if (p->dry() && starves(*p->out[0]->wire, 0)) return true;
    for (const gmio_node *g : made.gmios)
        if (!g->out.empty() && g->done() && starves(*g->out[0]->wire, 0)) return true;
    return false;
}

ADF_SIM_RUN simulation::~simulation() {
    if (!settings::get().describe.empty()) describe_and_leave();
    if (started_ && !gave_up_ && !journal::get().ended()) {
        if (!idle() && !endless()) journal::get().failure("the program ended before the graph: call wait() or end()");
        if (idle()) report_unopened();
        if (idle()) report_held();
        report_blocks();
#ifdef AIEC_SIM_TIMING
        counts::report_counts();
#endif
        journal::get().event("{\"event\":\"end\",\"firings\":" + std::to_string(firings()) + memory() + "}");
    }
    const bool failed = journal::get().failed();
    delete turns_;
    made = design(); // closes the files
    std::fflush(nullptr);
    if (failed) std::_Exit(1);
}

ADF_SIM_RUN void simulation::take_names() {
    if (settings::get().names.empty()) return;
    const std::string text = whole_file(settings::get().names);
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        char *name = nullptr;
        const unsigned long number = std::strtoul(text.c_str() + start, &name, 10);
        const std::size_t first = std::size_t(name - text.c_str()) + 1;
        if (number < made.kernels.size() && first < end) made.kernels[number]->called = text.substr(first, end - first);
        start = end + 1;
    }
}

ADF_SIM_RUN void simulation::check(const kernel_node &k) {
    auto &out = journal::get();
    if (k.outside) out.failure(k.name() + " has " + k.outside + ", which no functional run has");
    if (k.source.empty()) out.failure(k.name() + " has no source");
    if (!k.in_logic && !(k.runtime_ratio > 0 && k.runtime_ratio <= 1)) {
        out.failure(k.name() + " needs a runtime<ratio> above 0 and at most 1");
    }
}

ADF_SIM_RUN void simulation::check_output_files() const {
    std::set<std::string> taken;
    for (const plio_sink *p : made.plio_sinks) {
        if (p->in[0]->wire == nullptr || taken.insert(p->file).second) continue;
        journal::get().failure(p->name() + " writes a file that another PLIO writes");
    }
}

ADF_SIM_RUN void simulation::set_up(port &p) {
    if (!p.is_block()) return;
    auto &view = static_cast<block_view &>(*p.view);
    view.winsize = unsigned(p.bytes);
    view.margin = std::int64_t(p.buffers->margin() / p.type.bytes());
    view.count = std::int64_t(p.bytes / p.type.bytes()) + view.margin;
}

// --- during the run ---

ADF_SIM_RUN bool simulation::round() {
    bool moved = false;
    if (settings::get().seed != 0) shuffle();
    for (const std::size_t i : order_) moved = made.nodes[i]->step() || moved;
    for (const auto &n : made.nets) moved = n->step() || moved;
    return moved;
}

ADF_SIM_RUN void simulation::shuffle() {
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random_.below(i)]);
}

ADF_SIM_RUN void simulation::drain() {
    for (bool moved = true; moved;) {
        moved = false;
        for (const auto &n : made.nets) moved = n->step() || moved;
        for (const auto &n : made.nodes)
            if (!dynamic_cast<kernel_node *>(n) && !dynamic_cast<plio_source *>(n))
                moved = n->step() || moved;
    }
    for (plio_sink *p : made.plio_sinks) p->flush();
}

ADF_SIM_RUN bool simulation::endless() const {
    for (const kernel_node *k : made.kernels)
        if (k->endless) return true;
    return false;
}

ADF_SIM_RUN bool simulation::rounds_end_quietly(std::uint64_t rounds) const { return rounds != no_limit && endless(); }

ADF_SIM_RUN std::uint64_t simulation::firings() const {
    std::uint64_t total = 0;
    for (const kernel_node *k : made.kernels) total += k->fired;
    return total;
}

ADF_SIM_RUN std::string simulation::memory() const {
    std::size_t largest = 0, total = 0;
    for (const kernel_node *k : made.kernels) {
        std::size_t bytes = k->host_memory();
        k->each_port([&bytes](const port &p) {
            if (p.buffers) bytes += p.buffers->memory();
        });
        largest = std::max(largest, bytes);
        total += bytes;
    }
    return ",\"largest\":" + std::to_string(largest) + ",\"memory\":" + std::to_string(total);
}

ADF_SIM_RUN void simulation::report_progress() {
    const std::uint64_t every = settings::get().progress;
    if (every == 0 || ++since_progress_ % 64 != 0) return;
    const std::time_t now = std::time(nullptr);
    if (last_progress_ == 0) last_progress_ = now;
    if (std::uint64_t(now - last_progress_) < every) return;
    last_progress_ = now;
    std::uint64_t wanted = 0;
    for (const kernel_node *k : made.kernels) wanted += k->wanted;
    std::fprintf(stderr, "aiec-runtime: progress: %llu of %llu kernel runs\n",
                 static_cast<unsigned long long>(firings()), static_cast<unsigned long long>(wanted));
}

ADF_SIM_RUN void simulation::report_unopened() const {
    for (const auto &n : made.nets) {
        for (const branch &b : n->branches) {
            if (b.ahead || b.openings.empty()) continue;
            std::uint64_t left = 0;
            for (std::size_t i = 0; i < b.openings.size(); ++i) left += b.openings[i].elements;
            if (left == 0) continue;
            const std::string what = "the run ended, and " + counted(left, "element") + " that were sent to it are left: ";
            // A reader that is always as many runs behind takes them in the next runs.
            const auto *sender = dynamic_cast<const kernel_node *>(n->from->owner);
            const std::uint64_t behind = b.behind.runs();
            const bool waits = behind > 0 && sender && b.openings.front().run + behind >= sender->fired;
            if (waits) {
                kernel_node::misused(*b.to, what + "it opens its end " + counted(behind, "run") + " behind the sender",
                                     kernel_node::severity::note);
            } else {
                kernel_node::misused(*b.to, what + "it did not open its end for them");
            }
        }
    }
}

ADF_SIM_RUN void simulation::report_held() const {
    std::set<const net *> awaited;
    for (const kernel_node *k : made.kernels)
        for (const wait_state &w : k->blocked_on()) awaited.insert(w.at->wire);
    for (const kernel_node *k : made.kernels) {
        if (!k->idle()) continue;
        k->each_port([&](const port &p) {
            if (!p.held || (gave_up_ && !awaited.count(p.wire))) return;
            kernel_node::unreleased(p, gave_up_ ? ", and the other end waits for it" : nullptr);
        });
    }
}

// The members of a report about a port whose last packet has no end. A kernel in its function may
// still write the end, if it has not begun another packet.
ADF_SIM_RUN std::string unended(const port &p) {
    const auto *k = dynamic_cast<const kernel_node *>(p.owner);
    const bool nested = p.nested.depth > 0;
    if (p.is_input() || p.what != carries::packet || !p.in_packet || (k && k->inside() && !nested)) return "";
    const std::string line = p.nested.line();
    return ",\"open\":true" + (line.empty() ? "" : ",\"line\":" + json_text(line));
}

ADF_SIM_RUN void simulation::report_blocks() const {
    for (const kernel_node *k : made.kernels) {
        k->each_port([k](const port &p) {
            if (!p.is_stream() && !(p.is_block() && p.async)) return;
            // Of a firing that has not ended, also the block that the kernel holds or waits for, or
            // the first byte of what it waits for.
            std::uint64_t now = k->inside() ? p.passed - p.passed_before + (p.held ? 1 : 0) : 0;
            for (const wait_state &w : k->blocked_on())
                if (w.at == &p) ++now;
            journal::get().event(std::string("{\"event\":\"") + (p.is_stream() ? "moved" : "windows") + "\"," + kernel_node::where(p) + ",\"firings\":" + std::to_string(k->fired) +
                                 ",\"fewest\":" + std::to_string(p.fewest) + ",\"most\":" + std::to_string(p.most) +
                                 ",\"now\":" + std::to_string(now) + unended(p) + '}');
            const auto words = [&p](const char *event, std::uint64_t count) {
                if (count == 0) return;
                journal::get().event(std::string("{\"event\":\"") + event + "\"," + kernel_node::where(p) + ",\"words\":" + std::to_string(count) + '}');
            };
            words("kept", p.kept);
            words("awaits", p.awaits);
        });
    }
}

// --- when nothing can step ---

// The member of a report about an input behind a split that has had no packet: the id.
ADF_SIM_RUN std::string unserved(const port &p) {
    const port *from = p.is_input() && p.wire ? p.wire->from : nullptr;
    const auto *split = from ? dynamic_cast<const split_node *>(from->owner) : nullptr;
    if (!split || split->has_served(from->index)) return "";
    return ",\"unserved\":" + std::to_string(from->index);
}

ADF_SIM_RUN void simulation::give_up(const std::function<bool()> &goal) {
    gave_up_ = true;
    deadlock_report report(made);
    std::string json;
    std::string text;
    bool synchronous = false;
    std::size_t lines = 0;
    for (kernel_node *k : made.kernels) {
        for (const wait_state &w : k->blocked_on()) {
            json += (json.empty() ? "{" : ",{") + kernel_node::where(*w.at);
            json += ",\"waits\":\"" + kernel_node::waits_for(w) + "\",\"iteration\":" + std::to_string(k->fired);
            json += unserved(*w.at);
            const std::string at = lines < deadlock_report::most_places ? k->line_of_wait() : "";
            json += (at.empty() ? "" : ",\"line\":" + json_text(at)) + '}';
            if (++lines <= deadlock_report::most_lines) text += "\n  " + report.line(*k, w);
            synchronous = synchronous || (w.at->is_block() && !w.at->async);
        }
    }
    // A single reader that is slow is named already; one of several starves the others.
    for (const auto &n : made.nodes) {
        if (!deadlock_report::has_more(*n) || n->out[0]->wire->branches.size() < 2) continue;
        if (++lines <= deadlock_report::most_lines) text += "\n  " + report.line(*n);
    }
    if (lines > deadlock_report::most_lines) {
        text += "\n  and " + std::to_string(lines - deadlock_report::most_lines) + " more";
    }
    report_held();
    report_blocks();
    json = "{\"event\":\"deadlock\",\"blocked\":[" + json + ']';
    const std::string starved = starved_files(json);
    text += waiting_transfers(json);
    if (starved.empty()) text += open_packets(json) + cycle_and_cure(report, json, synchronous, goal);
    journal::get().event(json + '}');
    for (plio_sink *p : made.plio_sinks) p->flush();
    stop(starved + "deadlock: nothing can go on" + text);
}

ADF_SIM_RUN std::string simulation::open_packets(std::string &json) const {
    std::string text, ports;
    for (const kernel_node *k : made.kernels) {
        k->each_port([&](port &p) {
            if (unended(p).empty()) return;
            ports += (ports.empty() ? "{" : ",{") + kernel_node::where(p) + '}';
            text += "\n  the last packet of " + described(p) + " has no end: write its last word with TLAST";
        });
    }
    if (!ports.empty()) json += ",\"open\":[" + ports + ']';
    return text;
}

ADF_SIM_RUN std::string simulation::cycle_and_cure(deadlock_report &report, std::string &json, bool synchronous,
                           const std::function<bool()> &goal) {
    const std::vector<wait_edge> path = report.cycle();
    std::string text;
    if (!path.empty()) {
        std::string names;
        for (const wait_edge &e : path) names += (names.empty() ? "" : ",") + json_text(described(*e.at));
        json += ",\"cycle\":[" + names + "],\"steps\":[" + deadlock_report::json(path) + ']';
        text += report.drawn(path);
        const auto depths = report.smallest_depths([this] { return round(); }, goal);
        text += report.advice(depths);
        if (!depths.empty()) json += ",\"depths\":[" + report.json(depths) + ']';
    }
    if (synchronous && !path.empty()) {
        text += "\n  a synchronous port must be ready before its kernel starts; adf::async at a port of a cycle breaks it";
    }
    return text;
}

ADF_SIM_RUN std::string simulation::starved_files(std::string &json) const {
    std::string text;
    std::string entries;
    for (const plio_source *p : made.plio_sources) {
        if (!p->dry() || !starves(*p->out[0]->wire, 0)) continue;
        std::uint64_t iterations = 0;
        const std::uint64_t needed = bytes_needed(*p->out[0]->wire, iterations) / p->type.bytes();
        const std::string wants = needed ? counted(needed, "value") + " for " + counted(iterations, "iteration")
                                         : std::string("more values");
        text += p->file + " needs " + wants + ", found " + std::to_string(p->found()) + "\n  ";
        entries += (entries.empty() ? "" : ",") + ("{\"file\":" + json_text(p->file)) + ",\"needed\":" +
                   std::to_string(needed) + ",\"found\":" + std::to_string(p->found()) + '}';
    }
    if (!entries.empty()) json += ",\"input\":[" + entries + ']';
    return text;
}

ADF_SIM_RUN bool simulation::starves(const net &n, unsigned hops) {
    for (const branch &b : n.branches) {
        if (const auto *kernel = dynamic_cast<const kernel_node *>(b.to->owner)) {
            for (const wait_state &w : kernel->blocked_on())
                if (w.at == b.to) return true;
        } else if (b.to->what == carries::packet && hops < 8) {
            for (const auto &out : b.to->owner->out)
                if (out->wire && starves(*out->wire, hops + 1)) return true;
        }
    }
    return false;
}

ADF_SIM_RUN std::string simulation::waiting_transfers(std::string &json) const {
    std::string text;
    std::string entries;
    for (const gmio_node *g : made.gmios) {
        if (g->done()) continue;
        text += "\n  " + g->name() + " still has " + counted(g->outstanding(), "byte") + " to move";
        entries += (entries.empty() ? "" : ",") + ("{\"name\":" + json_text(g->logical)) + ",\"bytes\":" +
                   std::to_string(g->outstanding()) + '}';
    }
    if (!entries.empty()) json += ",\"gmio\":[" + entries + ']';
    return text;
}

} // namespace sim
} // namespace adf
