// Numbers of PLIO text files to bytes and back. Both directions work on the parts of an element:
// one number for a scalar, two for a complex one. In hexadecimal files a number is the bit pattern
// of a part.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "plio_node.h"

namespace adf {
namespace sim {

using byte_vector = list<unsigned char>;

inline void append_low_bytes(byte_vector &out, std::uint64_t bits, unsigned count) {
    for (unsigned i = 0; i < count; ++i) out.push_back(static_cast<unsigned char>(bits >> (8 * i)));
}

// Does an unsigned / a two's complement number fit `bytes` bytes?
inline bool fits_plain(std::uint64_t value, unsigned bytes) { return bytes == 8 || value >> (8 * bytes) == 0; }
inline bool fits_sign(std::int64_t value, unsigned bytes) {
    if (bytes == 8) return true;
    const std::int64_t limit = std::int64_t(1) << (8 * bytes - 1);
    return value >= -limit && value < limit;
}

// Appends one part read from `token`. Returns false when it is no such number or does not fit.
inline bool parse_part(const std::string &token, const element &type, bool hex, byte_vector &out) {
    char *end = nullptr;
    errno = 0;
    if (hex || type.kind == element::number::plain) {
        const std::uint64_t bits = std::strtoull(token.c_str(), &end, hex ? 16 : 10);
        if (*end || errno || token[0] == '-' || !fits_plain(bits, type.part_bytes)) return false;
        append_low_bytes(out, bits, type.part_bytes);
    } else if (type.kind == element::number::sign) {
        const std::int64_t value = std::strtoll(token.c_str(), &end, 10);
        if (*end || errno || !fits_sign(value, type.part_bytes)) return false;
        append_low_bytes(out, std::uint64_t(value), type.part_bytes);
    } else {
        const float value = std::strtof(token.c_str(), &end);
        if (*end) return false;
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        append_low_bytes(out, bits, type.part_bytes);
    }
    return true;
}

// Is the token spelled as a number, of whatever type?
inline bool is_number(const std::string &token, bool hex) {
    char *end = nullptr;
    hex ? void(std::strtoull(token.c_str(), &end, 16)) : void(std::strtod(token.c_str(), &end));
    return end != token.c_str() && *end == 0;
}

// One part as text. Nine digits restore a float exactly.
inline std::string printed_part(const unsigned char *at, const element &type, bool hex) {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < type.part_bytes; ++i) bits |= std::uint64_t(at[i]) << (8 * i);
    char text[40];
    if (hex) {
        std::snprintf(text, sizeof text, "0x%0*llx", int(2 * type.part_bytes), static_cast<unsigned long long>(bits));
        return text;
    }
    if (type.kind == element::number::plain) return std::to_string(bits);
    if (type.kind == element::number::real) {
        float value = 0;
        std::memcpy(&value, at, sizeof value);
        std::snprintf(text, sizeof text, "%.9g", double(value));
        return text;
    }
    const unsigned unused = 64 - 8 * type.part_bytes;
    return std::to_string(std::int64_t(bits << unused) >> unused);
}

inline std::string whole_file(const std::string &path) {
    std::FILE *file = std::fopen(path.c_str(), "r");
    if (!file) stop("cannot open " + path + ": " + std::strerror(errno));
    std::string text;
    char piece[4096];
    while (const std::size_t n = std::fread(piece, 1, sizeof piece, file)) text.append(piece, n);
    const bool broken = std::ferror(file) != 0;
    std::fclose(file);
    if (broken) stop("cannot read " + path);
    return text;
}

// Calls `visit(token, line)` for every blank-separated token, lines counted from 1, and `mark()`
// for every TLAST. Skips the vendor simulators' lines between the data (of the form `T 120 ns`).
template <typename Visit, typename Mark>
void each_number(const std::string &text, Visit visit, Mark mark) {
    static const char *const blanks = " \t\r\v\f,";
    std::size_t start = 0;
    for (unsigned line = 1; start < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string row = text.substr(start, end - start);
        start = end + 1;
        for (std::size_t at = row.find_first_not_of(blanks); at != std::string::npos;) {
            const std::size_t stop_at = std::min(row.find_first_of(blanks, at), row.size());
            const std::string token = row.substr(at, stop_at - at);
            at = row.find_first_not_of(blanks, stop_at);
            if (token == "T" || token[0] == '#') break;
            if (token == "TLAST") {
                mark(line);
                continue;
            }
            visit(token, line);
        }
    }
}

// Cells of a row, without the blanks around them.
inline std::vector<std::string> cells_of(const std::string &row) {
    static const char *const blanks = " \t\r";
    std::vector<std::string> cells;
    for (std::size_t start = 0; start <= row.size();) {
        const std::size_t end = std::min(row.find(',', start), row.size());
        const std::string cell = row.substr(start, end - start);
        const std::size_t first = cell.find_first_not_of(blanks);
        cells.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(blanks) - first + 1));
        start = end + 1;
    }
    return cells;
}

