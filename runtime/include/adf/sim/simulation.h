// The run as a whole: lets all nodes step, round after round, until a goal is reached, and says why when nothing can
// step any more. The order within a round is that of creation, or drawn by the seed.
#pragma once

#include <ctime>
#include <functional>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "deadlock.h"
#include "design.h"
#include "faults.h"
#include "rates.h"
#include "wiring.h"

namespace adf {
namespace sim {

class simulation {
public:
    static simulation &get() {
        static simulation only;
        return only;
    }

    design made;

    kernel_node &add_kernel() {
        made.kernels.push_back(&made.add<kernel_node>(unsigned(made.kernels.size())));
        return *made.kernels.back();
    }
    plio_source &add_plio_source() { return listed<plio_source>(made.plio_sources); }
    plio_sink &add_plio_sink() { return listed<plio_sink>(made.plio_sinks); }
    gmio_source &add_gmio_source() { return listed<gmio_source>(made.gmios); }
    gmio_sink &add_gmio_sink() { return listed<gmio_sink>(made.gmios); }
    split_node &add_split(unsigned outputs) { return made.add<split_node>(outputs); }
    merge_node &add_merge(unsigned inputs, bool ordered) {
        made.merges.push_back(&made.add<merge_node>(inputs, ordered));
        return *made.merges.back();
    }
    const std::vector<kernel_node *> &kernels() const { return made.kernels; }

    edge &connect(port &from, port &to, end_spec left, end_spec right) {
        if (started_) stop("connect after init: a graph is complete before it is initialised");
        if (is_wrong_way(from, to)) {
            stop("connect goes from an out to an in port; this one joins " + described(from) + " and " + described(to));
        }
        made.edges.push_back(std::make_unique<edge>());
        edge &e = *made.edges.back();
        e.from = &from;
        e.to = &to;
        e.left = left;
        e.right = right;
        from.edges.push_back(&e);
        to.edges.push_back(&e);
        return e;
    }

    // Checks the design, allocates the buffers and opens the files. Says everything that is wrong, then stops. Once
    // for all graphs of the program.
    void start() {
        if (started_) return;
        if (settings::get().list) list_sources();
        take_names();
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
        if (settings::get().checks) aie::sim::read_hook() = &kernel_node::vector_read;
        aie::sim::stray_hook() = &kernel_node::strayed;
        aie::sim::find_hook() = &kernel_node::buffer_at;
        faults::watch(made);
        order_.resize(made.nodes.size());
        std::iota(order_.begin(), order_.end(), std::size_t(0));
        started_ = true;
    }
    bool started() const { return started_; }

    bool idle() const {
        for (const kernel_node *k : made.kernels)
            if (!k->idle() && !k->cancelled()) return false;
        return true;
    }
    bool transfers_done() const {
        for (const gmio_node *g : made.gmios)
            if (!g->done()) return false;
        return true;
    }

    static constexpr std::uint64_t no_limit = ~std::uint64_t(0);

    // Lets the nodes step, round after round, until `goal()` holds (true) or the rounds are used up (false). Stops the
    // run with a report when nothing can step before that.
    template <typename Goal>
    bool drive(Goal goal, std::uint64_t rounds = no_limit) {
        if (!started_) stop("waiting needs a graph that was initialised: call init() first");
        bool reached = goal();
        for (; !reached && rounds > 0; --rounds) {
            if (!round()) {
                if (rounds_end_quietly(rounds)) break;
                give_up([&goal] { return goal(); });
            }
            reached = goal();
            report_progress();
        }
        drain();
        return reached;
    }

    simulation(const simulation &) = delete;
    simulation &operator=(const simulation &) = delete;

private:
    simulation() { journal::get(); } // constructed first, so destroyed last

    // The last word: a run that failed anywhere ends with status 1, whatever main returned.
    ~simulation() {
        if (started_ && !gave_up_) {
            if (!idle() && !endless()) journal::get().failure("the program ended before the graph: call wait() or end()");
            journal::get().event("{\"event\":\"end\",\"firings\":" + std::to_string(firings()) + memory() + "}");
        }
        const bool failed = journal::get().failed();
        made = design(); // closes the files
        std::fflush(nullptr);
        if (failed) std::_Exit(1);
    }

