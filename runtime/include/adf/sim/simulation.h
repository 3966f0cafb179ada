// The run as a whole: owns every node and connection, lets them step in creation order until a goal is reached, and
// says why when nothing can step any more.
#pragma once

#include <csignal>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gmio_node.h"
#include "kernel_node.h"
#include "plio_node.h"

namespace adf {
namespace sim {

class simulation {
public:
    static simulation &get() {
        static simulation only;
        return only;
    }

    kernel_node &add_kernel() {
        kernels_.push_back(&add<kernel_node>(nodes_, unsigned(kernels_.size())));
        return *kernels_.back();
    }
    plio_source &add_plio_source() { return listed(plio_sources_); }
    plio_sink &add_plio_sink() { return listed(plio_sinks_); }
    gmio_source &add_gmio_source() { return listed_as<gmio_source>(gmios_); }
    gmio_sink &add_gmio_sink() { return listed_as<gmio_sink>(gmios_); }
    const std::vector<kernel_node *> &kernels() const { return kernels_; }

    void connect(port &from, port &to, std::size_t bytes) {
        if (from.is_input() || !to.is_input()) {
            stop("connect goes from an out to an in port; this one joins " + described(from) + " and " + described(to));
        }
        if (!to.links.empty()) stop(described(to) + " is connected twice; only outputs may have several connections");
        if (!from.links.empty() && from.bytes() != bytes) {
            stop(described(from) + " is connected with windows of " + std::to_string(from.bytes()) + " and of " +
                 std::to_string(bytes) + " bytes; a broadcast has one size");
        }
        connections_.push_back(std::make_unique<connection>());
        connection &made = *connections_.back();
        made.from = &from;
        made.to = &to;
        made.bytes = bytes;
        from.links.push_back(&made);
        to.links.push_back(&made);
    }

    // Checks the graph, allocates the buffers and opens the files. Says everything that is wrong, then stops.
    void start() {
        for (const auto &n : nodes_) each_port(*n, [](const port &p) { check(p); });
        for (const kernel_node *k : kernels_) check(*k);
        check_output_files();
        if (journal::get().failed()) std::exit(1);
        for (const auto &c : connections_) c->memory.resize(c->depth() * c->bytes);
        for (kernel_node *k : kernels_) each_port(*k, set_up_window);
        for (plio_source *p : plio_sources_) p->open();
        for (plio_sink *p : plio_sinks_) p->open();
        catch_overflows();
        started_ = true;
    }

    bool idle() const {
        for (const kernel_node *k : kernels_)
            if (!k->idle()) return false;
        return true;
    }
    bool transfers_done() const {
        for (const gmio_node *g : gmios_)
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
                give_up();
            }
            reached = goal();
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
            journal::get().event("{\"event\":\"end\",\"firings\":" + std::to_string(firings()) + "}");
        }
        nodes_.clear();
        std::fflush(nullptr);
        if (journal::get().failed()) ::_exit(1);
    }

    template <typename Node, typename... Arguments>
    static Node &add(std::vector<std::unique_ptr<node>> &nodes, Arguments... arguments) {
        auto made = std::make_unique<Node>(arguments...);
        Node &node = *made;
        nodes.push_back(std::move(made));
        return node;
    }
    template <typename Node, typename Listed>
    Node &listed_as(std::vector<Listed *> &list) {
        Node &made = add<Node>(nodes_);
        list.push_back(&made);
        return made;
    }
    template <typename Node>
    Node &listed(std::vector<Node *> &list) {
        return listed_as<Node>(list);
    }

    template <typename Visit>
    static void each_port(const node &n, Visit visit) {
        for (const auto &p : n.in) visit(*p);
        for (const auto &p : n.out) visit(*p);
    }

    // --- before the run ---

