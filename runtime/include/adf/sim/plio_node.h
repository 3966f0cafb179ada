// PLIO at run time: text files that feed windows and that windows are written to.
#pragma once

#include <cerrno>
#include <string>

#include <sys/stat.h>

#include "kernel_node.h"
#include "text.h"

namespace adf {
namespace sim {

// What input and output PLIO share.
class plio_node : public node {
public:
    std::string name() const override { return "PLIO " + logical + (file.empty() ? "" : " (" + file + ")"); }

    std::string logical;
    std::string file;
    unsigned width_bits = 32;
    bool hex = false;
};

// Feeds the values of a file, window by window, to everything connected to `out[0]`.
class plio_source final : public plio_node {
public:
    plio_source() { add_port(direction::out, element()); }

    // Reads the whole file; the element type is the one of the kernel at the other end.
    void open() {
        if (file.empty()) stop(name() + " has no file to read from");
        values_ = parsed_file(file, element_type(), hex);
    }

    bool step() override {
        const port &p = *out[0];
        if (!p.ready() || remaining() < p.bytes()) return false;
        std::memcpy(p.buffer(), values_.data() + next_, p.bytes());
        next_ += p.bytes();
        out[0]->pass_on();
        return true;
    }

    bool dry() const { return remaining() < out[0]->bytes(); }
    std::size_t found() const { return values_.size() / element_type().bytes(); }

    // The values the kernel behind `link` takes in all firings asked for; 0 when it decides itself (asynchronous).
    static std::uint64_t needed(const connection &link, std::uint64_t &iterations) {
        const auto *kernel = dynamic_cast<const kernel_node *>(link.to->owner);
        if (!kernel || link.to->async || kernel->endless) return 0;
        iterations = kernel->wanted / kernel->repetitions;
        return kernel->wanted * (link.bytes / link.to->type.bytes());
    }

private:
    const element &element_type() const { return out[0]->links.front()->to->type; }
    std::size_t remaining() const { return values_.size() - next_; }

    byte_vector values_;
    std::size_t next_ = 0; // byte
};

// Creates the folders above `path`.
inline void make_parents(const std::string &path) {
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
        const std::string folder = path.substr(0, at);
        if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
            stop("cannot create the folder " + folder + ": " + std::strerror(errno));
        }
    }
}

// Writes every full window of `in[0]` to a file, as many values a line as the PLIO is wide.
class plio_sink final : public plio_node {
public:
    plio_sink() { add_port(direction::in, element()); }
    ~plio_sink() override {
        if (!stream_) return;
        if (column_ != 0) std::fputc('\n', stream_);
        std::fclose(stream_);
    }

    // The simulator's output folder mirrors the file names of the graph.
    std::string path() const { return "x86simulator_output/" + file; }

    void open() {
        if (file.empty()) stop(name() + " has no file to write to");
        make_parents(path());
        stream_ = std::fopen(path().c_str(), "w");
        if (!stream_) stop("cannot write " + path() + ": " + std::strerror(errno));
    }

    bool step() override {
        port &p = *in[0];
        if (!p.ready()) return false;
        const element &type = p.links.front()->from->type;
        for (std::size_t at = 0; at < p.bytes(); at += type.bytes()) write(p.buffer() + at, type);
        p.pass_on();
        return true;
    }

    void flush() {
        if (stream_) std::fflush(stream_);
    }

private:
    void write(const unsigned char *at, const element &type) {
        const unsigned per_line = std::max(1U, width_bits / (8 * type.bytes()));
        for (unsigned part = 0; part < type.parts; ++part) {
            if (column_ + part > 0) std::fputc(' ', stream_);
            std::fputs(printed_part(at + part * type.part_bytes, type, hex).c_str(), stream_);
        }
        if (++column_ < per_line) return;
        std::fputc('\n', stream_);
        column_ = 0;
    }

    std::FILE *stream_ = nullptr;
    unsigned column_ = 0; // values already on the current line
};

} // namespace sim
} // namespace adf
