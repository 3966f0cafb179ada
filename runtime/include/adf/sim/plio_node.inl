// The functions of `plio_node` and its kinds.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include <sys/stat.h>

#include "plio_node.h"
#include "text.h"

namespace adf {
namespace sim {

ADF_SIM_RUN std::uint64_t bytes_needed(const net &n, std::uint64_t &iterations) {
    std::uint64_t most = 0;
    for (const branch &b : n.branches) {
        const auto *kernel = dynamic_cast<const kernel_node *>(b.to->owner);
        if (!kernel || b.to->async || kernel->endless || !b.to->is_block()) continue;
        iterations = kernel->wanted / kernel->repetitions;
        most = std::max(most, kernel->wanted * b.to->bytes);
    }
    return most;
}

// Where an input file is: where the list says that somebody made, or else in the folder for inputs.
ADF_SIM_RUN std::string input_path(const std::string &file) {
    static const std::string list = settings::get().inputs.empty() ? "" : '\n' + whole_file(settings::get().inputs);
    const std::size_t line = list.find('\n' + file + '\t');
    if (line != std::string::npos) {
        const std::size_t first = line + file.size() + 2;
        return list.substr(first, list.find('\n', first) - first);
    }
    const std::string &folder = settings::get().input;
    return folder.empty() || file[0] == '/' ? file : folder + '/' + file;
}

ADF_SIM_RUN void plio_source::open() {
    if (file.empty()) stop(name() + " has no file to read from");
    data_ = parsed_file(input_path(file), type, hex, wire().what == carries::packet);
}

ADF_SIM_RUN bool plio_source::step() {
    bool any = false;
    for (bool moved = true; moved; any = any || moved) {
        moved = feed();
        moved = wire().step() || moved;
    }
    return any;
}

ADF_SIM_RUN bool plio_source::feed() {
    const std::size_t end = mark_ < data_.marks.size() ? data_.marks[mark_] : data_.bytes.size();
    std::size_t n = std::min(wire().space(), end - next_);
    if (n < end - next_) n = n / 4 * 4;
    if (n == 0) return false;
    const bool last = mark_ < data_.marks.size() && next_ + n == end;
    wire().push(data_.bytes.begin() + next_, n, last);
    next_ += n;
    if (last) ++mark_;
    return true;
}

ADF_SIM_RUN bool made_parents(const std::string &path) {
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
        if (::mkdir(path.substr(0, at).c_str(), 0777) != 0 && errno != EEXIST) return false;
    }
    return true;
}

ADF_SIM_RUN plio_sink::~plio_sink() { close(); }

ADF_SIM_RUN std::string plio_sink::path() const { return file[0] == '/' ? file : settings::get().output + '/' + file; }

ADF_SIM_RUN void plio_sink::open() {
    if (file.empty()) stop(name() + " has no file to write to");
    stream_ = made_parents(path()) ? std::fopen(path().c_str(), "w") : nullptr;
    if (!stream_) stop("cannot write " + path() + ": " + std::strerror(errno));
}

ADF_SIM_RUN void plio_sink::close() {
    if (!stream_) return;
    if (!line_.empty()) end_line(false);
    std::fclose(stream_);
    stream_ = nullptr;
}

ADF_SIM_RUN bool plio_sink::step() {
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

ADF_SIM_RUN void plio_sink::flush() {
    if (!stream_) return;
    std::fflush(stream_);
    const std::string &folder = settings::get().shown;
    if (!folder.empty() && file[0] != '/') show(folder + '/' + file);
}

ADF_SIM_RUN void plio_sink::show(const std::string &copy) {
    // aiec writes the whole file after the run, and reports what stops it.
    if (!has_copy_ && !made_parents(copy)) return;
    std::FILE *from = std::fopen(path().c_str(), "r");
    std::FILE *to = from ? std::fopen(copy.c_str(), has_copy_ ? "a" : "w") : nullptr;
    if (to) {
        has_copy_ = true;
        std::fseek(from, static_cast<long>(shown_), SEEK_SET);
        char text[1 << 14];
        for (std::size_t n; (n = std::fread(text, 1, sizeof text, from)) > 0;) shown_ += std::fwrite(text, 1, n, to);
        std::fclose(to);
    }
    if (from) std::fclose(from);
}

ADF_SIM_RUN void plio_sink::take(branch &b) {
    static const element word = {element::number::plain, 4, 1};
    const bool packets = in[0]->wire->what == carries::packet;
    const element now = !packets ? type : header_ ? word : in_packets(type);
    unsigned char value[16];
    if (b.queue.size() < now.bytes()) return;
    const bool last = b.queue.pop(value, now.bytes());
    header_ = last;
    write(value, now, last);
}

ADF_SIM_RUN void plio_sink::write(const unsigned char *at, const element &now, bool last) {
    const unsigned per_line = std::max(1U, width_bits / (8 * now.bytes()));
    for (unsigned part = 0; part < now.parts; ++part) {
        if (!line_.empty()) line_ += ' ';
        line_ += printed_part(at + part * now.part_bytes, now, hex);
    }
    ++written_;
    if (++column_ >= per_line || last) end_line(last);
}

ADF_SIM_RUN void plio_sink::end_line(bool last) {
    if (last) std::fputs("TLAST\n", stream_);
    line_ += '\n';
    std::fputs(line_.c_str(), stream_);
    line_.clear();
    column_ = 0;
}

} // namespace sim
} // namespace adf
