// What a graph's run control does. It stands apart from adf::graph because every name in a base class hides the kernel
// functions of that name from the constructors of users' graphs.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include <link.h>

#include "../io.h"
#include "simulation.h"

namespace adf {
namespace sim {

class graph_control {
public:
    explicit graph_control(const void *graph) : graph_(graph) { simulation::get().made.graphs.push_back(graph); }

    return_code init() {
        if (initialised_) return refuse("a second init of a graph");
        initialised_ = true;
        simulation::get().start();
        own_ = find_own();
        return return_code::ok;
    }

    // Asks for `iterations` more iterations of every kernel, without waiting; -1 means until the end.
    return_code run(int iterations) {
        if (!ready()) return refuse("run before init, or after end");
        iterations_ = iterations;
        for (kernel_node *k : own_) {
            k->endless = iterations < 0;
            if (iterations > 0) k->wanted += std::uint64_t(iterations) * k->repetitions;
        }
        return return_code::ok;
    }
    // As often as the last time, or for ever.
    return_code run() { return run(iterations_); }

    // Comes back when every firing asked for is done.
    return_code wait() {
        if (!ready()) return refuse("wait before init, or after end");
        if (endless()) return refuse("wait() never comes back when the graph runs for ever; give it a time");
        drive();
        return return_code::ok;
    }
    // After that time at the latest, the graph is suspended until resume().
    return_code wait(unsigned long long milliseconds) {
        if (!ready()) return refuse("wait before init, or after end");
        simulation::get().drive([this] { return idle(); }, rounds_for(milliseconds));
        return return_code::ok;
    }
    return_code resume() { return ready() ? return_code::ok : refuse("resume before init, or after end"); }
    return_code suspend() { return ready() ? return_code::ok : refuse("suspend before init, or after end"); }

    // Waits for every firing and every GMIO transfer, then ends the run for good.
    return_code end() {
        if (!ready()) return refuse("end before init, or a second end");
        if (endless()) return refuse("end() never comes back when the graph runs for ever; give it a time");
        simulation::get().drive([this] { return idle() && simulation::get().transfers_done(); });
        ended_ = true;
        return return_code::ok;
    }
    // Ends the run after that time at the latest.
    return_code end(unsigned long long milliseconds) {
        const return_code code = wait(milliseconds);
        for (kernel_node *k : own_) k->cancel();
        ended_ = true;
        return code;
    }

    // Gives a run-time parameter a value. Synchronous ones take one per firing, and the host waits for room.
    template <typename T, typename = std::enable_if_t<!std::is_pointer<T>::value && !std::is_array<T>::value>>
    return_code update(const port_ref &p, const T &value) { return give(p, &value, sizeof value, 1); }
    template <typename T>
    return_code update(const port_ref &p, const T *values, std::size_t count) {
        return give(p, values, count * sizeof(T), count);
    }

    // Gets the value of a run-time parameter that a kernel writes.
    template <typename T, typename = std::enable_if_t<!std::is_pointer<T>::value && !std::is_array<T>::value>>
    return_code read(const port_ref &p, T &value) { return fetch(p, &value, sizeof value); }
    template <typename T>
    return_code read(const port_ref &p, T *values, std::size_t count) {
        return fetch(p, values, count * sizeof(T));
    }

private:
    // A round lets every kernel go on once; a thousand of them stand for a millisecond.
    static std::uint64_t rounds_for(unsigned long long milliseconds) { return std::uint64_t(milliseconds) * 1000; }

    bool ready() const { return initialised_ && !ended_; }
    bool endless() const {
        for (const kernel_node *k : own_)
            if (k->endless) return true;
        return false;
    }
    bool idle() const {
        for (const kernel_node *k : own_)
            if (!k->idle()) return false;
        return true;
    }
    void drive() const {
        simulation::get().drive([this] { return idle(); });
    }
    static return_code refuse(const char *why) {
        journal::get().failure(why);
        return return_code::user_error;
    }

    // --- whose kernels these are ---

    // The variable that `at` lies in, if the program exports it (-rdynamic).
    static const void *variable_around(const void *at) {
        Dl_info info;
        void *symbol = nullptr;
        if (!::dladdr1(at, &info, &symbol, RTLD_DL_SYMENT) || !symbol || !info.dli_saddr) return nullptr;
        const auto begin = static_cast<const char *>(info.dli_saddr);
        const auto size = static_cast<const ElfW(Sym) *>(symbol)->st_size;
        return static_cast<const char *>(at) < begin + size ? info.dli_saddr : nullptr;
    }
    // The kernels made while this graph, or a graph inside it, was the last one begun.
    std::vector<kernel_node *> find_own() const {
        const auto &graphs = simulation::get().made.graphs;
        const void *variable = variable_around(graph_);
        std::vector<kernel_node *> own;
        std::size_t first = 0;
        while (first < graphs.size() && graphs[first] != graph_) ++first;
        std::size_t last = first + 1;
        while (last < graphs.size() && (!variable || variable_around(graphs[last]) == variable)) ++last;
        for (kernel_node *k : simulation::get().kernels())
            if (k->birth > first && k->birth <= last) own.push_back(k);
        return own;
    }

    // --- run-time parameters ---

    // The kernel ports behind a port of the graph.
    static void collect(const port &p, bool forward, std::vector<port *> &found) {
        if (p.owner) {
            found.push_back(const_cast<port *>(&p));
            return;
        }
        for (const edge *e : p.edges) {
            if (forward && e->from == &p) collect(*e->to, forward, found);
            if (!forward && e->to == &p) collect(*e->from, forward, found);
        }
    }

    return_code give(const port_ref &p, const void *from, std::size_t bytes, std::size_t count) {
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
    return_code give(port &at, const void *from, std::size_t bytes, std::size_t count) {
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
        s.pending.emplace_back(first, first + bytes);
        return return_code::ok;
    }

    return_code fetch(const port_ref &p, void *to, std::size_t bytes) {
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

    const void *graph_;
    std::vector<kernel_node *> own_;
    int iterations_ = -1;
    bool initialised_ = false;
    bool ended_ = false;
};

} // namespace sim
} // namespace adf
