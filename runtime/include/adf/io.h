// Inputs and outputs of the array: PLIO (text files here) and GMIO (host memory) (UG1079).
#pragma once

#include <cstdlib>
#include <cstring>
#include <string>

#include "kernel.h"

namespace adf {

// Not scoped: designs write `adf::ok` and return one from main.
enum return_code {
    ok = 0,
    user_error,
    aie_driver_error,
    xrt_error,
    internal_error,
    unsupported,
};

enum plio_type {
    plio_32_bits = 32,
    plio_64_bits = 64,
    plio_128_bits = 128,
};

// Any input or output of a design, as the event interface takes it: `IoAttr &port` (public hosts of
// graphs, which measure one port after the other).
class IoAttr {
protected:
    IoAttr() = default;
    IoAttr(const IoAttr &) = default;
    IoAttr &operator=(const IoAttr &) = default;
    ~IoAttr() = default;
};

namespace sim {

ADF_SIM_RUN void describe(plio_node &node, const std::string &name, plio_type width, const std::string &file, double megahertz,
                          bool hex);

ADF_SIM_RUN void describe(gmio_node &node, const std::string &name, std::size_t burst_bytes, std::size_t bandwidth);

// The node of a PLIO, common to both directions.
class plio_handle : public IoAttr {
public:
    bool created() const { return node_ != nullptr; }
    plio_node &node() const {
        if (!node_) stop("a PLIO that was never created is used");
        return *node_;
    }

protected:
    plio_handle() = default;
    void be(plio_node &node) { node_ = &node; }

private:
    plio_node *node_ = nullptr;
};

// Transfers of GMIO handles, common to both directions.
class gmio_handle : public IoAttr {
public:
    bool created() const { return node_ != nullptr; }
    gmio_node &node() const {
        if (!node_) stop("a GMIO that was never created is used");
        return *node_;
    }

    // Comes back when every transfer asked for so far has moved its last byte.
    return_code wait() const;

protected:
    gmio_handle() = default;
    explicit gmio_handle(gmio_node &node) : node_(&node) {}
    void be(gmio_node &node) { node_ = &node; }

    // Transfers are whole 32-bit words.
    return_code enqueue(const void *memory, std::size_t bytes) const;
    return_code enqueue_and_wait(const void *memory, std::size_t bytes) const {
        const return_code code = enqueue(memory, bytes);
        return code == return_code::ok ? wait() : code;
    }

private:
    gmio_node *node_ = nullptr;
};

} // namespace sim

// A text file whose values `out[0]` sends. The element type is that of the kernel's port.
class input_plio : public sim::plio_handle {
public:
    sim::port_list<adf::output> out;

    input_plio() = default;
    static input_plio create(const std::string &name, plio_type width, const std::string &file = "",
                             double megahertz = 0, bool hex = false);
    static input_plio create(plio_type width, const std::string &file = "", double megahertz = 0, bool hex = false) {
        return create("", width, file, megahertz, hex);
    }
};

// A text file that receives the data of `in[0]`.
class output_plio : public sim::plio_handle {
public:
    sim::port_list<adf::input> in;

    output_plio() = default;
    static output_plio create(const std::string &name, plio_type width, const std::string &file = "",
                              double megahertz = 0, bool hex = false);
    static output_plio create(plio_type width, const std::string &file = "", double megahertz = 0, bool hex = false) {
        return create("", width, file, megahertz, hex);
    }
};

// Host memory that goes out of `out[0]` into the array.
class input_gmio : public sim::gmio_handle {
public:
    sim::port_list<adf::output> out;

    input_gmio() = default;
    static input_gmio create(const std::string &name, std::size_t burst_bytes, std::size_t bandwidth) {
        return input_gmio(sim::simulation::get().add_gmio_source(), name, burst_bytes, bandwidth);
    }
    static input_gmio create(std::size_t burst_bytes, std::size_t bandwidth) { return create("", burst_bytes, bandwidth); }

    return_code gm2aie_nb(const void *memory, std::size_t bytes) const { return enqueue(memory, bytes); }
    return_code gm2aie(const void *memory, std::size_t bytes) const { return enqueue_and_wait(memory, bytes); }

private:
    input_gmio(sim::gmio_source &node, const std::string &name, std::size_t burst_bytes, std::size_t bandwidth)
        : gmio_handle(node), out(&node) {
        sim::describe(node, name, burst_bytes, bandwidth);
    }
};

// Host memory that receives the data of `in[0]`.
class output_gmio : public sim::gmio_handle {
public:
    sim::port_list<adf::input> in;

    output_gmio() = default;
    static output_gmio create(const std::string &name, std::size_t burst_bytes, std::size_t bandwidth) {
        return output_gmio(sim::simulation::get().add_gmio_sink(), name, burst_bytes, bandwidth);
    }
    static output_gmio create(std::size_t burst_bytes, std::size_t bandwidth) { return create("", burst_bytes, bandwidth); }

    return_code aie2gm_nb(void *memory, std::size_t bytes) const { return enqueue(memory, bytes); }
    return_code aie2gm(void *memory, std::size_t bytes) const { return enqueue_and_wait(memory, bytes); }

private:
    output_gmio(sim::gmio_sink &node, const std::string &name, std::size_t burst_bytes, std::size_t bandwidth)
        : gmio_handle(node), in(&node) {
        sim::describe(node, name, burst_bytes, bandwidth);
    }
};

} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "io.inl"
#endif
