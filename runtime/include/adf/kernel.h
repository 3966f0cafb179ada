// Kernels and their ports as a graph constructor sees them (UG1079, "graph programming").
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "signature.h"
#include "sim/simulation.h"

// Directions of ports are types, which are also available unqualified: adf::port<input>, `template
// <typename Way> ... adf::port<Way>` (UG1079, "Mapping Constraints" and everywhere; Vitis
// libraries). `port<direction::in>` is the older spelling.
struct input {};
struct output {};
struct inout {};
// The property that runtime<ratio>(k) sets.
struct ratio {};

namespace adf {

using ::inout;
using ::input;
using ::output;
using ::ratio;

struct direction {
    using in = ::input;
    using out = ::output;
    using inout = ::inout;
};

namespace sim {

template <typename Way>
struct way_of {
    static_assert(sizeof(Way) == 0, "a port is port<input>, port<output> or port<inout>");
};
template <> struct way_of<::input> : std::integral_constant<direction, direction::in> {};
template <> struct way_of<::output> : std::integral_constant<direction, direction::out> {};
template <> struct way_of<::inout> : std::integral_constant<direction, direction::inout> {};

} // namespace sim

// A port of a graph, with an inside and an outside connection; or, as `k.in[0]`, a port of a node.
template <typename Way>
class port : public sim::port_ref {
public:
    port() : sim::port_ref{&sim::simulation::get().made.add_graph_port(sim::way_of<Way>::value)} {}
    explicit port(sim::port &of_a_node) : sim::port_ref{&of_a_node} {}
};
using input_port = port<::input>;
using output_port = port<::output>;
using inout_port = port<::inout>;

namespace sim {

// All ports of one direction: `k.in`. A reference to a port holds as long as the node. Its
// functions are in kernel.inl: constructors of graphs call them everywhere.
template <typename Way>
class port_list {
public:
    port_list() = default;
    // The node has all its ports by now.
    explicit port_list(node *owner);
    adf::port<Way> &operator[](std::size_t index) const;
    std::size_t size() const { return size_; }
    adf::port<Way> *begin() const { return first_; }
    adf::port<Way> *end() const { return first_ + size_; }

private:
    node *owner_ = nullptr;
    adf::port<Way> *first_ = nullptr; // in memory of the node
    std::size_t size_ = 0;
};

template <typename... Parameters>
struct function_kernel final : invocation {
    explicit function_kernel(void (*f)(Parameters...)) : function(f) {}
    void call(kernel_node &node) override {
        const auto at = signature<Parameters...>::collect(node);
        spread(at.data(), std::index_sequence_for<Parameters...>());
    }
    const void *code() const override { return reinterpret_cast<const void *>(function); }
    void (*function)(Parameters...);

private:
    template <std::size_t... At>
    void spread([[maybe_unused]] void *const *at, std::index_sequence<At...>) {
        function(argument<Parameters>::from(at[At])...);
    }
};

// Converts values, in a vector or `std::array`, to the array that a constructor takes by reference.
// The array lives as long as the kernel.
template <typename List>
struct array_argument {
    const List *values;
    kernel_node *owner;

