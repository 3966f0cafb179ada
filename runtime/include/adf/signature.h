// Turns the parameters of a kernel function into ports and into the arguments of every call.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <typeinfo>

#include "buffer.h"
#include "cascade.h"
#include "stream.h"
#include "window.h"

namespace adf {

// A stream of a function of HLS with its direction (UG1076 2020.2, "Using High-Level Synthesis IP
// in Data Flow Graphs").
namespace dir {
template <typename Stream>
struct in {
    Stream stream;
};
template <typename Stream>
struct out {
    Stream stream;
};
} // namespace dir

namespace sim {

// Number of parameters of each direction that have their port already.
using port_counts = std::size_t[3];

inline port &next_port(kernel_node &node, direction way, port_counts &next) {
    return *node.ports(way)[next[std::size_t(way)]++];
}

// Ports with a view object: windows, buffers, streams, cascades.
template <typename View, direction Way, carries What>
struct view_parameter {
    static port &make(kernel_node &node, element type) {
        port &made = node.add_port(Way, What, type);
        auto view = std::make_unique<View>();
        view->at = &made;
        view->kernel = &node;
        made.view = std::move(view);
        return made;
    }
    static View &take(kernel_node &node, port_counts &next) {
        return static_cast<View &>(*next_port(node, Way, next).view);
    }
};

// As above, passed by pointer.
template <typename View, direction Way, carries What, typename Type>
struct pointer_parameter {
    static_assert(of_this_device<Type>::value);
    static void declare(kernel_node &node) {
        port &made = view_parameter<View, Way, What>::make(node, element_or_none());
        if (What == carries::cascade) made.lanes = typeid(Type).name();
    }
    static void *take(kernel_node &node, port_counts &next) {
        return &view_parameter<View, Way, What>::take(node, next);
    }

private:
    static element element_or_none() {
        if constexpr (element_of<Type>::known) return element_of<Type>::get();
        else return element();
    }
};

// Run-time parameters: a value for scalars, memory that stays where it is for references.
template <typename Type, direction Way>
struct value_parameter {
    using scalar = std::remove_all_extents_t<std::remove_cv_t<Type>>;
    static_assert(of_this_device<scalar>::value && std::is_trivially_copyable<scalar>::value && !std::is_pointer<scalar>::value,
                  "a kernel parameter is a window, buffer, stream, cascade, or a run-time parameter of a simple type");
    static void declare(kernel_node &node) {
        element type;
        if constexpr (element_of<scalar>::known) type = element_of<scalar>::get();
        port &made = node.add_port(Way, carries::parameter, type);
        made.parameter = std::make_unique<parameter_state>();
        made.parameter->value.resize(sizeof(Type));
        made.parameter->array = std::is_array<Type>::value;
        made.parameter->value_bytes = sizeof(scalar);
        // UG1079: outputs are asynchronous unless sync(...) is given.
        made.async = Way != direction::in;
    }
    static void *take(kernel_node &node, port_counts &next) {
        return next_port(node, Way, next).parameter->value.data();
    }
};

template <typename Parameter>
struct parameter : value_parameter<Parameter, direction::in> {};
template <typename Type>
struct parameter<Type &>
    : value_parameter<Type, std::is_const<std::remove_all_extents_t<Type>>::value ? direction::in : direction::inout> {};

// Global memory of a kernel of programmable logic (`connect<gmem>`). No run has it.
template <typename Type>
struct parameter<Type *> {
    static_assert(std::is_void<Type>::value || element_of<std::remove_cv_t<Type>>::known || std::is_arithmetic<Type>::value,
                  "a kernel parameter is a window, buffer, stream, cascade, or a run-time parameter of a simple type");
    using address = value_parameter<std::uintptr_t, std::is_const<Type>::value ? direction::in : direction::inout>;
    static void declare(kernel_node &node) {
        node.outside = "a pointer to memory";
        address::declare(node);
    }
    static void *take(kernel_node &node, port_counts &next) { return address::take(node, next); }
};

// Streams and numbers of a function of HLS, in programmable logic. No run has them.
template <direction Way, carries What>
struct hls_parameter {
    static void declare(kernel_node &node) {
        node.outside = "streams or numbers of HLS";
        node.add_port(Way, What, element_of<int32>::get());
    }
    static void *take(kernel_node &, port_counts &) { return nullptr; }
};
template <typename Stream>
struct parameter<dir::in<Stream>> : hls_parameter<direction::in, carries::stream> {};
template <typename Stream>
struct parameter<dir::out<Stream>> : hls_parameter<direction::out, carries::stream> {};
template <template <int> class Number, int Bits>
struct parameter<const Number<Bits> *> : parameter<const void *> {};
template <template <int> class Number, int Bits>
struct parameter<Number<Bits> *> : parameter<void *> {};
// `ap_int<N>` and the like.
template <template <int> class Number, int Bits>
struct parameter<Number<Bits>>
    : std::conditional_t<std::is_trivially_copyable<Number<Bits>>::value, value_parameter<Number<Bits>, direction::in>,
                         hls_parameter<direction::in, carries::parameter>> {};

template <typename Type>
constexpr carries stream_or_cascade() { return element_of<Type>::known ? carries::stream : carries::cascade; }

template <typename Type>
struct parameter<input_window<Type> *> : pointer_parameter<input_window<Type>, direction::in, carries::block, Type> {
    static_assert(element_of<Type>::known, "a window cannot hold elements of this type");
};
template <typename Type>
struct parameter<output_window<Type> *> : pointer_parameter<output_window<Type>, direction::out, carries::block, Type> {
    static_assert(element_of<Type>::known, "a window cannot hold elements of this type");
};
template <typename Type>
struct parameter<input_stream<Type> *>
    : pointer_parameter<input_stream<Type>, direction::in, stream_or_cascade<Type>(), Type> {};
template <typename Type>
struct parameter<output_stream<Type> *>
    : pointer_parameter<output_stream<Type>, direction::out, stream_or_cascade<Type>(), Type> {};
template <typename Type>
struct parameter<input_cascade<Type> *> : pointer_parameter<input_cascade<Type>, direction::in, carries::cascade, Type> {};
template <typename Type>
struct parameter<output_cascade<Type> *>
    : pointer_parameter<output_cascade<Type>, direction::out, carries::cascade, Type> {};
template <>
struct parameter<input_pktstream *> : pointer_parameter<input_pktstream, direction::in, carries::packet, int32> {};
template <>
struct parameter<output_pktstream *> : pointer_parameter<output_pktstream, direction::out, carries::packet, int32> {};

template <typename Type, direction Way, bool Async, bool Circular, typename... Options>
struct parameter<io_buffer<Type, Way, Async, Circular, Options...> &> {
    using view = io_buffer<Type, Way, Async, Circular, Options...>;
    using ports = view_parameter<view, Way == direction::inout ? direction::in : Way, carries::block>;
    static void declare(kernel_node &node) {
        static_assert(Way != direction::inout, "the host runtime has no inout buffers");
        port &made = ports::make(node, element_of<Type>::get());
        made.bytes = view::declared_samples * sizeof(Type);
        made.margin = view::margin_samples * sizeof(Type);
        made.async = made.fixed_async = Async;
        made.circular = Circular;
        made.buffer = true;
    }
    static void *take(kernel_node &node, port_counts &next) { return &ports::take(node, next); }
};

// Turns the address of an argument into the argument: ports are passed by pointer or reference,
// parameters by reference or value.
template <typename Parameter>
struct argument {
    static Parameter from(void *at) { return *static_cast<std::remove_cv_t<Parameter> *>(at); }
};
template <typename View>
struct argument<View *> {
    static View *from(void *at) { return static_cast<View *>(at); }
};
template <typename Type>
struct argument<Type &> {
    static Type &from(void *at) { return *static_cast<Type *>(at); }
};

// Makes the ports of a signature and finds the arguments of a call. Ignores `restrict` qualifiers.
template <typename... Parameters>
struct signature {
    static void declare([[maybe_unused]] kernel_node &node) { (parameter<Parameters>::declare(node), ...); }
    // The addresses of all arguments, from left to right.
    static std::array<void *, sizeof...(Parameters)> collect([[maybe_unused]] kernel_node &node) {
        [[maybe_unused]] port_counts next = {0, 0, 0};
        // Braces fix the order of evaluation.
        return {parameter<Parameters>::take(node, next)...};
    }
};

} // namespace sim
} // namespace adf
