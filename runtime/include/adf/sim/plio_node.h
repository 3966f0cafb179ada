// PLIO at run time: text files that feed nets and that nets are written to.
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
    double megahertz = 0; // of the programmable logic, as declared
    bool hex = false;
    element type; // of the kernel behind it, once resolved
};

// The values that every kernel behind `n` takes in all firings asked for; 0 when one decides itself.
inline std::uint64_t bytes_needed(const net &n, std::uint64_t &iterations) {
    std::uint64_t most = 0;
    for (const branch &b : n.branches) {
        const auto *kernel = dynamic_cast<const kernel_node *>(b.to->owner);
        if (!kernel || b.to->async || kernel->endless || !b.to->is_block()) continue;
        iterations = kernel->wanted / kernel->repetitions;
        most = std::max(most, kernel->wanted * b.to->bytes);
    }
    return most;
}

// Feeds the values of a file to everything connected to `out[0]`.
class plio_source final : public plio_node {
public:
    plio_source() { add_port(direction::out, carries::open); }

    // Reads the whole file.
    void open() {
        if (file.empty()) stop(name() + " has no file to read from");
        const std::string &folder = settings::get().input;
        const std::string path = folder.empty() || file[0] == '/' ? file : folder + '/' + file;
        data_ = parsed_file(path, type, hex, wire().what == carries::packet);
    }

    bool step() override {
        bool any = false;
        for (bool moved = true; moved; any = any || moved) {
            moved = feed();
            moved = wire().step() || moved;
        }
        return any;
    }

    bool dry() const { return next_ == data_.bytes.size(); }
    std::size_t found() const { return data_.bytes.size() / type.bytes(); }

private:
    net &wire() const { return *out[0]->wire; }

    bool feed() {
        const std::size_t end = mark_ < data_.marks.size() ? data_.marks[mark_] : data_.bytes.size();
        std::size_t n = std::min(wire().space(), end - next_);
        if (n < end - next_) n = n / 4 * 4;
        if (n == 0) return false;
        const bool last = mark_ < data_.marks.size() && next_ + n == end;
        wire().push(data_.bytes.data() + next_, n, last);
        next_ += n;
        if (last) ++mark_;
        return true;
    }

    file_data data_;
    std::size_t next_ = 0; // byte
    std::size_t mark_ = 0;
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

// Writes what arrives at `in[0]` to a file, as many values a line as the PLIO is wide.
class plio_sink final : public plio_node {
public:
    plio_sink() { add_port(direction::in, carries::open); }
    ~plio_sink() override { close(); }

    // The simulator's output folder mirrors the file names of the graph.
    std::string path() const { return file[0] == '/' ? file : settings::get().output + '/' + file; }

    void open() {
        if (file.empty()) stop(name() + " has no file to write to");
        make_parents(path());
        stream_ = std::fopen(path().c_str(), "w");
        if (!stream_) stop("cannot write " + path() + ": " + std::strerror(errno));
    }
    void close() {
        if (!stream_) return;
        if (!line_.empty()) end_line(false);
        std::fclose(stream_);
        stream_ = nullptr;
    }

    bool step() override {
        branch &b = in[0]->wire->branches[in[0]->branch];
        bool any = false;
        for (bool moved = true; moved; any = any || moved) {
            moved = in[0]->wire->step();
            while (b.queue.size() >= type.bytes()) {
                take(b);
                moved = true;
            }
        }
        return any;
    }

    void flush() {
        if (stream_) std::fflush(stream_);
    }
    std::uint64_t written() const { return written_; }

private:
    void take(branch &b) {
        static const element word = {element::number::plain, 4, 1};
        const bool packets = in[0]->wire->what == carries::packet;
        const element &now = packets && header_ ? word : type;
        unsigned char value[16];
        if (b.queue.size() < now.bytes()) return;
        const bool last = b.queue.pop(value, now.bytes());
        header_ = last;
        write(value, now, last);
    }

    void write(const unsigned char *at, const element &now, bool last) {
        const unsigned per_line = std::max(1U, width_bits / (8 * now.bytes()));
        for (unsigned part = 0; part < now.parts; ++part) {
            if (!line_.empty()) line_ += ' ';
            line_ += printed_part(at + part * now.part_bytes, now, hex);
        }
        ++written_;
        if (++column_ >= per_line || last) end_line(last);
    }
    void end_line(bool last) {
        if (last) std::fputs("TLAST\n", stream_);
        line_ += '\n';
        std::fputs(line_.c_str(), stream_);
        line_.clear();
        column_ = 0;
    }

    std::FILE *stream_ = nullptr;
    std::string line_;
    unsigned column_ = 0; // values already on the current line
    bool header_ = true;  // the next word starts a packet
    std::uint64_t written_ = 0;
};

} // namespace sim
} // namespace adf
