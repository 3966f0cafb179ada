// Windows as kernels see them, and the functions that access them (UG1079, "window-based access").
//
// An access outside the window, or to an asynchronous window that is not acquired, is reported as a misuse: a read
// then gives zero and a write is dropped. Reading less than a window holds is legal.
#pragma once

#include <cstdint>
#include <cstring>

#include "../aie_api/detail/vector.hpp"
#include "sim/kernel_node.h"
#include "types.h"

template <typename T>
struct input_window : adf::sim::window_base {
    using value_type = T;
};

template <typename T>
struct output_window : adf::sim::window_base {
    using value_type = T;
};

using input_window_int8 = input_window<int8>;
using input_window_int16 = input_window<int16>;
using input_window_int32 = input_window<int32>;
using input_window_int64 = input_window<int64>;
using input_window_uint8 = input_window<uint8>;
using input_window_uint16 = input_window<uint16>;
using input_window_uint32 = input_window<uint32>;
using input_window_uint64 = input_window<uint64>;
using input_window_float = input_window<float>;
using input_window_cint16 = input_window<cint16>;
using input_window_cint32 = input_window<cint32>;
using input_window_cfloat = input_window<cfloat>;
using output_window_int8 = output_window<int8>;
using output_window_int16 = output_window<int16>;
using output_window_int32 = output_window<int32>;
using output_window_int64 = output_window<int64>;
using output_window_uint8 = output_window<uint8>;
using output_window_uint16 = output_window<uint16>;
using output_window_uint32 = output_window<uint32>;
using output_window_uint64 = output_window<uint64>;
using output_window_float = output_window<float>;
using output_window_cint16 = output_window<cint16>;
using output_window_cint32 = output_window<cint32>;
using output_window_cfloat = output_window<cfloat>;

namespace adf {
namespace sim {

// Copies `n` elements from position `first` on; zeros where that is not allowed.
template <typename T>
void fetch(window_base *w, std::int64_t first, unsigned n, T *to) {
    if (w->allows(first, n)) {
        std::memcpy(static_cast<void *>(to), w->data + std::size_t(first) * sizeof(T), n * sizeof(T));
        return;
    }
    for (unsigned i = 0; i < n; ++i) to[i] = T{};
}

// Copies `n` elements to position `first` on; nowhere when that is not allowed.
template <typename T>
void put(window_base *w, std::int64_t first, unsigned n, const T *from) {
    if (w->allows(first, n)) std::memcpy(w->data + std::size_t(first) * sizeof(T), from, n * sizeof(T));
}

template <unsigned N, typename T>
aie::vector<T, N> fetch_vector(window_base *w, std::int64_t first) {
    aie::vector<T, N> v;
    fetch(w, first, N, v.data());
    return v;
}

} // namespace sim
} // namespace adf

// --- locks, for asynchronous windows ------------------------------------------------------------------------------

// Waits until the window is full (input) or empty (output), holds it and goes to its start.
template <typename T>
void window_acquire(input_window<T> *w) { w->kernel->acquire(*w); }
template <typename T>
void window_acquire(output_window<T> *w) { w->kernel->acquire(*w); }

// Hands the window to the other end.
template <typename T>
void window_release(input_window<T> *w) { w->kernel->release(*w); }
template <typename T>
void window_release(output_window<T> *w) { w->kernel->release(*w); }

// The size of the window in elements.
template <typename T>
unsigned window_size(const input_window<T> *w) { return w->winsize / sizeof(T); }
template <typename T>
unsigned window_size(const output_window<T> *w) { return w->winsize / sizeof(T); }

// --- pointer motion, in elements; reading or writing outside the window is checked when it happens ----------------

template <typename T>
void window_incr(input_window<T> *w, int n) { w->position += n; }
template <typename T>
void window_incr(output_window<T> *w, int n) { w->position += n; }
template <typename T>
void window_decr(input_window<T> *w, int n) { w->position -= n; }
template <typename T>
void window_decr(output_window<T> *w, int n) { w->position -= n; }

// --- single elements ----------------------------------------------------------------------------------------------

template <typename T>
T window_read(input_window<T> *w) {
    T value{};
    adf::sim::fetch(w, w->position, 1, &value);
    return value;
}
template <typename T>
T window_readincr(input_window<T> *w) {
    const T value = window_read(w);
    ++w->position;
    return value;
}
template <typename T>
T window_readdecr(input_window<T> *w) {
    const T value = window_read(w);
    --w->position;
    return value;
}
template <typename T>
void window_read(input_window<T> *w, T &value) { value = window_read(w); }
template <typename T>
void window_readincr(input_window<T> *w, T &value) { value = window_readincr(w); }
template <typename T>
void window_readdecr(input_window<T> *w, T &value) { value = window_readdecr(w); }

template <typename T>
void window_write(output_window<T> *w, const typename output_window<T>::value_type &value) {
    adf::sim::put(w, w->position, 1, &value);
}
template <typename T>
void window_writeincr(output_window<T> *w, const typename output_window<T>::value_type &value) {
    window_write(w, value);
    ++w->position;
}

// --- vectors ------------------------------------------------------------------------------------------------------

template <unsigned N, typename T>
aie::vector<T, N> window_read_v(input_window<T> *w) { return adf::sim::fetch_vector<N, T>(w, w->position); }
template <unsigned N, typename T>
aie::vector<T, N> window_readincr_v(input_window<T> *w) {
    const auto v = window_read_v<N>(w);
    w->position += N;
    return v;
}
template <unsigned N, typename T>
aie::vector<T, N> window_readdecr_v(input_window<T> *w) {
    const auto v = window_read_v<N>(w);
    w->position -= N;
    return v;
}
template <typename T, unsigned N>
void window_read(input_window<T> *w, aie::vector<T, N> &v) { v = window_read_v<N>(w); }
template <typename T, unsigned N>
void window_readincr(input_window<T> *w, aie::vector<T, N> &v) { v = window_readincr_v<N>(w); }
template <typename T, unsigned N>
void window_readdecr(input_window<T> *w, aie::vector<T, N> &v) { v = window_readdecr_v<N>(w); }

template <typename T, unsigned N>
void window_write(output_window<T> *w, const aie::vector<T, N> &v) {
    adf::sim::put(w, w->position, N, v.data());
}
template <typename T, unsigned N>
void window_writeincr(output_window<T> *w, const aie::vector<T, N> &v) {
    window_write(w, v);
    w->position += N;
}

// The older spellings with the lane count in the name.
#define ADF_SIM_LANES(N)                                                                                     \
    template <typename T>                                                                                    \
    aie::vector<T, N> window_read_v##N(input_window<T> *w) { return window_read_v<N>(w); }                   \
    template <typename T>                                                                                    \
    aie::vector<T, N> window_readincr_v##N(input_window<T> *w) { return window_readincr_v<N>(w); }           \
    template <typename T>                                                                                    \
    aie::vector<T, N> window_readdecr_v##N(input_window<T> *w) { return window_readdecr_v<N>(w); }           \
    template <typename Window>                                                                               \
    void window_incr_v##N(Window *w, int groups) { window_incr(w, groups * N); }                             \
    template <typename Window>                                                                               \
    void window_decr_v##N(Window *w, int groups) { window_decr(w, groups * N); }
ADF_SIM_LANES(4)
ADF_SIM_LANES(8)
ADF_SIM_LANES(16)
ADF_SIM_LANES(32)
#undef ADF_SIM_LANES

namespace adf {
using ::input_window;
using ::output_window;
} // namespace adf
