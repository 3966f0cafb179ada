// The kernel side of ADF, written from the documents alone, to be compiled against: nothing here is
// defined. The undefined symbols of an object compiled against it are the uses of its source, with
// types and lanes: tests/uses.rs lists them.
//
// Nothing is shared with runtime/. Functions and types: UG1079, the sections named below.
#pragma once

#include <cstdint>

// UG1079 "AI Engine Data Types".
using int8 = std::int8_t;
using int16 = std::int16_t;
using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint16 = std::uint16_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;
struct cint16 {
    int16 real, imag;
};
struct cint32 {
    int32 real, imag;
};
struct cfloat {
    float real, imag;
};

// Words of the core's compiler (UG1079 "Compiler Directives"), between the head of a loop and its
// body.
#define chess_prepare_for_pipelining
#define chess_loop_range(...)
#define chess_flatten_loop
#define chess_unroll_loop(...)
#define chess_storage(...)
#define restrict __restrict
// UG1079 "Kernel Classes".
#define REGISTER_FUNCTION(...)
#define REGISTER_PARAMETER(...)

// UG1079 "Window-based Access" and "Load and Store Using Pointers": `ptr` is the raw pointer.
template <typename T>
struct input_window {
    T *ptr;
};
template <typename T>
struct output_window {
    T *ptr;
};
template <typename T>
void window_acquire(input_window<T> *);
template <typename T>
void window_acquire(output_window<T> *);
template <typename T>
void window_release(input_window<T> *);
template <typename T>
void window_release(output_window<T> *);
template <typename T>
unsigned window_size(const input_window<T> *);
template <typename T>
unsigned window_size(const output_window<T> *);
template <typename T>
void window_incr(input_window<T> *, int);
template <typename T>
void window_incr(output_window<T> *, int);
template <typename T>
T window_readincr(input_window<T> *);
template <typename T>
T window_read(input_window<T> *);
template <typename T>
struct itself {
    using type = T;
};
template <typename T>
void window_writeincr(output_window<T> *, const typename itself<T>::type &);
template <typename T>
void window_write(output_window<T> *, const typename itself<T>::type &);

// UG1079 "Stream-Based Access": one word of a stream, or what of it fits.
template <typename T>
struct input_stream;
template <typename T>
struct output_stream;
template <typename T>
T readincr(input_stream<T> *);
template <typename T>
void writeincr(output_stream<T> *, const typename itself<T>::type &);

// UG1079 "Packet Stream Operations".
struct input_pktstream;
struct output_pktstream;
int32 readincr(input_pktstream *);
int32 readincr(input_pktstream *, bool &tlast);
void writeincr(output_pktstream *, int32, bool tlast);
uint32 getPacketid(input_pktstream *, int);
uint32 getPacketid(output_pktstream *, int);
void writeHeader(output_pktstream *, unsigned type, unsigned id);

// UG1079 "Cascade Stream Operations"; UG1078 "Stream Interface".
template <typename T>
struct input_cascade;
template <typename T>
struct output_cascade;
int get_coreid();

// UG1079 "Buffer Port Connection for Kernels".
namespace adf {
// "Buffer Port Attributes": samples, and the samples before them that an input keeps.
inline constexpr unsigned inherited_extent = ~0u;
template <unsigned... Samples>
struct extents;
template <unsigned Samples>
struct margin;
template <typename T, typename... Attributes>
struct input_buffer {
    const T *data() const;
    unsigned size() const;
};
template <typename T, typename... Attributes>
struct output_buffer {
    T *data() const;
    unsigned size() const;
};
template <typename T>
struct input_async_buffer : input_buffer<T> {
    void acquire();
    void release();
};
template <typename T>
struct output_async_buffer : output_buffer<T> {
    void acquire();
    void release();
};
} // namespace adf
