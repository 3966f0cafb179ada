// Windows as kernels see them, and the functions that access them (UG1079, "window-based access").
//
// The position is at the window's start in every firing and after every acquire. A margin, the end
// of the previous window, comes first. Reading less than a window holds is legal.
#pragma once

#include "../aie_api/detail/vector.hpp"
#include "block.h"

template <typename Type>
struct input_window : adf::sim::block_view {
    using value_type = Type;
    // Raw pointers. They are undocumented, but programs use them.
    Type *head = nullptr;
    Type *ptr = nullptr;
    void rewind() override {
        position = rounds = 0;
        head = ptr = reinterpret_cast<Type *>(data);
    }
};

template <typename Type>
struct output_window : adf::sim::block_view {
    using value_type = Type;
    Type *head = nullptr;
    Type *ptr = nullptr;
    void rewind() override {
        position = rounds = 0;
        head = ptr = reinterpret_cast<Type *>(data);
    }
};

#define ADF_SIM_WINDOWS(Type)                       \
    using input_window_##Type = input_window<Type>; \
    using output_window_##Type = output_window<Type>;
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

template <unsigned Lanes, typename Type>
aie::vector<Type, Lanes> fetch_vector(const block_view &w, std::int64_t first) {
    aie::vector<Type, Lanes> v;
    check_alignment(w, std::uintptr_t(first) * sizeof(Type), Lanes * sizeof(Type));
    adf::sim::counts::quiet whole;
    fetch(w, first, Lanes, v.data());
    whole.end();
    if (w.data) adf::sim::counts::copied(&v, w.data + first * std::int64_t(sizeof(Type)), sizeof v);
    return v;
}
template <unsigned Lanes, typename Type>
void put_vector(const block_view &w, std::int64_t first, const aie::vector<Type, Lanes> &v) {
    check_alignment(w, std::uintptr_t(first) * sizeof(Type), Lanes * sizeof(Type));
    adf::sim::counts::quiet whole;
    put(w, first, Lanes, v.data());
    whole.end();
    if (w.data) adf::sim::counts::copied(w.data + first * std::int64_t(sizeof(Type)), &v, sizeof v);
}

} // namespace sim
} // namespace adf

// --- locks, for asynchronous windows -------------------------------------------------------------

// Waits until the window is full (input) or empty (output), holds it and goes to its start.
template <typename Type>
void window_acquire(input_window<Type> *w) { w->kernel->acquire(*w); }
template <typename Type>
void window_acquire(output_window<Type> *w) { w->kernel->acquire(*w); }

// Hands the window to the other end.
template <typename Type>
void window_release(input_window<Type> *w) { w->kernel->release(*w); }
template <typename Type>
void window_release(output_window<Type> *w) { w->kernel->release(*w); }

// A second window with the position of the first, on the same memory (AMD's Vitis libraries).
template <typename Type>
void window_copy(input_window<Type> *to, const input_window<Type> *from) { *to = *from; }

// The size of the window in elements, without its margin.
template <typename Type>
unsigned window_size(const input_window<Type> *w) { return w->winsize / sizeof(Type); }
template <typename Type>
unsigned window_size(const output_window<Type> *w) { return w->winsize / sizeof(Type); }

// --- pointer motion, in elements, in a circle; an access where a circle was closed is reported ---

template <typename Type>
void window_incr(input_window<Type> *w, int n) { w->move(n); }
template <typename Type>
void window_incr(output_window<Type> *w, int n) { w->move(n); }
template <typename Type>
void window_decr(input_window<Type> *w, int n) { w->move(-std::int64_t(n)); }
template <typename Type>
void window_decr(output_window<Type> *w, int n) { w->move(-std::int64_t(n)); }

// --- single elements -----------------------------------------------------------------------------

template <typename Type>
Type window_read(input_window<Type> *w) {
    Type value{};
    adf::sim::counts::quiet whole;
    adf::sim::fetch(*w, w->position, 1, &value);
    whole.end();
    if (w->data) adf::sim::counts::number(w->data + w->position * std::int64_t(sizeof(Type)), sizeof(Type), false);
    return value;
}
template <typename Type>
Type window_readincr(input_window<Type> *w) {
    const Type value = window_read(w);
    ++w->position;
    return value;
}
template <typename Type>
Type window_readdecr(input_window<Type> *w) {
    const Type value = window_read(w);
    --w->position;
    return value;
}
template <typename Type>
void window_read(input_window<Type> *w, Type &value) { value = window_read(w); }
template <typename Type>
void window_readincr(input_window<Type> *w, Type &value) { value = window_readincr(w); }
template <typename Type>
void window_readdecr(input_window<Type> *w, Type &value) { value = window_readdecr(w); }

template <typename Type>
void window_write(output_window<Type> *w, const typename output_window<Type>::value_type &value) {
    adf::sim::counts::quiet whole;
    adf::sim::put(*w, w->position, 1, &value);
    whole.end();
    if (w->data) adf::sim::counts::number(w->data + w->position * std::int64_t(sizeof(Type)), sizeof(Type), true);
}
template <typename Type>
void window_writeincr(output_window<Type> *w, const typename output_window<Type>::value_type &value) {
    window_write(w, value);
    ++w->position;
}