    template <typename Node, typename Listed>
    Node &listed(std::vector<Listed *> &list) {
        Node &node = made.add<Node>();
        list.push_back(&node);
        return node;
    }

    static bool is_wrong_way(const port &from, const port &to) {
        if (from.owner && from.way == direction::in) return true;
        return to.owner && to.way == direction::out;
    }

    // --- before the run ---

    // Reads what the user calls the kernels.
    void take_names() {
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

    static void check(const kernel_node &k) {
        auto &out = journal::get();
        if (k.source.empty()) out.failure(k.name() + " has no source");
        if (!(k.runtime_ratio > 0 && k.runtime_ratio <= 1)) {
            out.failure(k.name() + " needs a runtime<ratio> above 0 and at most 1");
        }
        if (k.repetitions == 0) out.failure(k.name() + " has a repetition_count of 0");
    }

    void check_output_files() const {
        std::set<std::string> taken;
        for (const plio_sink *p : made.plio_sinks) {
            if (p->in[0]->wire == nullptr || taken.insert(p->file).second) continue;
            journal::get().failure(p->name() + " writes a file that another PLIO writes");
        }
    }

    static void set_up(port &p) {
        if (!p.is_block()) return;
        auto &view = static_cast<block_view &>(*p.view);
        view.winsize = unsigned(p.bytes);
        view.margin = std::int64_t(p.buffers->margin() / p.type.bytes());
        view.count = std::int64_t(p.bytes / p.type.bytes()) + view.margin;
    }

    // Where objects that stand for a kernel have been, as addresses of the program's file.
    static std::string places_of(const kernel_node &k) {
        Dl_info info;
        if (!::dladdr(reinterpret_cast<const void *>(&simulation::get), &info)) return "";
        const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
        std::string all;
        for (const void *at : k.handles) {
            const auto place = reinterpret_cast<std::uintptr_t>(at) - (base == 0x400000 ? 0 : base);
            all += (all.empty() ? "" : ",") + std::to_string(place);
        }
        return all;
    }

    // For whoever compiles the kernels: what the graph names, one JSON object a line on standard output.
    [[noreturn]] void list_sources() const {
        for (const kernel_node *k : made.kernels) {
            std::printf("{\"kernel\":%u,\"source\":%s,\"function\":%s,\"stack\":%zu,\"stack_declared\":%s,"
                        "\"initialization\":%s,\"places\":[%s]}\n",
                        k->index, quoted(k->source).c_str(), quoted(k->function).c_str(), k->stack_bytes(),
                        k->declared_stack ? "true" : "false", quoted(k->initialization).c_str(), places_of(*k).c_str());
        }
        for (const plio_sink *p : made.plio_sinks)
            std::printf("{\"output\":%s,\"name\":%s}\n", quoted(p->file).c_str(), quoted(p->logical).c_str());
        for (const plio_source *p : made.plio_sources)
            std::printf("{\"input\":%s,\"name\":%s}\n", quoted(p->file).c_str(), quoted(p->logical).c_str());
        std::fflush(stdout);
        std::_Exit(0);
    }

    // --- during the run ---

    bool round() {
        bool moved = false;
        if (settings::get().seed != 0) shuffle();
        for (const std::size_t i : order_) moved = made.nodes[i]->step() || moved;
        for (const auto &n : made.nets) moved = n->step() || moved;
        return moved;
    }
    void shuffle() {
        for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random_.below(i)]);
    }

    // After a goal is reached, files and host memory still get what the kernels have finished.
    void drain() {
        for (bool moved = true; moved;) {
            moved = false;
            for (const auto &n : made.nets) moved = n->step() || moved;
            for (const auto &n : made.nodes)
                if (!dynamic_cast<kernel_node *>(n.get()) && !dynamic_cast<plio_source *>(n.get()))
                    moved = n->step() || moved;
        }
        for (plio_sink *p : made.plio_sinks) p->flush();
    }