    static void check(const port &p) {
        auto &out = journal::get();
        if (p.links.empty()) return out.failure(described(p) + " is not connected");
        const connection &link = *p.links.front();
        if (p.type.kind != element::number::none && link.bytes % p.type.bytes() != 0) {
            out.failure(described(p) + ": a window of " + std::to_string(link.bytes) +
                        " bytes does not hold a whole number of " + std::to_string(p.type.bytes()) + "-byte elements");
        }
        if (p.type.kind == element::number::none && p.peer_type().kind == element::number::none) {
            out.failure(described(p) + " has no kernel at the other end");
        }
        for (const connection *other : p.links) {
            if (p.type.kind == element::number::none && p.peer_type() != other->to->type && !p.is_input()) {
                out.failure(described(p) + " feeds " + described(*link.to) + " and " + described(*other->to) +
                            ", whose elements are of different types");
            }
        }
        check_places(p);
    }

    // location<buffer> names each buffer: two, or one after single_buffer (UG1079, "buffer location constraints").
    static void check_places(const port &p) {
        const std::size_t named = p.places.size();
        if (named == 0 || p.places.front().kind == place::what::same_as) return;
        const bool one = p.links.front()->depth() == 1;
        if (named == 2 && !p.single) return;
        if (named == 1 && one) return;
        journal::get().failure(described(p) + ": location<buffer> names " + counted(named, "place") + ", the port has " +
                               counted(p.single || one ? 1 : 2, "buffer"));
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
        for (const plio_sink *p : plio_sinks_) {
            if (taken.insert(p->file).second) continue;
            journal::get().failure(p->name() + " writes a file that another PLIO writes");
        }
    }

    static void set_up_window(port &p) {
        p.window->winsize = unsigned(p.bytes());
        p.window->count = std::int64_t(p.bytes() / p.type.bytes());
    }

    // --- during the run ---

    bool round() {
        bool moved = false;
        for (const auto &n : nodes_) moved = n->step() || moved;
        return moved;
    }

    // After a goal is reached, files and host memory still get what the kernels have finished.
    void drain() {
        for (bool moved = true; moved;) {
            moved = false;
            for (plio_sink *p : plio_sinks_) moved = p->step() || moved;
            for (gmio_node *g : gmios_) moved = g->step() || moved;
        }
        for (plio_sink *p : plio_sinks_) p->flush();
    }

    bool endless() const {
        for (const kernel_node *k : kernels_)
            if (k->endless) return true;
        return false;
    }
    // A timed wait for a graph that runs forever ends when its input does.
    bool rounds_end_quietly(std::uint64_t rounds) const { return rounds != no_limit && endless(); }

    std::uint64_t firings() const {
        std::uint64_t total = 0;
        for (const kernel_node *k : kernels_) total += k->fired;
        return total;
    }

    // --- when nothing can step ---

    static constexpr std::size_t most_lines = 20; // of blocked ports on standard error; the events have all

    [[noreturn]] void give_up() {
        gave_up_ = true;
        std::string json;
        std::string text;
        bool synchronous = false;
        std::size_t lines = 0;
        for (const kernel_node *k : kernels_) {
            for (const port *p : k->blocked_on()) {
                json += (json.empty() ? "{" : ",{") + kernel_node::where(*p);
                json += ",\"waits\":\"" + std::string(p->waits_for()) + "\"}";
                if (++lines <= most_lines) text += "\n  " + blocked_line(*p);
                synchronous = synchronous || !p->async;
            }
        }
        if (lines > most_lines) text += "\n  and " + std::to_string(lines - most_lines) + " more";
        json = "{\"event\":\"deadlock\",\"blocked\":[" + json + ']';
        const std::string starved = starved_files(json);
        text += waiting_transfers(json);
        journal::get().event(json + '}');
        if (synchronous && starved.empty()) {
            text += "\n  a synchronous port must be ready before its kernel starts; adf::async at a port of a cycle breaks it";
        }
        stop(starved + "deadlock: nothing can go on" + text);
    }

