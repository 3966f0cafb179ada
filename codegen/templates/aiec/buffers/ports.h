// Ports of collectives, as buffers. Everything that knows the kind of a port is here: the same header for windows has
// the same names.
//
// Ports are asynchronous: a rank acquires a buffer when it needs it and releases it when it is done; in between it
// reads or writes the buffer from its start on through a reader or writer. The graph says how large it is.
#pragma once

#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

#include "list.h"

namespace aiec {

template <typename T>
using in_port = adf::input_async_buffer<T> *;
template <typename T>
using out_port = adf::output_async_buffer<T> *;
// A buffer that is the kernel's during a whole firing.
template <typename T>
using whole_out_port = adf::output_buffer<T> *;

// The ports of one rank for the collective `C`, in the order that its class asks for.
template <typename C, unsigned Count>
using ins = list<in_port<typename C::element_type>, Count>;
template <typename C, unsigned Count>
using outs = list<out_port<typename C::element_type>, Count>;

template <typename Buffer>
void acquire(Buffer *port) { port->acquire(); }
template <typename Buffer>
void release(Buffer *port) { port->release(); }

// Reads a buffer: elements, or vectors of them.
template <typename T>
class reader {
public:
    reader() = default;
    template <typename Buffer>
    explicit reader(Buffer *buffer) : at_(buffer->data()) {}
    void next(T &value) { value = *at_++; }
    template <unsigned Lanes>
    void next(aie::vector<T, Lanes> &value) {
        value = aie::load_v<Lanes>(at_);
        at_ += Lanes;
    }
    void skip(unsigned elements) { at_ += elements; }

private:
    const T *__restrict at_ = nullptr;
};

// Writes a buffer.
template <typename T>
class writer {
public:
    writer() = default;
    template <typename Buffer>
    explicit writer(Buffer *buffer) : at_(buffer->data()) {}
    void put(const T &value) { *at_++ = value; }
    template <unsigned Lanes>
    void put(const aie::vector<T, Lanes> &value) {
        aie::store_v(at_, value);
        at_ += Lanes;
    }

private:
    T *__restrict at_ = nullptr;
};

} // namespace aiec