    bool endless() const {
        for (const kernel_node *k : made.kernels)
            if (k->endless) return true;
        return false;
    }
    // A timed wait for a graph that runs forever ends when its input does.
    bool rounds_end_quietly(std::uint64_t rounds) const { return rounds != no_limit && endless(); }

    std::uint64_t firings() const {
        std::uint64_t total = 0;
        for (const kernel_node *k : made.kernels) total += k->fired;
        return total;
    }

    // Bytes of the host: stack, static data and buffers of the largest kernel, and of all. They do not grow in a run.
    std::string memory() const {
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

    // The clock decides when a line is printed and nothing else.
    void report_progress() {
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

    // --- when nothing can step ---

    [[noreturn]] void give_up(const std::function<bool()> &goal) {
        gave_up_ = true;
        deadlock_report report(made);
        std::string json;
        std::string text;
        bool synchronous = false;
        std::size_t lines = 0;
        for (const kernel_node *k : made.kernels) {
            for (const wait_state &w : k->blocked_on()) {
                json += (json.empty() ? "{" : ",{") + kernel_node::where(*w.at);
                json += ",\"waits\":\"" + kernel_node::waits_for(w) + "\"}";
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
        json = "{\"event\":\"deadlock\",\"blocked\":[" + json + ']';
        const std::string starved = starved_files(json);
        text += waiting_transfers(json);
        if (starved.empty()) text += cycle_and_cure(report, json, synchronous, goal);
        journal::get().event(json + '}');
        for (plio_sink *p : made.plio_sinks) p->flush();
        stop(starved + "deadlock: nothing can go on" + text);
    }

    std::string cycle_and_cure(deadlock_report &report, std::string &json, bool synchronous,
                               const std::function<bool()> &goal) {
        const std::vector<wait_edge> path = report.cycle();
        std::string text;
        if (!path.empty()) {
            std::string names;
            for (const wait_edge &e : path) names += (names.empty() ? "" : ",") + quoted(described(*e.at));
            json += ",\"cycle\":[" + names + ']';
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

    // Input files that are used up while a kernel waits for more.
    std::string starved_files(std::string &json) const {
        std::string text;
        std::string entries;
        for (const plio_source *p : made.plio_sources) {
            if (!p->dry() || !starves(*p->out[0]->wire, 0)) continue;
            std::uint64_t iterations = 0;
            const std::uint64_t needed = bytes_needed(*p->out[0]->wire, iterations) / p->type.bytes();
            const std::string wants = needed ? counted(needed, "value") + " for " + counted(iterations, "iteration")
                                             : std::string("more values");
            text += p->file + " needs " + wants + ", found " + std::to_string(p->found()) + "\n  ";
            entries += (entries.empty() ? "" : ",") + ("{\"file\":" + quoted(p->file)) + ",\"needed\":" +
                       std::to_string(needed) + ",\"found\":" + std::to_string(p->found()) + '}';
        }
        if (!entries.empty()) json += ",\"input\":[" + entries + ']';
        return text;
    }

    // Does somebody behind `n` wait for it?
    static bool starves(const net &n, unsigned hops) {
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

    std::string waiting_transfers(std::string &json) const {
        std::string text;
        std::string entries;
        for (const gmio_node *g : made.gmios) {
            if (g->done()) continue;
            text += "\n  " + g->name() + " still has " + counted(g->outstanding(), "byte") + " to move";
            entries += (entries.empty() ? "" : ",") + ("{\"name\":" + quoted(g->logical)) + ",\"bytes\":" +
                       std::to_string(g->outstanding()) + '}';
        }
        if (!entries.empty()) json += ",\"gmio\":[" + entries + ']';
        return text;
    }

    std::vector<std::size_t> order_; // in which nodes step
    random_source random_{settings::get().seed};
    bool started_ = false;
    bool gave_up_ = false;
    std::uint64_t since_progress_ = 0;
    std::time_t last_progress_ = 0;
};

} // namespace sim
} // namespace adf
