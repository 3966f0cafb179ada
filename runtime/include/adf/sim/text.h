// Numbers of PLIO text files to bytes and back. Both ends of this work on the parts of an element: one number for a
// scalar, two for a complex one. In hexadecimal files a number is the bit pattern of a part.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "journal.h"

namespace adf {
namespace sim {

using byte_vector = std::vector<unsigned char>;

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

// Appends one part read from `token`; false when it is no such number or does not fit.
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

// One part as text. Nine digits bring a float back exactly.
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

// Calls `visit(token, line)` for every blank-separated token, lines counted from 1; lines that start with TLAST are
// packet marks, not data.
template <typename Visit>
void each_number(const std::string &text, Visit visit) {
    static const char *const blanks = " \t\r\v\f";
    std::size_t start = 0;
    for (unsigned line = 1; start < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string row = text.substr(start, end - start);
        start = end + 1;
        for (std::size_t at = row.find_first_not_of(blanks); at != std::string::npos;) {
            const std::size_t stop_at = std::min(row.find_first_of(blanks, at), row.size());
            const std::string token = row.substr(at, stop_at - at);
            if (token == "TLAST") break;
            visit(token, line);
            at = row.find_first_not_of(blanks, stop_at);
        }
    }
}

// The elements of a PLIO input file as bytes. Stops the run when the file is not readable or holds something else.
inline byte_vector parsed_file(const std::string &path, const element &type, bool hex) {
    byte_vector bytes;
    each_number(whole_file(path), [&](const std::string &token, unsigned line) {
        if (parse_part(token, type, hex, bytes)) return;
        stop(path + ':' + std::to_string(line) + ": " + quoted(token) + " does not fit " +
             (type.kind == element::number::real ? "float"
              : (type.kind == element::number::sign ? "int" : "uint") + std::to_string(8 * type.part_bytes)));
    });
    if (bytes.size() % type.bytes() != 0) stop(path + ": the last complex value has one number, needs two");
    return bytes;
}

} // namespace sim
} // namespace adf
