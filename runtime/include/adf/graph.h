// Connections and run control (UG1079, "run-time graph control API").
//
// run() only notes how often kernels shall fire. The kernels run while the host waits: in wait() and end() of the graph
// and in wait(), gm2aie and aie2gm of a GMIO. Timeouts are counted in scheduler rounds, so that runs repeat exactly.
#pragma once

#include <cstdint>
#include <type_traits>

#include "io.h"
#include "location.h"

namespace adf {

// The kind of a connection: windows of this many bytes.
template <std::size_t Bytes, std::size_t MarginBytes = 0>
struct window {
    static_assert(Bytes > 0, "a window holds at least one element");
    static_assert(MarginBytes == 0, "the host runtime has no window margins");
    static constexpr std::size_t bytes = Bytes;
};

namespace sim {

template <typename Kind>
struct window_bytes {
    static_assert(sizeof(Kind) == 0, "the host runtime connects windows only: connect<window<N>>");
};
template <std::size_t Bytes, std::size_t MarginBytes>
struct window_bytes<window<Bytes, MarginBytes>> {
    static constexpr std::size_t value = window<Bytes, MarginBytes>::bytes;
};

} // namespace sim

// A window connection from an output to an input port, either of which may be wrapped in adf::async.
template <typename From, typename To = From>
class connect {
public:
    template <typename Source, typename Sink>
    connect(const Source &from, const Sink &to) {
        constexpr std::size_t bytes = sim::window_bytes<From>::value;
        static_assert(bytes == sim::window_bytes<To>::value, "both ends of a connection have windows of one size here");
        sim::simulation::get().connect(*from.at, *to.at, bytes);
    }
};

class graph {
public:
    graph() = default;
    virtual ~graph() = default;
    graph(const graph &) = delete;
    graph &operator=(const graph &) = delete;

    // Checks the design, opens the PLIO files. Sub-graphs come to life with the graph they are members of.
    return_code init() {
        if (top()) return refuse("init of a second graph, or a second init: one graph runs at a time");
        top() = this;
        sim::simulation::get().start();
        return return_code::ok;
    }

    // Asks for `iterations` more iterations of every kernel, without waiting; -1 means until the end.
    return_code run(int iterations) {
        if (!ready()) return refuse("run before init, or after end");
        iterations_ = iterations;
        for (sim::kernel_node *k : sim::simulation::get().kernels()) {
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
        sim::simulation::get().drive([] { return sim::simulation::get().idle(); });
        return return_code::ok;
    }
    return_code wait(unsigned long long milliseconds) {
        if (!ready()) return refuse("wait before init, or after end");
        sim::simulation::get().drive([] { return sim::simulation::get().idle(); }, rounds_for(milliseconds));
        return return_code::ok;
    }
    return_code resume() { return ready() ? return_code::ok : refuse("resume before init, or after end"); }

    // Waits for every firing and every GMIO transfer, then ends the run for good.
    return_code end() {
        if (!ready()) return refuse("end before init, or a second end");
        if (endless()) return refuse("end() never comes back when the graph runs for ever; give it a time");
        sim::simulation::get().drive([] {
            return sim::simulation::get().idle() && sim::simulation::get().transfers_done();
        });
        ended_ = true;
        return return_code::ok;
    }
    // Ends the run after that time at the latest.
    return_code end(unsigned long long milliseconds) {
        const return_code code = wait(milliseconds);
        for (sim::kernel_node *k : sim::simulation::get().kernels()) k->cancel();
        ended_ = true;
        return code;
    }

private:
    static graph *&top() {
        static graph *only = nullptr;
        return only;
    }
    // A round lets every kernel go on once; a thousand of them stand for a millisecond.
    static std::uint64_t rounds_for(unsigned long long milliseconds) { return std::uint64_t(milliseconds) * 1000; }

    bool ready() const { return top() == this && !ended_; }
    static bool endless() {
        for (const sim::kernel_node *k : sim::simulation::get().kernels())
            if (k->endless) return true;
        return false;
    }
    static return_code refuse(const char *why) {
        sim::journal::get().failure(why);
        return return_code::user_error;
    }

    int iterations_ = -1;
    bool ended_ = false;
};

} // namespace adf
