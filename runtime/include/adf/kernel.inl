// The functions of kernels in graph constructors.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <dlfcn.h>

#include "kernel.h"

namespace adf {
namespace sim {

ADF_SIM_RUN registration &registration::current() {
    static registration only;
    return only;
}

ADF_SIM_RUN void register_function(const std::type_info &of, void (*declare)(kernel_node &), object_kernel::caller invoke,
                                   const void *code) {
    const registration &now = registration::current();
    if (!now.of || *now.of != of) stop("registerKernelClass registers a function of another class");
    declare(*now.node);
    now.body->invoke = invoke;
    now.body->member = code;
}

ADF_SIM_RUN void register_parameter(std::size_t bytes) {
    table *next = nullptr, *same = nullptr;
    for (table &each : simulation::get().made.tables) {
        if (each.of != registration::current().node || each.made->registered) continue;
        if (!next) next = &each;
        if (!same && each.made->bytes == bytes) same = &each;
    }
    if (!next) return;
    // A member that is no array, such as a pointer, stands for the next one.
    if (same) std::rotate(next, same, same + 1);
    next->made->registered = true;
}

ADF_SIM_RUN void adopt_object(kernel_node &node, void *object, object_kernel::destroyer destroy, const std::type_info &of,
                              void (*register_class)()) {
    auto body = std::make_unique<object_kernel>(object, destroy);
    registration::current() = {&of, &node, body.get()};
    register_class();
    registration::current() = registration();
    node.function = std::string("class ") + of.name();
    if (!body->invoke) stop("registerKernelClass of a kernel class registers no function");
    node.body = std::move(body);
}

template <typename Way>
port_list<Way>::port_list(node *owner) : owner_(owner) {
    const owners<sim::port> &all = owner->ports(way_of<Way>::value);
    first_ = static_cast<adf::port<Way> *>(owner->memory_for_handles(all.size() * sizeof *first_));
    for (sim::port *each : all) new (first_ + size_++) adf::port<Way>(*each);
}
template <typename Way>
adf::port<Way> &port_list<Way>::operator[](std::size_t index) const {
    if (!owner_)
        stop(std::string("port ") + name_of(way_of<Way>::value) + '[' + std::to_string(index) +
                 "] of a kernel, PLIO or GMIO that was never created is used",
             this);
    if (index >= size()) owner_->port_at(way_of<Way>::value, index); // tells how many it has
    return first_[index];
}
#ifdef AIEC_SIM_LINKED
template class port_list<::input>;
template class port_list<::output>;
template class port_list<::inout>;
#endif

// Takes properties of handles to nothing. The design does not have it.
inline kernel_node &no_kernel() {
    static kernel_node &only = *new kernel_node(0); // its handles may outlive all statics
    return only;
}

ADF_SIM_RUN void name_function(kernel_node &node, const void *function) {
    Dl_info info;
    if (::dladdr(function, &info) && info.dli_sname) node.function = info.dli_sname;
}

ADF_SIM_RUN void note_table(kernel_node &node, std::size_t bytes) {
    design &made = simulation::get().made;
    table_node &table = made.add_table(bytes);
    table.registered = false;
    made.tables.push_back({&table, &node, here()});
}

ADF_SIM_RUN void range::check(double value) const {
    if (value >= least && value <= most) return;
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.15g", value);
    stop(std::string(name) + " is " + digits + "; it must be " + in_words);
}

ADF_SIM_RUN const text_setting &text_setting::operator=(const std::string &value) const {
    *at = value;
    *by = here();
    return *this;
}
ADF_SIM_RUN const text_setting &text_setting::operator=(const char *value) const { return *this = std::string(value); }

ADF_SIM_RUN void header_setting::operator=(std::initializer_list<const char *> files) const {
    *at = {};
    for (const char *each : files) at->push_back(each);
}
ADF_SIM_RUN void header_setting::operator=(const std::vector<std::string> &files) const {
    *at = {};
    for (const std::string &each : files) at->push_back(each);
}

// The linker name of a function without parameters, which `name` gives with its namespaces.
inline std::string mangled_function(const std::string &name) {
    std::string parts;
    std::size_t count = 0;
    for (std::size_t at = 0; at <= name.size(); ++count) {
        const std::size_t end = std::min(name.find("::", at), name.size());
        parts += std::to_string(end - at) + name.substr(at, end - at);
        at = end + 2;
    }
    return count > 1 ? "_ZN" + parts + "Ev" : "_Z" + parts + "v";
}

ADF_SIM_RUN void initialization_setting::operator=(const std::string &name) const {
    at->initialization = name;
    const std::string mangled = mangled_function(name);
    void *found = ::dlsym(RTLD_DEFAULT, mangled.c_str());
    if (!found) found = ::dlsym(RTLD_DEFAULT, name.c_str());
    at->initialize = reinterpret_cast<void (*)()>(found);
    at->initialized = false;
}

ADF_SIM_RUN void dimension_setting::operator=(const std::vector<int> &list) const {
    sim::list<unsigned> all;
    for (const int each : list) all.push_back(unsigned(each));
    set(all.begin(), all.size());
}

ADF_SIM_RUN void dimension_setting::set(const unsigned *list, std::size_t count) const {
    const bool outer = !at->owner;
    std::size_t bytes = outer ? 1 : at->type.bytes();
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned each = list[i];
        if (each != 0 && bytes > (std::size_t(1) << 40) / each) stop(described(*at) + ": dimensions without bound");
        bytes *= each;
    }
    if (outer) {
        at->samples = bytes;
        return;
    }
    if (at->bytes != 0 && at->bytes != bytes) {
        stop(described(*at) + ": dimensions say " + counted(bytes, "byte") + ", the kernel's signature says " +
             std::to_string(at->bytes));
    }
    noted({at}).bytes = bytes;
}

ADF_SIM_RUN void initial_setting::set(const void *from, std::size_t bytes) const {
    if (!at->parameter) stop(described(*at) + ": initial_value is for run-time parameters");
    std::memcpy(at->parameter->value.data(), from, std::min(bytes, at->parameter->value.size()));
    noted({at}).parameter->present = true;
}

} // namespace sim

ADF_SIM_RUN kernel::kernel(sim::kernel_node &node) : in(&node), out(&node), inout(&node), param{&node}, node_(&node) {}

ADF_SIM_RUN kernel &kernel::kept(sim::kernel_node &node) {
    return *new (node.memory_for_handles(sizeof(kernel))) kernel(node);
}

ADF_SIM_RUN sim::kernel_node &kernel::stated() const { return node_ ? *node_ : sim::no_kernel(); }

ADF_SIM_RUN sim::text_setting source(const kernel &k) { return {&k.stated().source, &k.stated().source_by}; }
ADF_SIM_RUN sim::setting<std::size_t> stack_size(const kernel &k) {
    return {&k.stated().declared_stack, &k.stated().stack_by, sim::stacks};
}
ADF_SIM_RUN sim::setting<std::size_t> heap_size(const kernel &k) { return {&k.stated().heap_bytes, &k.stated().heap_by, sim::heaps}; }

ADF_SIM_RUN sim::async_port async(const sim::port_ref &p) {
    sim::port &at = sim::noted(p);
    const bool meaningful = at.is_block() || at.what == sim::carries::parameter;
    if (!meaningful) {
        sim::journal::get().warning(sim::described(at) + ": adf::async is for kernel ports and means nothing here");
    }
    at.async = at.async_asked = meaningful;
    if (meaningful) at.sync_asked = false;
    return {p.at};
}

} // namespace adf