// Converts files of comma-separated values (UG1076, "CSV File Format") to plain text: a header
// `CMD, D, D, TLAST, TKEEP`, then rows `DATA` or `DATA:n` (n repetitions), and `STALL`, which only
// concerns time. Leaves other texts unchanged.
inline std::string without_csv(const std::string &text, const std::string &path) {
    if (text.compare(0, 3, "CMD") != 0) return text;
    const auto row = [&text](std::size_t start) { return text.substr(start, text.find('\n', start) - start); };
    const std::vector<std::string> header = cells_of(row(0));
    std::string plain;
    std::size_t start = 0;
    for (unsigned line = 1; start < text.size(); ++line) {
        const std::string now = row(start);
        start += now.size() + 1;
        const std::vector<std::string> cells = cells_of(now);
        const std::string command = cells[0].substr(0, cells[0].find(':'));
        if (line == 1 || command.empty() || command == "STALL") continue;
        if (command != "DATA") stop(path + ':' + std::to_string(line) + ": " + json_text(cells[0]) + " is neither DATA nor STALL");
        std::string values;
        bool last = false;
        for (std::size_t i = 1; i < std::min(cells.size(), header.size()); ++i) {
            if (header[i] == "D") values += cells[i] + ' ';
            if (header[i] == "TLAST") last = !cells[i].empty() && cells[i] != "0";
        }
        const std::size_t colon = cells[0].find(':');
        const unsigned long times = colon == std::string::npos ? 1 : std::strtoul(cells[0].c_str() + colon + 1, nullptr, 10);
        for (unsigned long n = 0; n < times; ++n) plain += (last ? "TLAST\n" : "") + values + '\n';
    }
    return plain;
}

// Parses one number of a file. An integer that only fits unsigned (or only signed) of equal width
// is taken for its bits, as files of packet headers need.
inline bool parse_number(const std::string &token, const element &type, bool hex, bool bits, byte_vector &out) {
    if (parse_part(token, type, hex, out)) return true;
    if (!bits || type.kind == element::number::real) return false;
    element other = type;
    other.kind = type.kind == element::number::sign ? element::number::plain : element::number::sign;
    return parse_part(token, other, hex, out);
}

// Why a number is none of `type`. A float at an integer may stand for its value or for its bits: no
// document tells which one AMD's simulators take.
inline std::string misfit(const std::string &token, const element &type, bool hex) {
    if (hex || type.kind == element::number::real || token.find_first_of(".eEnN") == std::string::npos)
        return " does not fit " + spelled(type);
    const float value = std::strtof(token.c_str(), nullptr);
    const bool whole = value > -1e9f && value < 1e9f && value == static_cast<float>(static_cast<std::int64_t>(value));
    std::string help = whole ? std::to_string(static_cast<std::int64_t>(value)) : "a whole number";
    if (type.part_bytes == 4) {
        std::int32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        help += ", or " + std::to_string(bits) + " for the bits of the float";
    }
    return " is a float, but " + spelled(type) + " is read here: write " + help;
}

// The text of a PLIO input file. Writes an event if it is missing.
inline std::string input_text(const std::string &path) {
    std::FILE *file = std::fopen(path.c_str(), "r");
    if (!file) journal::get().event("{\"event\":\"no-input\",\"file\":" + json_text(path) + '}');
    else std::fclose(file);
    return without_csv(whole_file(path), path);
}

// What a number of a packet's payload stands for. AMD's simulators write files of packets as
// integers of 32 bits, also those of kernels with floats: their bit patterns (public inputs and
// outputs of aiesimulator: zhaokang-lab/HeteroSVD, FPGA_test/128).
inline element in_packets(const element &type) {
    const bool words = type.kind == element::number::real && type.part_bytes == 4;
    return words ? element{element::number::plain, 4, type.parts} : type;
}

// The elements of a PLIO input file. Stops the run when the file is not readable or holds other
// text. In files of packets (`packets`) the first number of every packet is a header word, and a
// float may be written as such. A TLAST line precedes the line whose last word carries it (UG1076,
// "simulation input files").
inline file_data parsed_file(const std::string &path, const element &type, bool hex, bool packets) {
    file_data data;
    static const element word = {element::number::plain, 4, 1};
    const element payload = packets ? in_packets(type) : type;
    bool header = packets;
    bool pending = false;
    unsigned marked_line = 0;
    unsigned current_line = 0;
    const auto finish_line = [&](unsigned line) {
        if (pending && line != current_line && current_line > marked_line) {
            data.marks.push_back(data.bytes.size());
            header = packets;
            pending = false;
        }
    };
    each_number(
        input_text(path),
        [&](const std::string &token, unsigned line) {
            finish_line(line);
            current_line = line;
            const element &wanted = header ? word : payload;
            const bool may_be_float = !header && payload != type;
            header = false;
            if (parse_number(token, wanted, hex, packets, data.bytes)) return;
            if (may_be_float && token.find_first_of(".eEnN") != std::string::npos && parse_part(token, type, hex, data.bytes)) return;
            stop(path + ':' + std::to_string(line) + ": " + json_text(token) +
                 (is_number(token, hex) ? misfit(token, wanted, hex) : " is no number"));
        },
        [&](unsigned line) {
            finish_line(line);
            pending = true;
            marked_line = line;
        });
    if (pending && current_line > marked_line) data.marks.push_back(data.bytes.size());
    const std::size_t headers = packets ? 0 : data.bytes.size() % type.bytes();
    if (headers != 0) stop(path + ": the last complex value has one number, needs two");
    return data;
}

} // namespace sim
} // namespace adf