    template <typename Element, std::size_t Count>
    using array = Element[Count];
    template <typename Element, std::size_t Count>
    operator array<Element, Count> &() const {
        // The tools align it like this.
        struct alignas(32) aligned : std::array<std::remove_cv_t<Element>, Count> {};
        auto kept = std::make_shared<aligned>();
        // The tools make an array of as many values. A reference to an array of another size does
        // not bind to it.
        if (values->size() != Count) {
            stop("create_object: the constructor takes an array of " + std::to_string(Count) + " values, T (&)[" +
                 std::to_string(Count) + "], but the graph gives a vector of " + std::to_string(values->size()));
        }
        for (std::size_t i = 0; i < values->size(); ++i) (*kept)[i] = std::remove_cv_t<Element>((*values)[i]);
        owner->keeps.push_back(kept);
        return *reinterpret_cast<array<Element, Count> *>(kept->data());
    }
    operator List() const { return *values; }
};
template <typename Type>
constexpr bool has_values = false;
template <typename Type>
constexpr bool has_values<std::vector<Type>> = true;
template <typename Type, std::size_t Count>
constexpr bool has_values<std::array<Type, Count>> = true;
template <typename Type>
decltype(auto) as_argument(std::remove_reference_t<Type> &value, kernel_node &owner) {
    using plain = std::remove_cv_t<std::remove_reference_t<Type>>;
    if constexpr (has_values<plain>) {
        return array_argument<plain>{&value, &owner};
    } else {
        return std::forward<Type>(value);
    }
}

// The value of a constructor's argument as C++ text. False for values that have none.
template <typename Type>
bool text_of_argument(const Type &value, std::string &text) {
    if constexpr (std::is_same<Type, bool>::value) {
        text += value ? "true" : "false";
    } else if constexpr (std::is_integral<Type>::value) {
        text += std::to_string(value);
    } else if constexpr (std::is_floating_point<Type>::value) {
        char digits[40];
        std::snprintf(digits, sizeof digits, "%.*g", std::is_same<Type, float>::value ? 9 : 17, double(value));
        text += digits;
    } else {
        return false;
    }
    return true;
}
template <typename Part>
bool text_of_argument(const complex<Part> &value, std::string &text) {
    text += '{';
    const bool first = text_of_argument(value.real, text);
    text += ", ";
    const bool second = text_of_argument(value.imag, text);
    text += '}';
    return first && second;
}
template <typename List>
bool text_of_list(const List &values, std::string &text) {
    text += '{';
    for (const auto &each : values) {
        if (text.back() != '{') text += ", ";
        if (!text_of_argument(each, text)) return false;
    }
    text += '}';
    return true;
}
template <typename Type>
bool text_of_argument(const std::vector<Type> &values, std::string &text) {
    if constexpr (element_of<Type>::known) text += "std::vector<" + spelled(element_of<Type>::get()) + '>';
    return text_of_list(values, text);
}
template <typename Type, std::size_t Count>
bool text_of_argument(const std::array<Type, Count> &values, std::string &text) { return text_of_list(values, text); }
template <typename Type, std::size_t Count>
bool text_of_argument(const Type (&values)[Count], std::string &text) { return text_of_list(values, text); }

// The tools give the array of a constructor its own place in memory: `k.param[0]` and so on.
ADF_SIM_RUN void note_table(kernel_node &node, std::size_t bytes);
// Keeps the text of an argument. `becomes_array` says that values in a list are an array for the
// constructor, in the place of a table.
template <bool becomes_array, typename Type>
bool note_argument(kernel_node &node, const Type &value) {
    node.arguments.push_back({});
    if constexpr (becomes_array && has_values<Type>) {
        note_table(node, value.size() * sizeof(typename Type::value_type));
        const std::vector<typename Type::value_type> values(value.begin(), value.end());
        return text_of_argument(values, node.arguments.back());
    } else {
        return text_of_argument(value, node.arguments.back());
    }
}

// A kernel object, and the member function that its class registered. This type does not know the
// class: designs have many classes, and class templates cost compile time.
struct object_kernel final : invocation {
    using caller = void (*)(void *object, kernel_node &node);
    using destroyer = void (*)(void *object);

    object_kernel(void *made, destroyer with) : object(made), destroy(with) {}
    object_kernel(const object_kernel &) = delete;
    object_kernel &operator=(const object_kernel &) = delete;
    ~object_kernel() override {
        if (object) destroy(object);
    }
    void call(kernel_node &node) override { invoke(object, node); }
    const void *code() const override { return member; }

    void *object;
    destroyer destroy;
    caller invoke = nullptr;
    const void *member = nullptr;
};

// The kernel whose class currently runs its registerKernelClass.
struct registration {
    const std::type_info *of = nullptr;
    kernel_node *node = nullptr;
    object_kernel *body = nullptr;

