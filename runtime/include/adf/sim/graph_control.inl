// The functions of `graph_control`.
#pragma once

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <link.h>

#include "graph_control.h"
#include "simulation.h"

namespace adf {
namespace sim {

ADF_SIM_RUN return_code graph_control::run(int iterations) {
    if (!ready()) return refuse("run before init, or after end");
    iterations_ = iterations;
    for (kernel_node *k : own_) {
        k->endless = iterations < 0;
        if (iterations > 0) k->wanted += std::uint64_t(iterations) * k->repetitions;
    }
    return return_code::ok;
}

ADF_SIM_RUN return_code graph_control::run() { return run(iterations_); }

ADF_SIM_RUN return_code graph_control::wait() {
    if (!ready()) return refuse("wait before init, or after end");
    if (endless()) return outlast("wait()");
    drive();
    return return_code::ok;
}

ADF_SIM_RUN return_code graph_control::wait(unsigned long long milliseconds) {
    if (!ready()) return refuse("wait before init, or after end");
    simulation::get().drive([this] { return idle(); }, rounds_for(milliseconds));
    return return_code::ok;
}

ADF_SIM_RUN return_code graph_control::resume() { return ready() ? return_code::ok : refuse("resume before init, or after end"); }

ADF_SIM_RUN return_code graph_control::suspend() { return ready() ? return_code::ok : refuse("suspend before init, or after end"); }

ADF_SIM_RUN return_code graph_control::end() {
    if (!ready()) return refuse("end before init, or a second end");
    if (endless()) {
        outlast("end()");
        ended_ = true;
        return return_code::ok;
    }
    simulation::get().drive([this] { return idle() && simulation::get().transfers_done(); });
    ended_ = true;
    return return_code::ok;
}

ADF_SIM_RUN return_code graph_control::end(unsigned long long milliseconds) {
    const return_code code = wait(milliseconds);
    for (kernel_node *k : own_) k->cancel();
    ended_ = true;
    return code;
}

ADF_SIM_RUN return_code graph_control::outlast(const char *call) {
    simulation::get().drive_until_input_ends();
    journal::get().note(std::string("the graph runs for ever, so it ended with its input; on hardware ") + call +
                        " does not come back then: say how often it runs, or give " + call + " a time");
    for (kernel_node *k : own_) k->cancel();
    return return_code::ok;
}

ADF_SIM_RUN std::uint64_t graph_control::rounds_for(unsigned long long milliseconds) { return std::uint64_t(milliseconds) * 1000; }

ADF_SIM_RUN bool graph_control::ready() const { return initialised_ && !ended_; }

ADF_SIM_RUN bool graph_control::endless() const {
    for (const kernel_node *k : own_)
        if (k->endless) return true;
    return false;
}

ADF_SIM_RUN bool graph_control::idle() const {
    for (const kernel_node *k : own_)
        if (!k->idle() && (!k->cancelled() || k->fired < k->wanted)) return false;
    return true;
}

ADF_SIM_RUN void graph_control::drive() const {
    simulation::get().drive([this] { return idle(); });
}

ADF_SIM_RUN return_code graph_control::refuse(const char *why) {
    journal::get().failure(why);
    return return_code::user_error;
}

// --- whose kernels these are ---

ADF_SIM_RUN memory_range graph_control::variable_around(const void *at) {
    Dl_info info;
    void *symbol = nullptr;
    if (!::dladdr1(at, &info, &symbol, RTLD_DL_SYMENT) || !symbol || !info.dli_saddr) return {0, 0};
    const auto first = reinterpret_cast<std::uintptr_t>(info.dli_saddr);
    const memory_range variable{first, first + static_cast<const ElfW(Sym) *>(symbol)->st_size};
    return variable.holds(reinterpret_cast<std::uintptr_t>(at)) ? variable : memory_range{0, 0};
}

ADF_SIM_RUN bool graph_control::is_held_by(const memory_range &variable, const void *graph) {
    const auto wanted = reinterpret_cast<std::uintptr_t>(graph);
    bool found = false;
    each_word_within(variable, [&](const found_word &word) {
        found = word.value == wanted || memory_range{word.value, word.end}.holds(wanted);
        return !found;
    });
    return found;
}

ADF_SIM_RUN bool graph_control::is_connected(std::size_t first, std::size_t last, std::size_t other) {
    std::set<const port *> seen;
    std::vector<const port *> open;
    const auto add = [&](const port *p) {
        if (seen.insert(p).second) open.push_back(p);
    };
    for (const kernel_node *k : simulation::get().kernels())
        if (k->birth == other) k->each_port([&](port &p) { add(&p); });
    while (!open.empty()) {
        const port *p = open.back();
        open.pop_back();
        if (p->owner && p->owner->birth > first && p->owner->birth <= last) return true;
        if (p->owner) p->owner->each_port([&](port &neighbour) { add(&neighbour); });
        for (const edge *e : p->edges) add(e->from), add(e->to);
    }
    return false;
}

ADF_SIM_RUN void graph_control::find_own() {
    const auto &graphs = simulation::get().made.graphs;
    const memory_range variable = variable_around(graph_);
    std::size_t first = 0;
    while (first < graphs.size() && graphs[first] != graph_) ++first;
    std::size_t last = first + 1;
    // Graphs that were made later in the same variable are its sub-graphs, as are those on the heap
    // that its vectors and pointers hold or that are connected to it. Of a graph that is no
    // variable itself, all that come later are.
    const auto inside = [&](const void *graph) {
        const memory_range around = variable_around(graph);
        if (around.first != 0 || variable.first == 0) return around.first == variable.first;
        return is_held_by(variable, graph) || is_connected(first, last, last + 1);
    };
    while (last < graphs.size() && inside(graphs[last])) ++last;
    for (kernel_node *k : simulation::get().kernels())
        if (k->birth > first && k->birth <= last) own_.push_back(k);
}

// --- run-time parameters ---

ADF_SIM_RUN void graph_control::collect(const port &p, bool forward, std::vector<port *> &found) {
    if (p.owner) {
        found.push_back(const_cast<port *>(&p));
        return;
    }
    for (const edge *e : p.edges) {
        if (forward && e->from == &p) collect(*e->to, forward, found);
        if (!forward && e->to == &p) collect(*e->from, forward, found);
    }
}

ADF_SIM_RUN return_code graph_control::give(const port_ref &p, const void *from, std::size_t bytes, std::size_t count) {
    if (!ready()) return refuse("update before init, or after end");
    std::vector<port *> ports;
    collect(*p.at, true, ports);
    if (ports.empty()) return refuse("update of a port that leads to no kernel");
    for (port *at : ports) {
        const return_code code = give(*at, from, bytes, count);
        if (code != return_code::ok) return code;
    }
    return return_code::ok;
}

ADF_SIM_RUN return_code graph_control::give(port &at, const void *from, std::size_t bytes, std::size_t count) {
    if (!at.parameter || at.way == direction::out) {
        journal::get().failure(described(at) + ": update only supports input RTP port.");
        return return_code::user_error;
    }
    if (at.wire && at.is_input()) {
        journal::get().failure(described(at) + ": update of a parameter that another kernel writes");
        return return_code::user_error;
    }
    parameter_state &s = *at.parameter;
    if (s.value.size() != bytes) {
        journal::get().failure(described(at) + ": update parameter size " + std::to_string(bytes) +
                                    " (" + counted(count, "value") + ") is inconsistent with RTP port size " +
                                    std::to_string(s.value.size()));
        return return_code::user_error;
    }
    const auto *first = static_cast<const unsigned char *>(from);
    if (at.async || !at.is_input()) {
        std::memcpy(s.value.data(), from, bytes);
        s.present = true;
        return return_code::ok;
    }
    // Two values fit: the one in use and the one to come.
    if (s.pending.size() >= 2) simulation::get().drive([&s] { return s.pending.size() < 2; });
    s.pending.push_back(parameter_state::bytes(first, first + bytes));
    return return_code::ok;
}

ADF_SIM_RUN return_code graph_control::fetch(const port_ref &p, void *to, std::size_t bytes) {
    if (!initialised_) return refuse("read before init");
    std::vector<port *> ports;
    collect(*p.at, false, ports);
    if (ports.size() != 1 || !ports.front()->parameter || ports.front()->is_input()) {
        return refuse("read of a port that is no output parameter of a kernel");
    }
    port &at = *ports.front();
    if (at.wire) {
        journal::get().failure(described(at) + ": read from connected RTP port is not supported.");
        return return_code::user_error;
    }
    parameter_state &s = *at.parameter;
    if (s.value.size() != bytes) {
        journal::get().failure(described(at) + ": read parameter size " + std::to_string(bytes) +
                                    " is inconsistent with RTP port size " + std::to_string(s.value.size()));
        return return_code::user_error;
    }
    if (at.async) {
        std::memcpy(to, s.value.data(), bytes);
        return return_code::ok;
    }
    if (s.pending.empty()) simulation::get().drive([&s] { return !s.pending.empty(); });
    std::memcpy(to, s.pending.front().data(), bytes);
    s.pending.pop_front();
    return return_code::ok;
}

} // namespace sim
} // namespace adf
