// PLIO at run time: text files that feed nets and that nets are written to.
#pragma once

#include <cstdio>
#include <string>

#include "kernel_node.h"

namespace adf {
namespace sim {

// A PLIO input file: its elements as bytes, and the bytes behind which a word with TLAST ends.
struct file_data {
    list<unsigned char> bytes;
    list<std::size_t> marks;
};

// Common base of input and output PLIO.
class plio_node : public node {
public:
    plio_node();
    ~plio_node() override;

    std::string name() const override;

    std::string logical;
    std::string file;
    unsigned width_bits = 32;
    double megahertz = 0; // of the programmable logic, as declared
    bool hex = false;
    element type; // of the kernel behind it, once resolved
};

// The number of values that every kernel behind `n` takes in all requested firings. 0 when a kernel
// decides it itself.
ADF_SIM_RUN std::uint64_t bytes_needed(const net &n, std::uint64_t &iterations);

// Feeds the values of a file to everything connected to `out[0]`.
class plio_source final : public plio_node {
public:
    plio_source();
    ~plio_source() override;

    // Reads the whole file.
    void open();

    bool step() override;

    bool dry() const { return next_ == data_.bytes.size(); }
    std::size_t found() const { return data_.bytes.size() / type.bytes(); }

private:
    net &wire() const { return *out[0]->wire; }

    bool feed();

    file_data data_;
    std::size_t next_ = 0; // byte
    std::size_t mark_ = 0;
};

// Creates the folders above `path`.
// False if a folder above `path` cannot be made.
ADF_SIM_RUN bool made_parents(const std::string &path);

// Writes the data of `in[0]` to a file, with as many values a line as the PLIO's width holds.
class plio_sink final : public plio_node {
public:
    plio_sink();
    ~plio_sink() override;

    // The simulator's output folder mirrors the file names of the graph.
    std::string path() const;

    void open();
    void close();

    bool step() override;

    void flush();
    std::uint64_t written() const { return written_; }

private:
    void take(branch &b);

    void write(const unsigned char *at, const element &now, bool last);
    void end_line(bool last);

    // Appends what is new in the file to its copy, which the host program may read.
    void show(const std::string &copy);

    std::FILE *stream_ = nullptr;
    std::uint64_t shown_ = 0; // bytes of the copy
    bool has_copy_ = false;
    std::string line_;
    unsigned column_ = 0; // values already on the current line
    bool header_ = true;  // the next word starts a packet
    std::uint64_t written_ = 0;
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "plio_node.inl"
#endif
