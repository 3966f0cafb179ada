// A kernel at run time: its function or object, its ports and windows, and the loop that fires it.
//
// Before a firing every synchronous port is acquired, after it every one is released; asynchronous ports are the
// kernel's own business (thesis 2.2). The kernel is blocked while a port it needs is not ready.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "context.h"
#include "node.h"

namespace adf {
namespace sim {

// Counts window operations and scheduler turns of the whole run.
inline std::uint64_t &operations() {
    static std::uint64_t count = 0;
    return count;
}

class kernel_node;

// The non-template part of a window: the buffer it stands on while the port is held, and the position in it.
struct window_base {
    port *at = nullptr;
    kernel_node *kernel = nullptr;
    unsigned char *data = nullptr; // null unless held
    std::int64_t position = 0;     // elements from the start of the buffer
    std::int64_t count = 0;        // elements of the buffer
    unsigned winsize = 0;          // bytes of the buffer

    // Are `n` elements from `first` on inside a held buffer? Complains when not.
    bool allows(std::int64_t first, std::int64_t n) {
        ++operations();
        if (data && first >= 0 && first + n <= count) return true;
        complain(first);
        return false;
    }

    void take() {
        data = at->buffer();
        position = 0;
        at->held = true;
    }
    void give() {
        at->pass_on();
        data = nullptr;
        at->held = false;
    }

    void complain(std::int64_t first) const;
    void misused(const std::string &what) const;
};

// Calls a kernel function with the windows of a node.
struct invocation {
    virtual ~invocation() = default;
    virtual void call(kernel_node &kernel) = 0;
};

class kernel_node final : public node {
public:
    explicit kernel_node(unsigned number) : index(number) {}

    const unsigned index; // creation order
    std::unique_ptr<invocation> body;
    std::string source;
    std::vector<std::string> headers;
    double runtime_ratio = 0;
    std::size_t stack_bytes = 1024;
    std::size_t heap_bytes = 1024;
    unsigned repetitions = 1; // firings per graph iteration
    std::vector<place> stack_places;

    bool endless = false;
    std::uint64_t wanted = 0; // firings asked for since the start
    std::uint64_t fired = 0;

    bool idle() const { return !endless && fired == wanted; }
    // Asks for nothing more than what has been done.
    void cancel() {
        endless = false;
        wanted = fired;
    }

    std::string name() const override {
        std::string text = "kernel " + std::to_string(index);
        if (source.empty() && places.empty()) return text;
        text += " (" + source;
        if (!places.empty() && places.front().kind == place::what::tile) {
            if (!source.empty()) text += ", ";
            text += "tile " + std::to_string(places.front().column) + ',' + std::to_string(places.front().row);
        }
        return text + ')';
    }

    bool step() override {
        if (!waiting_.empty() ? !ready() : (idle() || !may_start())) return false;
        if (!thread_.started()) thread_.start(&kernel_node::run_forever, this, stack_bytes + heap_bytes);
        ++operations();
        waiting_.clear();
        thread_.resume();
        return true;
    }

    // The ports the kernel cannot go on without, and which are not ready.
    std::vector<const port *> blocked_on() const {
        std::vector<const port *> ports;
        if (!waiting_.empty()) {
            for (const port *p : waiting_)
                if (!p->ready()) ports.push_back(p);
        } else if (!idle()) {
            each_synchronous([&](const port &p) {
                if (!p.ready()) ports.push_back(&p);
            });
        }
        return ports;
    }

    // window_acquire of an asynchronous port: comes back when the port is held.
    void acquire(window_base &w) {
        ++operations();
        if (!w.at->async) return w.misused("window_acquire of a synchronous window");
        if (w.at->held) return w.misused("acquired twice without a release");
        while (!w.at->ready()) {
            waiting_.push_back(w.at);
            thread_.yield();
        }
        w.take();
    }

    void release(window_base &w) {
        ++operations();
        if (!w.at->async) return w.misused("window_release of a synchronous window");
        if (!w.at->held) return w.misused("released without being acquired");
        w.give();
    }

    const context &stack() const { return thread_; }

    // The JSON members that name a kernel's port.
    static std::string where(const port &p) {
        const auto &kernel = static_cast<const kernel_node &>(*p.owner);
        return "\"kernel\":" + std::to_string(kernel.index) + ",\"direction\":\"" + name_of(p.way) +
               "\",\"port\":" + std::to_string(p.index);
    }

private:
    template <typename Visit>
    void each_port(Visit visit) const {
        for (const auto &p : in) visit(*p);
        for (const auto &p : out) visit(*p);
    }
    template <typename Visit>
    void each_synchronous(Visit visit) const {
        each_port([&](port &p) {
            if (!p.async) visit(p);
        });
    }

    bool may_start() const {
        bool all = true;
        each_synchronous([&](const port &p) { all = all && p.ready(); });
        return all;
    }
    bool ready() const {
        for (const port *p : waiting_)
            if (!p->ready()) return false;
        return true;
    }

    static void run_forever(void *self) {
        auto &kernel = *static_cast<kernel_node *>(self);
        for (;;) {
            kernel.fire();
            kernel.thread_.yield();
        }
    }

    void fire() {
        each_synchronous([](port &p) { p.window->take(); });
        body->call(*this);
        each_synchronous([](port &p) { p.window->give(); });
        each_port([](port &p) {
            if (p.async && p.held) missing_release(p);
        });
        ++fired;
    }

    // Reports it, then releases in the kernel's place: what else is wrong shows better in a run that goes on.
    static void missing_release(port &p) {
        journal::get().misuse("{\"event\":\"missing-release\"," + where(p) + "}",
                              described(p) + ": missing release: the kernel returned while it still held the window; "
                                             "add window_release after the last access");
        p.window->give();
    }

    context thread_;
    std::vector<const port *> waiting_; // inside a firing: the ports window_acquire waits for
};

inline void window_base::misused(const std::string &what) const {
    journal::get().misuse("{\"event\":\"misuse\"," + kernel_node::where(*at) + ",\"what\":" + quoted(what) + "}",
                          described(*at) + ": " + what);
}

inline void window_base::complain(std::int64_t first) const {
    const std::string access = at->is_input() ? "read " : "write ";
    if (!data) return misused(access + "before window_acquire");
    misused(access + (first < 0 ? "before the start of the window" : "past the end of the window"));
}

} // namespace sim
} // namespace adf