    static std::string blocked_line(const port &p) {
        const char *before = p.async ? " waits in window_acquire for " : " waits, before it can start, for ";
        std::string line = p.owner->name() + before + p.waits_for() + " at " + p.spelled();
        for (const connection *link : p.links) {
            if (p.is_input() ? link->has_full() : link->has_empty()) continue;
            const port &peer = p.is_input() ? *link->from : *link->to;
            line += (p.is_input() ? " from " : " of ") + described(peer);
            if (peer.held) line += ", which holds it";
        }
        return line;
    }

    // Input files that are used up while a kernel waits for more.
    std::string starved_files(std::string &json) const {
        std::string text;
        std::string entries;
        for (const plio_source *p : plio_sources_) {
            if (!p->dry() || !p->out[0]->ready()) continue;
            std::uint64_t needed = 0;
            std::uint64_t iterations = 0;
            bool starved = false;
            for (const connection *link : p->out[0]->links) {
                starved = starved || waits_on(*link->to);
                needed = std::max(needed, plio_source::needed(*link, iterations));
            }
            if (!starved) continue;
            const std::string wants = needed ? counted(needed, "value") + " for " + counted(iterations, "iteration")
                                             : std::string("more values");
            text += p->file + " needs " + wants + ", found " + std::to_string(p->found()) + "\n  ";
            entries += (entries.empty() ? "" : ",") + ("{\"file\":" + quoted(p->file)) + ",\"needed\":" +
                       std::to_string(needed) + ",\"found\":" + std::to_string(p->found()) + '}';
        }
        if (!entries.empty()) json += ",\"input\":[" + entries + ']';
        return text;
    }

    static bool waits_on(const port &p) {
        const auto *kernel = dynamic_cast<const kernel_node *>(p.owner);
        if (!kernel) return false;
        for (const port *blocked : kernel->blocked_on())
            if (blocked == &p) return true;
        return false;
    }

    std::string waiting_transfers(std::string &json) const {
        std::string text;
        std::string entries;
        for (const gmio_node *g : gmios_) {
            if (g->done()) continue;
            text += "\n  " + g->name() + " still has " + counted(g->outstanding(), "byte") + " to move";
            entries += (entries.empty() ? "" : ",") + ("{\"name\":" + quoted(g->logical)) + ",\"bytes\":" +
                       std::to_string(g->outstanding()) + '}';
        }
        if (!entries.empty()) json += ",\"gmio\":[" + entries + ']';
        return text;
    }

    // A kernel that runs off its stack hits the guard below it: say so instead of just dying.
    static void catch_overflows() {
        static char own_stack[64 * 1024];
        stack_t other = {};
        other.ss_sp = own_stack;
        other.ss_size = sizeof own_stack;
        ::sigaltstack(&other, nullptr);
        struct sigaction action = {};
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        ::sigaction(SIGSEGV, &action, nullptr);
    }

    static void on_fault(int, siginfo_t *info, void *) {
        for (const kernel_node *k : get().kernels_) {
            if (!k->stack().overflowed_at(info->si_addr)) continue;
            std::fprintf(stderr,
                         "aiec-runtime: error: %s overflowed its stack: stack_size %zu and heap_size %zu bytes, "
                         "and %zu for the host\n",
                         k->name().c_str(), k->stack_bytes, k->heap_bytes, context::host_bytes);
            ::_exit(1);
        }
        std::signal(SIGSEGV, SIG_DFL); // not a stack: die of it when the access is repeated
    }

    std::vector<std::unique_ptr<node>> nodes_;
    std::vector<std::unique_ptr<connection>> connections_;
    std::vector<kernel_node *> kernels_; // in creation order
    std::vector<plio_source *> plio_sources_;
    std::vector<plio_sink *> plio_sinks_;
    std::vector<gmio_node *> gmios_;
    bool started_ = false;
    bool gave_up_ = false;
};

} // namespace sim
} // namespace adf