    static registration &current();
};

ADF_SIM_RUN void register_function(const std::type_info &of, void (*declare)(kernel_node &), object_kernel::caller invoke,
                                   const void *code);

// The expansion of REGISTER_PARAMETER: the next array of the constructor that has as many bytes as
// the member has a place of its own. The order of these statements numbers the arrays, as in AMD's
// Vitis-Tutorials (16-1M-Point-FFT-32Gsps, ssr_fft_fp_b: table, table, buffer).
ADF_SIM_RUN void register_parameter(std::size_t bytes);
template <typename... Member>
struct members_of_class {
    static void enroll() { (register_parameter(sizeof(Member)), ...); }
};
template <typename... Member>
members_of_class<Member...> members(Member &...);

// Makes `object` the kernel `node`.
ADF_SIM_RUN void adopt_object(kernel_node &node, void *object, object_kernel::destroyer destroy, const std::type_info &of,
                              void (*register_class)());

// The expansion of REGISTER_FUNCTION.
template <auto Member>
struct member_kernel;
template <typename Class, typename... Parameters, void (Class::*Member)(Parameters...)>
struct member_kernel<Member> {
    static void enroll() {
        // A pointer to a member function that is not virtual begins with its address (Itanium C++
        // ABI, 2.3).
        void (Class::*const member)(Parameters...) = Member;
        const void *code = nullptr;
        std::memcpy(&code, &member, sizeof code);
        register_function(typeid(Class), &signature<Parameters...>::declare, &call, code);
    }

private:
    static void call(void *object, kernel_node &node) {
        const auto at = signature<Parameters...>::collect(node);
        spread(*static_cast<Class *>(object), at.data(), std::index_sequence_for<Parameters...>());
    }
    template <std::size_t... At>
    static void spread(Class &object, [[maybe_unused]] void *const *at, std::index_sequence<At...>) {
        (object.*Member)(argument<Parameters>::from(at[At])...);
    }
};

// A statement that changes nothing here.
struct unused_setting {
    template <typename Value>
    void operator=(const Value &) const {}
};

// The values that a property may have. A cast would make another value of any other one.
struct range {
    const char *name;
    double least, most;
    const char *in_words;

    // Ends the constructor if it may not have this value.
    void check(double value) const;
};
inline constexpr range ratios{"runtime<ratio>", 0, 1, "between 0 and 1"};
inline constexpr range stacks{"stack_size", 0, UINT32_MAX, "a number of bytes, 0 or more"};
inline constexpr range heaps{"heap_size", 0, UINT32_MAX, "a number of bytes, 0 or more"};
inline constexpr range depths{"fifo_depth", 0, UINT32_MAX, "a number of words, 0 or more"};
inline constexpr range repetitions{"repetition_count", 1, UINT32_MAX, "1 or more"};
inline constexpr range async_counts{"async_repetition", 1, UINT32_MAX, "1 or more"};

// Objects that `source(k) = value` and the like assign through.
template <typename Value>
struct setting {
    Value *at;
    statement *by; // null: not recorded
    const range &legal;
    setting(Value *of, statement *recorded, const range &values) : at(of), by(recorded), legal(values) {}
    setting(const setting &) = default;
    template <typename From>
    const setting &operator=(const From &value) const {
        legal.check(double(value));
        *at = Value(value);
        if (by) *by = here();
        return *this;
    }
    // `source(a) = source(b)` copies the value, not the handle.
    const setting &operator=(const setting &other) const { return *this = *other.at; }
    operator Value() const { return *at; }
};
// As above for text: one function assigns literals of all lengths.
struct text_setting {
    std::string *at;
    statement *by;
    text_setting(std::string *of, statement *recorded) : at(of), by(recorded) {}
    text_setting(const text_setting &) = default;
    const text_setting &operator=(const std::string &value) const;
    const text_setting &operator=(const char *value) const;
    const text_setting &operator=(const text_setting &other) const { return *this = *other.at; }
    operator std::string() const { return *at; }
};
struct repetition_setting {
    kernel_node *at;
    repetition_setting(kernel_node *of) : at(of) {}
    repetition_setting(const repetition_setting &) = default;
    const repetition_setting &operator=(std::int64_t times) const {
        repetitions.check(double(times));
        at->repetitions = unsigned(times);
        at->repetitions_declared = true;
        at->repetitions_by = here();
        return *this;
    }
    const repetition_setting &operator=(const repetition_setting &other) const { return *this = unsigned(other); }
    operator unsigned() const { return at->repetitions; }
};
struct header_setting {
    list<std::string> *at;
    void operator=(std::initializer_list<const char *> files) const;
    void operator=(const std::vector<std::string> &files) const;
};
// The function of this name, if the program exports it.
struct initialization_setting {
    kernel_node *at;
    void operator=(const std::string &name) const;
};

} // namespace sim

namespace sim {
// The kernel's function by its linker name.
ADF_SIM_RUN void name_function(kernel_node &node, const void *function);
} // namespace sim

// A handle to a kernel instance. Copies refer to one instance.
class kernel {
public:
    sim::port_list<::input> in;
    sim::port_list<::output> out;
    sim::port_list<::inout> inout;
    // Look-up tables that are placed on their own, as `k.param[0]`.
    struct parameter_list {
        sim::kernel_node *node = nullptr;
        struct one { sim::kernel_node *node; int number; };
        one operator[](std::size_t i) const { return {node, int(i)}; }
    } param;

