// The functions of kernels in graph constructors.
#pragma once

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

ADF_SIM_RUN std::string unmade(direction way, std::size_t index) {
    return std::string("port ") + name_of(way) + '[' + std::to_string(index) +
           "] of a kernel, PLIO or GMIO that was never created is used";
}

ADF_SIM_RUN kernel_node &no_kernel() {
    static kernel_node &only = *new kernel_node(0); // its handles may outlive all statics
    return only;
}

ADF_SIM_RUN void note_table(kernel_node &node, std::size_t bytes) {
    design &made = simulation::get().made;
    made.tables.push_back({&made.add_table(bytes), &node, here()});
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

ADF_SIM_RUN void header_setting::operator=(std::initializer_list<const char *> files) const {
    at->assign(files.begin(), files.end());
}
ADF_SIM_RUN void header_setting::operator=(const std::vector<std::string> &files) const { *at = files; }

ADF_SIM_RUN void initialization_setting::operator=(const std::string &name) const {
    at->initialization = name;
    const std::string mangled = "_Z" + std::to_string(name.size()) + name + "v";
    void *found = ::dlsym(RTLD_DEFAULT, mangled.c_str());
    if (!found) found = ::dlsym(RTLD_DEFAULT, name.c_str());
    auto function = reinterpret_cast<void (*)()>(found);
    kernel_node *k = at;
    at->initialize = [k, function] {
        if (function) return function();
        journal::get().failure(k->name() + ": the initialization_function " + k->initialization +
                               " is not in the program; link it with -rdynamic");
    };
}

ADF_SIM_RUN void dimension_setting::operator=(const std::vector<int> &list) const {
    const std::vector<unsigned> all(list.begin(), list.end());
    set(all.data(), all.size());
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

ADF_SIM_RUN sim::async_port async(const sim::port_ref &p) {
    sim::port &at = sim::noted(p);
    const bool meaningful = at.is_block() || at.what == sim::carries::parameter;
    if (!meaningful) {
        sim::journal::get().warning(sim::described(at) + ": adf::async is for kernel ports and means nothing here");
    }
    at.async = meaningful;
    return {p.at};
}

} // namespace adf
