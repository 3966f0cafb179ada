// Kernels and their ports as a graph constructor sees them (UG1079, "graph programming").
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/simulation.h"
#include "window.h"

namespace adf {

class kernel;

namespace sim {

// One port, as `k.in[0]` names it.
struct port_ref {
    port *at = nullptr;
};

// A port marked by adf::async: its kernel locks it itself.
struct async_port {
    port *at = nullptr;
};

// All ports of one direction: `k.in`.
class port_list {
public:
    port_list() = default;
    port_list(node *owner, direction way) : owner_(owner), way_(way) {}
    port_ref operator[](std::size_t index) const {
        if (!owner_) stop("a port of a kernel, PLIO or GMIO that was never created is used");
        return {&owner_->port_at(way_, index)};
    }

private:
    node *owner_ = nullptr;
    direction way_ = direction::in;
};

// What a parameter of a kernel function becomes.
template <typename Parameter>
struct parameter {
    static_assert(sizeof(Parameter) == 0,
                  "the host runtime runs kernels whose parameters are input_window<T>* and output_window<T>* only");
};
template <typename Window, typename T, direction Way>
struct window_parameter {
    static_assert(element_of<T>::known, "a window cannot hold elements of this type");
    static void declare(kernel_node &node) {
        port &made = node.add_port(Way, element_of<T>::get());
        made.window = std::make_unique<Window>();
        made.window->at = &made;
        made.window->kernel = &node;
    }
    // The argument for the next port of this direction.
    static Window *take(kernel_node &node, std::size_t (&next)[2]) {
        auto &list = Way == direction::in ? node.in : node.out;
        return static_cast<Window *>(list[next[std::size_t(Way)]++]->window.get());
    }
};
template <typename T>
struct parameter<input_window<T> *> : window_parameter<input_window<T>, T, direction::in> {};
template <typename T>
struct parameter<output_window<T> *> : window_parameter<output_window<T>, T, direction::out> {};

// Makes the ports of a signature and calls functions that have it. `restrict` qualifiers are no part of a signature.
template <typename... Parameters>
struct signature {
    static void declare(kernel_node &node) { (parameter<Parameters>::declare(node), ...); }
    template <typename Call>
    static void call(kernel_node &node, Call call) {
        std::size_t next[2] = {0, 0};
        // Braces fix the order of evaluation, so that ports are taken from left to right.
        std::tuple<Parameters...> arguments{parameter<Parameters>::take(node, next)...};
        static_cast<void>(next);
        std::apply(call, arguments);
    }
};

template <typename... Parameters>
struct function_kernel final : invocation {
    explicit function_kernel(void (*f)(Parameters...)) : function(f) {}
    void call(kernel_node &node) override { signature<Parameters...>::call(node, function); }
    void (*function)(Parameters...);
};

// A kernel object, and the member function its class registered.
template <typename Class>
struct object_kernel final : invocation {
    using caller = void (*)(Class &, kernel_node &);

    template <typename... Arguments>
    explicit object_kernel(Arguments &&...arguments) : object(std::forward<Arguments>(arguments)...) {}
    void call(kernel_node &node) override { invoke(object, node); }

    Class object;
    caller invoke = nullptr;

    // Set while `Class::registerKernelClass` runs.
    static object_kernel *&registering() {
        static object_kernel *current = nullptr;
        return current;
    }
    static kernel_node *&node() {
        static kernel_node *current = nullptr;
        return current;
    }
};

// What REGISTER_FUNCTION expands to.
template <auto Member>
struct member_kernel;
template <typename Class, typename... Parameters, void (Class::*Member)(Parameters...)>
struct member_kernel<Member> {
    static void enroll() {
        using kernel_type = object_kernel<Class>;
        if (!kernel_type::registering()) stop("registerKernelClass registers a function of another class");
        signature<Parameters...>::declare(*kernel_type::node());
        kernel_type::registering()->invoke = [](Class &object, kernel_node &node) {
            signature<Parameters...>::call(node, [&](Parameters... windows) { (object.*Member)(windows...); });
        };
    }
};

// Objects that `source(k) = value` and the like assign through.
template <typename Value>
struct setting {
    Value *at;
    template <typename From>
    void operator=(const From &value) const { *at = Value(value); }
};
struct header_setting {
    std::vector<std::string> *at;
    void operator=(std::initializer_list<const char *> files) const { at->assign(files.begin(), files.end()); }
    void operator=(const std::vector<std::string> &files) const { *at = files; }
};

} // namespace sim

// A handle to a kernel instance; copies name the same one.
class kernel {
public:
    sim::port_list in;
    sim::port_list out;

    kernel() = default;

    // An instance of a kernel function. Its ports are its window parameters, counted per direction.
    template <typename... Parameters>
    static kernel create(void (*function)(Parameters...)) {
        sim::kernel_node &node = sim::simulation::get().add_kernel();
        node.body = std::make_unique<sim::function_kernel<Parameters...>>(function);
        sim::signature<Parameters...>::declare(node);
        return kernel(node);
    }

    // An instance of a kernel class, constructed from `arguments`; the class names its function in registerKernelClass.
    template <typename Class, typename... Arguments>
    static kernel create_object(Arguments &&...arguments) {
        using kernel_type = sim::object_kernel<Class>;
        sim::kernel_node &node = sim::simulation::get().add_kernel();
        auto body = std::make_unique<kernel_type>(std::forward<Arguments>(arguments)...);
        kernel_type::registering() = body.get();
        kernel_type::node() = &node;
        Class::registerKernelClass();
        kernel_type::registering() = nullptr;
        if (!body->invoke) sim::stop("registerKernelClass of a kernel class registers no function");
        node.body = std::move(body);
        return kernel(node);
    }

    // For the runtime: the instance behind the handle.
    sim::kernel_node &node() const {
        if (!node_) sim::stop("a kernel that was never created is used");
        return *node_;
    }

private:
    explicit kernel(sim::kernel_node &node)
        : in(&node, sim::direction::in), out(&node, sim::direction::out), node_(&node) {}

    sim::kernel_node *node_ = nullptr;
};

struct ratio {};

inline sim::setting<std::string> source(const kernel &k) { return {&k.node().source}; }
inline sim::header_setting headers(const kernel &k) { return {&k.node().headers}; }
template <typename Kind>
sim::setting<double> runtime(const kernel &k) {
    static_assert(std::is_same<Kind, ratio>::value, "runtime<ratio> is the only runtime constraint");
    return {&k.node().runtime_ratio};
}
inline sim::setting<std::size_t> stack_size(const kernel &k) { return {&k.node().stack_bytes}; }
inline sim::setting<std::size_t> heap_size(const kernel &k) { return {&k.node().heap_bytes}; }
inline sim::setting<unsigned> repetition_count(const kernel &k) { return {&k.node().repetitions}; }

// Marks a kernel's port as one that the kernel locks itself.
inline sim::async_port async(const sim::port_ref &p) {
    if (!p.at->window) {
        sim::journal::get().warning(sim::described(*p.at) + ": adf::async is for kernel ports and means nothing here");
    }
    p.at->async = p.at->window != nullptr;
    return {p.at};
}

// One buffer instead of a ping and a pong.
inline void single_buffer(const sim::port_ref &p) { p.at->single = true; }

} // namespace adf

// Names the member function of a kernel class that is the kernel; used in its registerKernelClass.
#define REGISTER_FUNCTION(...) ::adf::sim::member_kernel<&__VA_ARGS__>::enroll()
