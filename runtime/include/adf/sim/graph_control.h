// A graph's run control. It is separate from adf::graph because every name in a base class hides
// the kernel functions of that name from the constructors of users' graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "../io.h"
#include "reach.h"

namespace adf {
namespace sim {

class graph_control {
public:
    // `class_of` tells the compiler's name of the class of a graph.
    graph_control(const void *graph, const char *(*class_of)(const void *));
    graph_control(const graph_control &) = delete;
    graph_control &operator=(const graph_control &) = delete;
    ~graph_control();
    // In the class, so that describe.cc need not know it: there, start() does not come back.
    return_code init() {
        if (initialised_) return refuse("a second init of a graph");
        initialised_ = true;
        simulation::get().start();
        find_own();
        return return_code::ok;
    }

    // Requests `iterations` more iterations of every kernel, without waiting. -1 means until the
    // end.
    return_code run(int iterations);
    // Repeats the last number of iterations, or runs without an end.
    return_code run();

    // Returns when every requested firing is done. For a graph without an end, returns when its
    // input is used up.
    return_code wait();
    // After that time at the latest, the graph is suspended until resume().
    return_code wait(unsigned long long milliseconds);
    return_code resume();
    return_code suspend();

    // Waits for every firing and every GMIO transfer, then ends the run for good.
    return_code end();
    // Ends the run after that time at the latest.
    return_code end(unsigned long long milliseconds);

    // Sets a run-time parameter. Synchronous ones take one value per firing, and the host waits for
    // room. The host's variable may be volatile.
    template <typename Type, typename = std::enable_if_t<!std::is_pointer<Type>::value && !std::is_array<Type>::value>>
    return_code update(const port_ref &p, const Type &value) {
        const std::remove_cv_t<Type> now = value;
        return give(p, &now, sizeof now, 1);
    }
    template <typename Type>
    return_code update(const port_ref &p, const Type *values, std::size_t count) {
        return give(p, values, count * sizeof(Type), count);
    }

    // Gets the value of a run-time parameter that a kernel writes. It stays as it is if that fails.
    template <typename Type, typename = std::enable_if_t<!std::is_pointer<Type>::value && !std::is_array<Type>::value>>
    return_code read(const port_ref &p, Type &value) {
        std::remove_cv_t<Type> now = value;
        const return_code code = fetch(p, &now, sizeof now);
        if (code == return_code::ok) value = now;
        return code;
    }
    template <typename Type>
    return_code read(const port_ref &p, Type *values, std::size_t count) {
        return fetch(p, values, count * sizeof(Type));
    }

private:
    // A round lets every kernel go on once; a thousand of them stand for a millisecond.
    static std::uint64_t rounds_for(unsigned long long milliseconds);

    bool ready() const;
    bool endless() const;
    bool idle() const;
    void drive() const;
    // wait() and end() of a graph without an end: they return when it has used up its input, as
    // functional simulators do.
    return_code outlast(const char *call);
    static return_code refuse(const char *why);

    // --- owners of kernels ---

    // The variable that `at` lies in, if the program exports it (-rdynamic).
    static memory_range variable_around(const void *at);
    // Does the variable, or a vector in it, hold the graph or point to it?
    static bool is_held_by(const memory_range &variable, const void *graph);
    // True if a kernel of graph number `other` is connected to one of the graphs after `first` up
    // to `last`.
    static bool is_connected(std::size_t first, std::size_t last, std::size_t other);
    // Notes the kernels made while this graph, or a graph inside it, was the last one begun.
    void find_own();

    // --- run-time parameters ---

    // The kernel ports behind a port of the graph.
    static void collect(const port &p, bool forward, std::vector<port *> &found);

    return_code give(const port_ref &p, const void *from, std::size_t bytes, std::size_t count);
    return_code give(port &at, const void *from, std::size_t bytes, std::size_t count);

    return_code fetch(const port_ref &p, void *to, std::size_t bytes);

    const void *graph_;
    list<kernel_node *> own_;
    int iterations_ = -1;
    bool initialised_ = false;
    bool ended_ = false;
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "graph_control.inl"
#include "graph_making.inl"
#endif
