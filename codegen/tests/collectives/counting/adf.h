// The part of ADF that loops over windows need, with counters for a core of AIE in each turn. It
// shares nothing with the host runtime. Features that the loops must not use do not compile:
// circular window functions, memcpy.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>

using int8 = std::int8_t;
using int16 = std::int16_t;
using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint16 = std::uint16_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;

template <typename Part, int>
struct pair_of {
    Part real, imag;
};
using cint16 = pair_of<int16, 0>;
using cint32 = pair_of<int32, 1>;
using cfloat = pair_of<float, 2>;

namespace counting {

// Counts of a loop: `Loads` and `stores` of up to 256 bits, operations of the vector unit.
struct counts {
    unsigned turns = 0, loads = 0, stores = 0, operations = 0;
};

// Loops by their functions, as the compiler spells these with their template arguments.
inline std::map<std::string, counts> loops;
inline counts *now = nullptr;

inline bool turn(const char *function) {
    now = &loops[function];
    ++now->turns;
    return true;
}
inline void reset() {
    loops.clear();
    now = nullptr;
}
inline unsigned pieces(unsigned bits, unsigned at_once) { return (bits + at_once - 1) / at_once; }

} // namespace counting

#define chess_prepare_for_pipelining if (counting::turn(__PRETTY_FUNCTION__))
#define chess_loop_range(...)
#define chess_flatten_loop

// The pointer leads nowhere but while the window is held.
template <typename Type>
struct input_window {
    Type *ptr = nullptr, *memory = nullptr;
};
template <typename Type>
struct output_window {
    Type *ptr = nullptr, *memory = nullptr;
};
template <typename Window>
void window_acquire(Window *w) { w->ptr = w->memory; }
template <typename Window>
void window_release(Window *w) { w->ptr = nullptr; }

// Streams: accesses to the ports of the core, and words that pass.
namespace counting {
struct passing {
    unsigned reads = 0, writes = 0, words = 0;
};
inline passing streams;
} // namespace counting

template <typename Type>
struct input_stream {};
template <typename Type>
struct output_stream {};
template <typename Type>
Type readincr(input_stream<Type> *) {
    ++counting::streams.reads;
    counting::streams.words += sizeof(Type) / 4;
    return Type();
}
template <typename Type>
void writeincr(output_stream<Type> *, const Type &) {
    ++counting::streams.writes;
    counting::streams.words += sizeof(Type) / 4;
}

// Streams of packets: the words that come or went, each with TLAST. Ids are numbers of branches.
struct input_pktstream {
    std::deque<std::pair<int32, bool>> words;
};
struct output_pktstream {
    std::deque<std::pair<int32, bool>> words;
};
inline int32 readincr(input_pktstream *in, bool &last) {
    ++counting::streams.reads;
    const std::pair<int32, bool> word = in->words.at(0);
    in->words.pop_front();
    last = word.second;
    return word.first;
}
inline int32 readincr(input_pktstream *in) {
    bool last = false;
    return readincr(in, last);
}
inline void writeincr(output_pktstream *out, int32 word, bool last) {
    ++counting::streams.writes;
    out->words.emplace_back(word, last);
}
inline uint32 getPacketid(input_pktstream *, int branch) { return static_cast<uint32>(branch); }
inline uint32 getPacketid(output_pktstream *, int branch) { return static_cast<uint32>(branch); }

#pragma GCC poison memcpy memmove window_readincr window_readincr_v window_writeincr