    kernel() = default;

    // An instance of a kernel function. Its ports are its parameters, counted per direction.
    template <typename... Parameters>
    static kernel &create(void (*function)(Parameters...)) {
        sim::kernel_node &node = sim::simulation::get().add_kernel();
        node.body = std::make_unique<sim::function_kernel<Parameters...>>(function);
        sim::signature<Parameters...>::declare(node);
        sim::name_function(node, reinterpret_cast<void *>(function));
        return kept(node);
    }
    // As above. The vectors are the initial values of the arrays among its run-time parameters, in
    // order.
    template <typename... Parameters, typename... Type>
    static kernel &create(void (*function)(Parameters...), const std::vector<Type> &...initial) {
        kernel &made = create(function);
        std::size_t next = 0;
        (made.initialise(next, initial), ...);
        return made;
    }

    // An instance of a kernel class, constructed from `arguments`. The class names its function in
    // registerKernelClass.
    template <typename Class, typename... Arguments>
    static kernel &create_object(Arguments &&...arguments) {
        sim::kernel_node &node = sim::simulation::get().add_kernel();
        Class *object = nullptr;
        constexpr bool takes_them = std::is_constructible<Class, Arguments...>::value;
        // A program that only lists the sources of its kernels may not have their constructors yet.
        if (!sim::settings::get().describe.empty()) {
            node.has_arguments = true;
            (..., (node.has_arguments &= sim::note_argument<!takes_them>(node, arguments)));
        } else {
            const sim::kernel_node::on_core of_the_kernel(node);
            if constexpr (takes_them) {
                object = new Class(std::forward<Arguments>(arguments)...);
            } else {
                object = new Class(sim::as_argument<Arguments>(arguments, node)...);
            }
        }
        const auto destroy = [](void *made) { delete static_cast<Class *>(made); };
        sim::adopt_object(node, object, destroy, typeid(Class), &Class::registerKernelClass);
        return kept(node);
    }

    // For the runtime: the instance behind the handle.
    sim::kernel_node &node() const {
        if (!node_) sim::stop("a kernel that was never created is used", this);
        return *node_;
    }
    // As above, for properties. Those of a handle without an instance mean nothing: AMD's DSP
    // library sets them of kernels that `if constexpr` leaves out (dsp/L2/include/aie,
    // matrix_mult_graph.hpp).
    bool created() const { return node_ != nullptr; }
    sim::kernel_node &stated() const;

private:
    explicit kernel(sim::kernel_node &node);
    // A handle that lives as long as the instance: the functions above return references (UG1079,
    // "kernel").
    static kernel &kept(sim::kernel_node &node);

    template <typename Type>
    void initialise(std::size_t &next, const std::vector<Type> &values) const {
        for (; next < node_->in.size(); ++next) {
            sim::port &p = *node_->in[next];
            if (p.what != sim::carries::parameter || !p.parameter->array) continue;
            const std::size_t bytes = std::min(values.size() * sizeof(Type), p.parameter->value.size());
            std::memcpy(p.parameter->value.data(), values.data(), bytes);
            p.parameter->present = true;
            p.async = p.async_asked = true;
            ++next;
            return;
        }
        sim::stop(node_->name() + " has no array parameter for a vector of initial values");
    }

