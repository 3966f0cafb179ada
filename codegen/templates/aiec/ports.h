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

template <typename Element>
using in_port = input_window<Element> *;
template <typename Element>
using out_port = output_window<Element> *;
// A window that is the kernel's during a whole firing.
template <typename Element>
using whole_out_port = output_window<Element> *;

// The ports of one rank for a collective, in the order that its class asks for.
template <typename Collective, unsigned Count>
using ins = list<in_port<typename Collective::element_type>, Count>;
template <typename Collective, unsigned Count>
using outs = list<out_port<typename Collective::element_type>, Count>;

template <typename Element>
void acquire(input_window<Element> *port) { window_acquire(port); }
template <typename Element>
void acquire(output_window<Element> *port) { window_acquire(port); }
template <typename Element>
void release(input_window<Element> *port) { window_release(port); }
template <typename Element>
void release(output_window<Element> *port) { window_release(port); }

// Reads a window: elements, or vectors of them.
template <typename Element>
class reader {
public:
    reader() = default;
    explicit reader(input_window<Element> *window) : window_(window) {}
    void next(Element &value) { value = window_readincr(window_); }
    template <unsigned Lanes>
    void next(aie::vector<Element, Lanes> &value) { value = window_readincr_v<Lanes>(window_); }
    void skip(unsigned elements) { window_incr(window_, static_cast<int>(elements)); }

private:
    input_window<Element> *__restrict window_ = nullptr;
};

// Writes a window.
template <typename Element>
class writer {
public:
    writer() = default;
    explicit writer(output_window<Element> *window) : window_(window) {}
    void put(const Element &value) { window_writeincr(window_, value); }
    template <unsigned Lanes>
    void put(const aie::vector<Element, Lanes> &value) { window_writeincr(window_, value); }

private:
    output_window<Element> *__restrict window_ = nullptr;
};

} // namespace aiec