// --- vectors -------------------------------------------------------------------------------------

template <unsigned Lanes, typename Type>
aie::vector<Type, Lanes> window_read_v(input_window<Type> *w) {
    return adf::sim::fetch_vector<Lanes, Type>(*w, w->position);
}
template <unsigned Lanes, typename Type>
aie::vector<Type, Lanes> window_readincr_v(input_window<Type> *w) {
    const auto v = window_read_v<Lanes>(w);
    w->position += Lanes;
    return v;
}
template <unsigned Lanes, typename Type>
aie::vector<Type, Lanes> window_readdecr_v(input_window<Type> *w) {
    const auto v = window_read_v<Lanes>(w);
    w->position -= Lanes;
    return v;
}
template <unsigned Lanes, typename Type>
void window_read_v(input_window<Type> *w, aie::vector<Type, Lanes> &v) { v = window_read_v<Lanes>(w); }
template <unsigned Lanes, typename Type>
void window_readincr_v(input_window<Type> *w, aie::vector<Type, Lanes> &v) { v = window_readincr_v<Lanes>(w); }
template <unsigned Lanes, typename Type>
void window_readdecr_v(input_window<Type> *w, aie::vector<Type, Lanes> &v) { v = window_readdecr_v<Lanes>(w); }
template <typename Type, unsigned Lanes>
void window_read(input_window<Type> *w, aie::vector<Type, Lanes> &v) { v = window_read_v<Lanes>(w); }
template <typename Type, unsigned Lanes>
void window_readincr(input_window<Type> *w, aie::vector<Type, Lanes> &v) { v = window_readincr_v<Lanes>(w); }
template <typename Type, unsigned Lanes>
void window_readdecr(input_window<Type> *w, aie::vector<Type, Lanes> &v) { v = window_readdecr_v<Lanes>(w); }

template <typename Type, unsigned Lanes>
void window_write(output_window<Type> *w, const aie::vector<Type, Lanes> &v) { adf::sim::put_vector(*w, w->position, v); }
template <typename Type, unsigned Lanes>
void window_writeincr(output_window<Type> *w, const aie::vector<Type, Lanes> &v) {
    window_write(w, v);
    w->position += Lanes;
}
template <unsigned Lanes, typename Type>
void window_write_v(output_window<Type> *w, const aie::vector<Type, Lanes> &v) { window_write(w, v); }
template <unsigned Lanes, typename Type>
void window_writeincr_v(output_window<Type> *w, const aie::vector<Type, Lanes> &v) { window_writeincr(w, v); }
// Moves by a number of vectors.
template <unsigned Lanes, typename Window>
void window_incr_v(Window *w, int groups) { window_incr(w, groups * int(Lanes)); }
template <unsigned Lanes, typename Window>
void window_decr_v(Window *w, int groups) { window_decr(w, groups * int(Lanes)); }

// The older spellings with the lane count in the name.
#define ADF_SIM_LANES(Lanes)                                                                                              \
    template <typename Type>                                                                                              \
    aie::vector<Type, Lanes> window_read_v##Lanes(input_window<Type> *w) { return window_read_v<Lanes>(w); }              \
    template <typename Type>                                                                                              \
    aie::vector<Type, Lanes> window_readincr_v##Lanes(input_window<Type> *w) { return window_readincr_v<Lanes>(w); }      \
    template <typename Type>                                                                                              \
    aie::vector<Type, Lanes> window_readdecr_v##Lanes(input_window<Type> *w) { return window_readdecr_v<Lanes>(w); }      \
    template <typename Type>                                                                                              \
    void window_read_v##Lanes(input_window<Type> *w, aie::vector<Type, Lanes> &v) { window_read(w, v); }                  \
    template <typename Type>                                                                                              \
    void window_readincr_v##Lanes(input_window<Type> *w, aie::vector<Type, Lanes> &v) { window_readincr(w, v); }          \
    template <typename Type>                                                                                              \
    void window_readdecr_v##Lanes(input_window<Type> *w, aie::vector<Type, Lanes> &v) { window_readdecr(w, v); }          \
    template <typename Type>                                                                                              \
    void window_write_v##Lanes(output_window<Type> *w, const aie::vector<Type, Lanes> &v) { window_write(w, v); }         \
    template <typename Type>                                                                                              \
    void window_writeincr_v##Lanes(output_window<Type> *w, const aie::vector<Type, Lanes> &v) { window_writeincr(w, v); } \
    template <typename Window>                                                                                            \
    void window_incr_v##Lanes(Window *w, int groups) { window_incr(w, groups * Lanes); }                                  \
    template <typename Window>                                                                                            \
    void window_decr_v##Lanes(Window *w, int groups) { window_decr(w, groups * Lanes); }
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
