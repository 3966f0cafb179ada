// Words of packets that a test writes or compares, and the accesses to streams between them.
#pragma once

#include <cstdio>
#include <deque>
#include <utility>

#include "aiec/packet_header.h"

namespace {

using kind = aiec::packet_kind;

inline bool failed = false;
inline void same(const char *what, long found, long expected) {
    if (found == expected) return;
    failed = true;
    std::printf("%s: %ld, not %ld\n", what, found, expected);
}

// A packet of `words` words that count from `first`.
inline void packet(std::deque<std::pair<int32, bool>> &to, kind what, unsigned receiver, unsigned sender, int32 first,
            int32 words) {
    to.emplace_back(aiec::packet_header(0, what, receiver, sender).word(), false);
    for (int32 i = 0; i < words; ++i) to.emplace_back(first + i, i + 1 == words);
}

// The reads and writes since the last call.
inline void accesses(const char *what, unsigned reads, unsigned writes) {
    std::printf("%s\n", what);
    same("reads", counting::streams.reads, reads);
    same("writes", counting::streams.writes, writes);
    counting::streams = {};
}

// Takes a header off, and compares its fields. The number of ones in a header is odd.
inline void header(output_pktstream &out, unsigned id, kind what, unsigned receiver, unsigned sender) {
    const unsigned word = static_cast<unsigned>(out.words.at(0).first);
    same("TLAST at a header", out.words.at(0).second, false);
    out.words.pop_front();
    unsigned ones = 0;
    for (unsigned bit = 0; bit < 32; ++bit) ones += word >> bit & 1;
    same("parity", ones % 2, 1);
    same("id", word & 31, id);
    same("type", word >> 12 & 7, static_cast<unsigned>(what));
    same("row", word >> 16 & 31, receiver);
    same("column", word >> 21 & 127, sender);
}

// Takes the words of a packet off.
inline void words(output_pktstream &out, int32 first, int32 count) {
    for (int32 i = 0; i < count; ++i) {
        same("word", out.words.at(0).first, first + i);
        same("TLAST", out.words.at(0).second, i + 1 == count);
        out.words.pop_front();
    }
}

// The next packet only says something: its header and a word.
inline void says(output_pktstream &out, unsigned id, kind what, unsigned receiver, unsigned sender, int32 word = 0) {
    header(out, id, what, receiver, sender);
    words(out, word, 1);
}

} // namespace
