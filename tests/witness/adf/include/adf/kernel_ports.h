// The types that prototypes of kernels name. They stay incomplete: the graph never uses the inside
// of a kernel's port.
#ifndef AIEC_WITNESS_ADF_KERNEL_PORTS_H
#define AIEC_WITNESS_ADF_KERNEL_PORTS_H

// UG1076 2022.1 and UG1079 2022.2, "Window-Based Access": `input_window<cint16>`, at global scope;
// kernels take pointers to them. Windows are deprecated from 2023.2 (UG1079 2023.2, "Comparison
// between Buffer Ports and Windows") and still there.
template <typename T>
struct input_window;
template <typename T>
struct output_window;

// UG1079 2023.1, "Stream Data Types": `input_stream<int32>`; kernels take pointers to them.
template <typename T>
struct input_stream;
template <typename T>
struct output_stream;

// UG1076 2022.1 and 2022.2, "Window Data Types" and "Stream Data Types": the same with the element
// in the name.
#define AIEC_WITNESS_NAMED(element)                                                                                        \
    using input_window_##element = input_window<element>;                                                                  \
    using output_window_##element = output_window<element>;                                                                \
    using input_stream_##element = input_stream<element>;                                                                  \
    using output_stream_##element = output_stream<element>;
AIEC_WITNESS_NAMED(int8)
AIEC_WITNESS_NAMED(int16)
AIEC_WITNESS_NAMED(int32)
AIEC_WITNESS_NAMED(int64)
AIEC_WITNESS_NAMED(uint8)
AIEC_WITNESS_NAMED(uint16)
AIEC_WITNESS_NAMED(uint32)
AIEC_WITNESS_NAMED(uint64)
AIEC_WITNESS_NAMED(cint16)
AIEC_WITNESS_NAMED(cint32)
AIEC_WITNESS_NAMED(float)
AIEC_WITNESS_NAMED(cfloat)
#undef AIEC_WITNESS_NAMED

// UG1076 2022.1 and 2022.2, UG1079 2023.1, "Stream Data Types": cascades are streams of
// accumulators.
#define AIEC_WITNESS_NAMED(accumulator)                                                                                    \
    using input_stream_##accumulator = input_stream<accumulator>;                                                          \
    using output_stream_##accumulator = output_stream<accumulator>;
AIEC_WITNESS_NAMED(acc48)
AIEC_WITNESS_NAMED(cacc48)
AIEC_WITNESS_NAMED(acc80)
AIEC_WITNESS_NAMED(cacc80)
AIEC_WITNESS_NAMED(accfloat)
AIEC_WITNESS_NAMED(caccfloat)
#undef AIEC_WITNESS_NAMED

#if AIEC_WITNESS_CASCADES
// UG1079 2023.2, "Stream Data Types", table 2; kernels take pointers to them.
template <typename T>
struct input_cascade;
template <typename T>
struct output_cascade;
#endif

// UG1079, "Packet Stream Operations", table 1; kernels take pointers to them. Not templates.
struct input_pktstream;
struct output_pktstream;

#if AIEC_WITNESS_BUFFERS
namespace adf {

// UG1079 2023.1, "Buffer Port Attributes and API": the size of a buffer, or what is taken from
// dimensions() in the graph; its margin.
constexpr unsigned inherited_extent = 0;
template <unsigned... Sizes>
struct extents;
template <unsigned Samples>
struct margin;

// UG1079 2023.1, "Buffer Port-Based Access", "Buffer Port Attributes and API", "Circular Input
// Buffer", "Asynchronous Circular Buffer": kernels take references to them. In namespace adf
// (UG1079 2025.2, "C++ Kernel Class Support": `adf::input_buffer<int32> &in`).
template <typename T, typename Extents = extents<inherited_extent>, typename Margin = margin<0>>
struct input_buffer;
template <typename T, typename Extents = extents<inherited_extent>, typename Margin = margin<0>>
struct input_async_buffer;
template <typename T, typename Extents = extents<inherited_extent>, typename Margin = margin<0>>
struct input_circular_buffer;
template <typename T, typename Extents = extents<inherited_extent>, typename Margin = margin<0>>
struct input_async_circular_buffer;
// A margin is an input's (the same pages); circular outputs may have one too ("Buffer Port
// Attributes and API").
template <typename T, typename Extents = extents<inherited_extent>>
struct output_buffer;
template <typename T, typename Extents = extents<inherited_extent>>
struct output_async_buffer;
template <typename T, typename Extents = extents<inherited_extent>, typename Margin = margin<0>>
struct output_circular_buffer;
template <typename T, typename Extents = extents<inherited_extent>, typename Margin = margin<0>>
struct output_async_circular_buffer;

} // namespace adf
#endif

