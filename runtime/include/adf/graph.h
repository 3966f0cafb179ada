// Graphs and their run control (UG1079, "run-time graph control API").
//
// run() only records how often kernels shall fire. The kernels run while the host waits: in wait()
// and end() of the graph, in wait(), gm2aie and aie2gm of a GMIO, and in update() and read() of
// synchronous parameters. Timeouts are counted in scheduler rounds, so that runs repeat exactly.
#pragma once

#include <type_traits>
#include <typeinfo>

#include "connect.h"
#include "location.h"
#include "sim/graph_control.h"

namespace adf {

class graph {
public:
    graph() : aiec_control_(this, [](const void *at) { return typeid(*static_cast<const graph *>(at)).name(); }) {}
    virtual ~graph() = default;
    graph(const graph &) = delete;
    graph &operator=(const graph &) = delete;

    // Checks the design and opens the PLIO files. Initialising a graph also initialises its
    // sub-graphs.
    return_code init() { return aiec_control_.init(); }
    // Requests `iterations` more iterations of every kernel, without waiting. -1 means until the
    // end.
    return_code run(int iterations) { return aiec_control_.run(iterations); }
    // Repeats the last number of iterations, or runs without an end.
    return_code run() { return aiec_control_.run(); }
    // Returns when every requested firing is done. For a graph without an end, returns when its
    // input is used up.
    return_code wait() { return aiec_control_.wait(); }
    // After that time at the latest.
    return_code wait(unsigned long long milliseconds) { return aiec_control_.wait(milliseconds); }
    return_code resume() { return aiec_control_.resume(); }
    return_code suspend() { return aiec_control_.suspend(); }
    // Waits for every firing and every GMIO transfer, then ends the run for good.
    return_code end() { return aiec_control_.end(); }
    // Ends the run after that time at the latest.
    return_code end(unsigned long long milliseconds) { return aiec_control_.end(milliseconds); }

    // Sets a run-time parameter. Synchronous ones take one value per firing, and the host waits for
    // room.
    template <typename Type, typename = std::enable_if_t<!std::is_pointer<Type>::value && !std::is_array<Type>::value>>
    return_code update(const sim::port_ref &p, const Type &value) { return aiec_control_.update(p, value); }
    template <typename Type>
    return_code update(const sim::port_ref &p, const Type *values, std::size_t count) {
        return aiec_control_.update(p, values, count);
    }

    // Gets the value of a run-time parameter that a kernel writes.
    template <typename Type, typename = std::enable_if_t<!std::is_pointer<Type>::value && !std::is_array<Type>::value>>
    return_code read(const sim::port_ref &p, Type &value) { return aiec_control_.read(p, value); }
    template <typename Type>
    return_code read(const sim::port_ref &p, Type *values, std::size_t count) {
        return aiec_control_.read(p, values, count);
    }

private:
    sim::graph_control aiec_control_;
};

} // namespace adf
