// Windows as kernels see them, and the functions that access them (UG1079, "window-based access").
//
// The position starts at the window's start in every firing and after every acquire; a margin, the end of the window
// before, comes first. Reading less than a window holds is legal.
#pragma once

#include "../aie_api/detail/vector.hpp"
#include "block.h"

template <typename T>
struct input_window : adf::sim::block_view {
    using value_type = T;
    T *head = nullptr; // raw pointers, which are no part of the documented interface but are used
    T *ptr = nullptr;
    void rewind() override {
        position = 0;
        head = ptr = reinterpret_cast<T *>(data);
    }
};

template <typename T>
struct output_window : adf::sim::block_view {
    using value_type = T;
    T *head = nullptr;
    T *ptr = nullptr;
    void rewind() override {
        position = 0;
        head = ptr = reinterpret_cast<T *>(data);
    }
};

#define ADF_SIM_WINDOWS(T)                  \
    using input_window_##T = input_window<T>; \
    using output_window_##T = output_window<T>;
ADF_SIM_WINDOWS(int8)
ADF_SIM_WINDOWS(int16)
ADF_SIM_WINDOWS(int32)
ADF_SIM_WINDOWS(int64)
ADF_SIM_WINDOWS(uint8)
ADF_SIM_WINDOWS(uint16)
ADF_SIM_WINDOWS(uint32)
ADF_SIM_WINDOWS(uint64)
ADF_SIM_WINDOWS(float)
ADF_SIM_WINDOWS(cint16)
ADF_SIM_WINDOWS(cint32)
ADF_SIM_WINDOWS(cfloat)
#undef ADF_SIM_WINDOWS

namespace adf {
namespace sim {

template <unsigned N, typename T>
aie::vector<T, N> fetch_vector(const block_view &w, std::int64_t first) {
    aie::vector<T, N> v;
    check_alignment(w, std::uintptr_t(first) * sizeof(T), N * sizeof(T));
    fetch(w, first, N, v.data());
    return v;
}
template <unsigned N, typename T>
void put_vector(const block_view &w, std::int64_t first, const aie::vector<T, N> &v) {
    check_alignment(w, std::uintptr_t(first) * sizeof(T), N * sizeof(T));
    put(w, first, N, v.data());
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

// The size of the window in elements, without its margin.
template <typename T>
unsigned window_size(const input_window<T> *w) { return w->winsize / sizeof(T); }
template <typename T>
unsigned window_size(const output_window<T> *w) { return w->winsize / sizeof(T); }

// --- pointer motion, in elements; reading or writing outside the window is checked when it happens ----------------

// A kernel that steps over the rest of a window has not forgotten to read it.
template <typename T>
void window_incr(input_window<T> *w, int n) {
    w->position += n;
    if (w->position == w->count) w->touched = w->count;
}
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
    adf::sim::fetch(*w, w->position, 1, &value);
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
    adf::sim::put(*w, w->position, 1, &value);
}
template <typename T>
void window_writeincr(output_window<T> *w, const typename output_window<T>::value_type &value) {
    window_write(w, value);
    ++w->position;
}

// --- vectors ------------------------------------------------------------------------------------------------------

template <unsigned N, typename T>
aie::vector<T, N> window_read_v(input_window<T> *w) { return adf::sim::fetch_vector<N, T>(*w, w->position); }
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
void window_write(output_window<T> *w, const aie::vector<T, N> &v) { adf::sim::put_vector(*w, w->position, v); }
template <typename T, unsigned N>
void window_writeincr(output_window<T> *w, const aie::vector<T, N> &v) {
    window_write(w, v);
    w->position += N;
}
template <unsigned N, typename T>
void window_write_v(output_window<T> *w, const aie::vector<T, N> &v) { window_write(w, v); }
template <unsigned N, typename T>
void window_writeincr_v(output_window<T> *w, const aie::vector<T, N> &v) { window_writeincr(w, v); }

// The older spellings with the lane count in the name.
#define ADF_SIM_LANES(N)                                                                                     \
    template <typename T>                                                                                    \
    aie::vector<T, N> window_read_v##N(input_window<T> *w) { return window_read_v<N>(w); }                   \
    template <typename T>                                                                                    \
    aie::vector<T, N> window_readincr_v##N(input_window<T> *w) { return window_readincr_v<N>(w); }           \
    template <typename T>                                                                                    \
    aie::vector<T, N> window_readdecr_v##N(input_window<T> *w) { return window_readdecr_v<N>(w); }           \
    template <typename T>                                                                                    \
    void window_writeincr_v##N(output_window<T> *w, const aie::vector<T, N> &v) { window_writeincr(w, v); }  \
    template <typename Window>                                                                               \
    void window_incr_v##N(Window *w, int groups) { window_incr(w, groups * N); }                             \
    template <typename Window>                                                                               \
    void window_decr_v##N(Window *w, int groups) { window_decr(w, groups * N); }
ADF_SIM_LANES(2)
ADF_SIM_LANES(4)
ADF_SIM_LANES(8)
ADF_SIM_LANES(16)
ADF_SIM_LANES(32)
ADF_SIM_LANES(64)
#undef ADF_SIM_LANES

namespace adf {
using ::input_window;
using ::output_window;
} // namespace adf
