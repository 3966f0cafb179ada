// Ports of collectives, as windows. Everything that knows the kind of a port is here: the same header for buffer ports
// has the same names.
//
// Ports are asynchronous: a rank acquires a window when it needs it and releases it when it is done; in between it
// reads or writes the window from its start on through a reader or writer.
#pragma once

#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

#include "list.h"

namespace aiec {

template <typename T>
using in_port = input_window<T> *;
template <typename T>
using out_port = output_window<T> *;
// A window that is the kernel's during a whole firing.
template <typename T>
using whole_out_port = output_window<T> *;

// The ports of one rank for the collective `C`, in the order that its class asks for.
template <typename C, unsigned Count>
using ins = list<in_port<typename C::element_type>, Count>;
template <typename C, unsigned Count>
using outs = list<out_port<typename C::element_type>, Count>;

template <typename T>
void acquire(input_window<T> *port) { window_acquire(port); }
template <typename T>
void acquire(output_window<T> *port) { window_acquire(port); }
template <typename T>
void release(input_window<T> *port) { window_release(port); }
template <typename T>
void release(output_window<T> *port) { window_release(port); }

// Reads a window: elements, or vectors of them.
template <typename T>
class reader {
public:
    reader() = default;
    explicit reader(input_window<T> *window) : window_(window) {}
    void next(T &value) { value = window_readincr(window_); }
    template <unsigned Lanes>
    void next(aie::vector<T, Lanes> &value) { value = window_readincr_v<Lanes>(window_); }
    void skip(unsigned elements) { window_incr(window_, static_cast<int>(elements)); }

private:
    input_window<T> *__restrict window_ = nullptr;
};

// Writes a window.
template <typename T>
class writer {
public:
    writer() = default;
    explicit writer(output_window<T> *window) : window_(window) {}
    void put(const T &value) { window_writeincr(window_, value); }
    template <unsigned Lanes>
    void put(const aie::vector<T, Lanes> &value) { window_writeincr(window_, value); }

private:
    output_window<T> *__restrict window_ = nullptr;
};

} // namespace aiec