namespace adf {
namespace witness {

// The allowed parameters of a kernel. Other types make no port.
template <typename T>
struct is_kernel_parameter : std::false_type {};

template <typename T>
struct is_kernel_parameter<input_window<T> *> : is_element<T> {};
template <typename T>
struct is_kernel_parameter<output_window<T> *> : is_element<T> {};
template <typename T>
struct is_kernel_parameter<input_stream<T> *> : std::integral_constant<bool, is_element<T>::value || is_accumulator<T>::value> {};
template <typename T>
struct is_kernel_parameter<output_stream<T> *> : std::integral_constant<bool, is_element<T>::value || is_accumulator<T>::value> {};
template <>
struct is_kernel_parameter<input_pktstream *> : std::true_type {};
template <>
struct is_kernel_parameter<output_pktstream *> : std::true_type {};
#if AIEC_WITNESS_CASCADES
template <typename T>
struct is_kernel_parameter<input_cascade<T> *> : std::integral_constant<bool, is_element<T>::value || is_accumulator<T>::value> {};
template <typename T>
struct is_kernel_parameter<output_cascade<T> *> : std::integral_constant<bool, is_element<T>::value || is_accumulator<T>::value> {};
#endif
#if AIEC_WITNESS_BUFFERS
template <typename T, typename E, typename M>
struct is_kernel_parameter<input_buffer<T, E, M> &> : is_element<T> {};
template <typename T, typename E, typename M>
struct is_kernel_parameter<input_async_buffer<T, E, M> &> : is_element<T> {};
template <typename T, typename E, typename M>
struct is_kernel_parameter<input_circular_buffer<T, E, M> &> : is_element<T> {};
template <typename T, typename E, typename M>
struct is_kernel_parameter<input_async_circular_buffer<T, E, M> &> : is_element<T> {};
template <typename T, typename E>
struct is_kernel_parameter<output_buffer<T, E> &> : is_element<T> {};
template <typename T, typename E>
struct is_kernel_parameter<output_async_buffer<T, E> &> : is_element<T> {};
template <typename T, typename E, typename M>
struct is_kernel_parameter<output_circular_buffer<T, E, M> &> : is_element<T> {};
template <typename T, typename E, typename M>
struct is_kernel_parameter<output_async_circular_buffer<T, E, M> &> : is_element<T> {};
#endif

// Run-time parameters: UG1076 2022.1, "Specifying Run-Time Data Parameters": scalars by value (in)
// and by reference (in and out), arrays by reference (const: in). Structures and pointers are not
// allowed.
template <>
struct is_kernel_parameter<int8> : std::true_type {};
template <>
struct is_kernel_parameter<int16> : std::true_type {};
template <>
struct is_kernel_parameter<int32> : std::true_type {};
template <>
struct is_kernel_parameter<int64> : std::true_type {};
template <>
struct is_kernel_parameter<uint8> : std::true_type {};
template <>
struct is_kernel_parameter<uint16> : std::true_type {};
template <>
struct is_kernel_parameter<uint32> : std::true_type {};
template <>
struct is_kernel_parameter<uint64> : std::true_type {};
template <>
struct is_kernel_parameter<cint16> : std::true_type {};
template <>
struct is_kernel_parameter<cint32> : std::true_type {};
template <>
struct is_kernel_parameter<float> : std::true_type {};
template <>
struct is_kernel_parameter<cfloat> : std::true_type {};
template <typename T>
struct is_kernel_parameter<T &> : is_element<T> {};
template <typename T, std::size_t N>
struct is_kernel_parameter<const T (&)[N]> : is_element<T> {};
template <typename T, std::size_t N>
struct is_kernel_parameter<T (&)[N]> : is_element<T> {};

template <typename... Parameters>
struct are_kernel_parameters : std::true_type {};
template <typename First, typename... Rest>
struct are_kernel_parameters<First, Rest...>
    : std::integral_constant<bool, is_kernel_parameter<First>::value && are_kernel_parameters<Rest...>::value> {};

} // namespace witness
} // namespace adf

#endif