    sim::kernel_node *node_ = nullptr;
};

// Where a kernel runs: on an AI Engine, or in programmable logic (UG1076 2020.1, "PL kernels").
struct aiengine;
struct pl;
template <typename Where>
void fabric(const kernel &k) {
    static_assert(std::is_same<Where, aiengine>::value || std::is_same<Where, pl>::value, "fabric<aiengine> or fabric<pl>");
    k.stated().in_logic = std::is_same<Where, pl>::value;
}

ADF_SIM_RUN sim::text_setting source(const kernel &k);
inline sim::header_setting headers(const kernel &k) { return {&k.stated().headers}; }
template <typename Kind = ratio>
sim::setting<double> runtime(const kernel &k) {
    static_assert(std::is_same<Kind, ratio>::value, "runtime<ratio> is the only runtime constraint");
    return {&k.stated().runtime_ratio, &k.stated().runtime_by, sim::ratios};
}
ADF_SIM_RUN sim::setting<std::size_t> stack_size(const kernel &k);
ADF_SIM_RUN sim::setting<std::size_t> heap_size(const kernel &k);
inline sim::repetition_setting repetition_count(const kernel &k) { return {&k.stated()}; }
inline sim::initialization_setting initialization_function(const kernel &k) { return {&k.stated()}; }
// Elements of a stream in an iteration, in public graphs. The amount stays unknown here.
inline sim::unused_setting samples_per_iteration(const sim::port_ref &) { return {}; }
// Properties of kernels in programmable logic (UG1076 2020.1, "PL kernels"), and the share of a
// core under its older name. They change neither runs nor places.
inline sim::unused_setting pl_frequency(const kernel &) { return {}; }
inline sim::unused_setting pl_axi_lite(const kernel &) { return {}; }
inline sim::unused_setting utilization(const kernel &) { return {}; }
// The order of firing for kernels on one tile, which a functional run does not need.
template <typename... Kernels>
sim::unused_setting execution_order(const Kernels &...) { return {}; }

// --- properties of ports -------------------------------------------------------------------------

// Marks a kernel's port as locked by the kernel itself, or a parameter as not waited for.
ADF_SIM_RUN sim::async_port async(const sim::port_ref &p);
// The opposite: a parameter that is exchanged once per firing.
inline sim::async_port sync(const sim::port_ref &p) {
    sim::noted(p).async = p.at->async_asked = false;
    p.at->sync_asked = true;
    return {p.at};
}

// One buffer instead of two (ping and pong).
inline void single_buffer(const sim::port_ref &p) { sim::noted(p).single = true; }
inline void double_buffer(const sim::port_ref &p) { sim::noted(p).single = false; }

namespace sim {

struct dimension_setting {
    port *at;
    void operator=(std::initializer_list<unsigned> list) const { set(list.begin(), list.size()); }
    void operator=(const std::vector<unsigned> &list) const { set(list.data(), list.size()); }
    void operator=(const std::vector<int> &list) const;

private:
    void set(const unsigned *list, std::size_t count) const;
};

// The first value of an asynchronous parameter.
struct initial_setting {
    port *at;
    // A number is converted to the parameter's type, as the call of the function would.
    template <typename Type>
    void operator=(const Type &value) const {
        if constexpr (std::is_arithmetic<Type>::value) {
            if (at->type.parts == 1) return set_number(value);
        }
        set(&value, sizeof value);
    }
    template <typename Type>
    void operator=(const std::vector<Type> &values) const { set(values.data(), values.size() * sizeof(Type)); }
    template <typename Type>
    void operator=(std::initializer_list<Type> values) const { set(values.begin(), values.size() * sizeof(Type)); }

private:
    template <typename Type>
    void set_number(Type value) const {
        if (at->type.kind == element::number::real) {
            const float real = float(value);
            return set(&real, sizeof real);
        }
        const std::int64_t whole = std::int64_t(value);
        set(&whole, at->type.part_bytes);
    }
    void set(const void *from, std::size_t bytes) const;
};

} // namespace sim

// Samples of a buffer port in each dimension, the fastest varying first. Those of a graph's port
// hold for the buffers of kernels behind it that have no size of their own.
inline sim::dimension_setting dimensions(const sim::port_ref &p) {
    if (p.at->owner && !p.at->is_block()) sim::stop(sim::described(*p.at) + ": dimensions are for buffer ports of kernels");
    return {p.at};
}
inline sim::initial_setting initial_value(const sim::port_ref &p) { return {p.at}; }
// Blocks an asynchronous port takes per firing.
inline sim::setting<unsigned> async_repetition(const sim::port_ref &p) { return {&p.at->async_repetitions, nullptr, sim::async_counts}; }

} // namespace adf

// Names the member function of a kernel class that is the kernel; used in its registerKernelClass.
#define REGISTER_FUNCTION(...) ::adf::sim::member_kernel<&__VA_ARGS__>::enroll()
// Names a member that the graph fills through the constructor, as `k.param[0]`.
#define REGISTER_PARAMETER(...) decltype(::adf::sim::members(__VA_ARGS__))::enroll()

#ifndef AIEC_SIM_LINKED
#include "kernel.inl"
#endif
