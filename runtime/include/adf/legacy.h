// Inputs and outputs of designs before 2022.1: PLIO, GMIO and FileIO objects, joined to a graph
// from outside through a simulation::platform.
#pragma once

#include <cstdlib>
#include <cstring>
#include <string>

#include "io.h"

namespace adf {

// A PLIO that becomes an input or an output by its position in a platform. Also the name PLIO in
// location<PLIO>.
class PLIO : public IoAttr {
public:
    PLIO() = default;
    explicit PLIO(const std::string &file) : name_(file), file_(file) {}
    PLIO(const std::string &name, const std::string &file) : name_(name), file_(file) {}
    PLIO(const std::string &name, plio_type width, const std::string &file = "", double megahertz = 0, bool hex = false)
        : name_(name), file_(file), width_(width), megahertz_(megahertz), hex_(hex) {}

    // For platforms.
    sim::node &become(bool source);

private:
    std::string name_, file_;
    plio_type width_ = plio_32_bits;
    double megahertz_ = 0;
    bool hex_ = false;
    sim::node *node_ = nullptr;
};
// A file without a PLIO around it.
class FileIO : public PLIO {
public:
    explicit FileIO(const std::string &file) : PLIO(file, file) {}
    FileIO(const std::string &name, const std::string &file) : PLIO(name, file) {}
};

// A GMIO that becomes an input or an output by its position in a platform. Also the name GMIO in
// location<GMIO>. It allocates memory that both host and array can reach.
class GMIO : public sim::gmio_handle {
public:
    GMIO() = default;
    GMIO(const std::string &name, std::size_t burst_bytes, std::size_t bandwidth)
        : name_(name), burst_bytes_(burst_bytes), bandwidth_(bandwidth) {}

    sim::node &become(bool source);

    return_code gm2aie_nb(const void *memory, std::size_t bytes) const { return enqueue(memory, bytes); }
    return_code gm2aie(const void *memory, std::size_t bytes) const { return enqueue_and_wait(memory, bytes); }
    return_code aie2gm_nb(void *memory, std::size_t bytes) const { return enqueue(memory, bytes); }
    return_code aie2gm(void *memory, std::size_t bytes) const { return enqueue_and_wait(memory, bytes); }

    // For kernels of programmable logic that read and write global memory themselves.
    return_code pl_gm(const void *, std::size_t) const {
        sim::stop("GMIO::pl_gm gives memory to programmable logic, which no functional run has");
    }

    // Zeroed memory, aligned for any burst.
    static void *malloc(std::size_t bytes) {
        void *memory = ::aligned_alloc(256, (bytes / 256 + 1) * 256);
        if (memory == nullptr) {
            sim::stop("no memory for GMIO: " + std::to_string(bytes) + " bytes");
        }
        return std::memset(memory, 0, bytes);
    }
    static void free(void *memory) { std::free(memory); }

private:
    std::string name_;
    std::size_t burst_bytes_ = 64;
    std::size_t bandwidth_ = 0;
};

namespace simulation {

// The surroundings of a graph: `src` feeds it, `sink` takes from it. The first `Inputs` arguments
// are sources.
template <unsigned Inputs, unsigned Outputs>
class platform {
    template <typename Way, unsigned Count>
    struct ends {
        sim::port_list<Way> lists[Count ? Count : 1];
        port<Way> &operator[](std::size_t i) const { return lists[i][0]; }
    };

public:
    ends<adf::output, Inputs> src;
    ends<adf::input, Outputs> sink;

    template <typename... Ends>
    explicit platform(Ends &&...ends) {
        static_assert(sizeof...(Ends) == Inputs + Outputs, "a platform has one argument for every input and output");
        std::size_t next = 0;
        (take(next++, ends), ...);
    }

private:
    void put(std::size_t at, sim::node &node) {
        if (at < Inputs) src.lists[at] = sim::port_list<adf::output>(&node);
        else sink.lists[at - Inputs] = sim::port_list<adf::input>(&node);
    }
    template <typename End>
    void take(std::size_t at, End *end) { put(at, end->become(at < Inputs)); }
    void take(std::size_t at, const char *file) { put(at, FileIO(file).become(at < Inputs)); }
    template <typename End, typename = decltype(std::declval<End &>().become(true))>
    void take(std::size_t at, End &end) { put(at, end.become(at < Inputs)); }
    void take(std::size_t at, const std::string &file) { put(at, FileIO(file).become(at < Inputs)); }
};

} // namespace simulation
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "legacy.inl"
#endif
