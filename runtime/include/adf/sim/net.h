// A net: one source, and a separate FIFO branch for every sink. Data enters all branches at once,
// so that a multicast waits for its fullest branch (AM009, stream switch). If an end is a window or
// buffer, a DMA moves words between it and the net. Between two kernels that share a buffer nothing
// moves.
#pragma once

#include <algorithm>

#include "node.h"

namespace adf {
namespace sim {

// Words in flight between the two ends of a stream, however many switches it crosses: buffering
// sits at the ends (mlir-aie, docs/DeadlockModel.md, measured on a later generation; the stream
// switch chapter of AM009 counts 8 for each crossing). A run that needs no more than these is safe
// for any placement.
constexpr std::size_t words_of_stream = 8;
// A `fifo_depth` of fewer words is a chain of FIFOs of stream switches, one of more lies in memory
// (UG1079, "Stream Switch FIFO"; in aiec's device files `tools.fifo_threshold_words`).
constexpr std::size_t words_of_least_dma_fifo = 40;
// Words of one FIFO of a stream switch (AM009; `switch.fifo_words`).
constexpr std::size_t words_of_switch_fifo = 16;
// Accumulators of 384 bits that fit between two cores (AM009, cascade: two entries at each side).
constexpr std::size_t cascade_entries = 4;

// How many runs of its kernel the reader of a channel is behind the sender.
class lag {
public:
    // The run in which the reader opened its end, and that of the sender.
    void meet(std::uint64_t read, std::uint64_t sent) {
        const std::int64_t now = std::int64_t(read) - std::int64_t(sent);
        even_ = even_ && (!met_ || now == runs_);
        met_ = true;
        runs_ = now;
    }
    // The same number of runs at every opening, or 0.
    std::uint64_t runs() const { return met_ && even_ && runs_ > 0 ? std::uint64_t(runs_) : 0; }

private:
    std::int64_t runs_ = 0;
    bool met_ = false, even_ = true;
};

struct branch {
    port *to = nullptr;
    fifo queue;
    std::size_t declared_words = 0; // fifo_depth
    list<edge *> path;
    // The words that its FIFO holds: of a chain of switch FIFOs a multiple of 16, of one in memory
    // those declared. location<fifo> says which of both it is, and else the number of words.
    std::size_t fifo_words() const;
    bool strips_header = false; // packets to a window: the first word of each is for the switch
    bool expects_header = true;
    struct opening {
        std::uint64_t elements, run;
    };
    // Openings of a channel by one end that the other has not made yet; by the reader if `ahead`.
    ring<opening> openings;
    bool ahead = false;
    lag behind;
};

// The header of a packet (AM009): id, and odd parity over all bits. Row and column of the source
// are left 0.
inline std::uint32_t packet_header(unsigned id, unsigned type = 0) {
    std::uint32_t word = (id & 31U) | (type & 7U) << 12;
    unsigned ones = 0;
    for (std::uint32_t rest = word; rest; rest &= rest - 1) ++ones;
    return ones % 2 == 0 ? word | 0x80000000U : word;
}

class net {
public:
    net();
    ~net();

    port *from = nullptr;
    list<branch> branches;
    carries what = carries::stream;
    bool shared = false;          // one buffer for both ends
    bool adds_header = false;     // windows into a packet stream
    unsigned packet_id = 0;
    std::uint64_t latency = 0;    // operations on the way from one end to the other; tests set it
    unsigned number = 0;          // in order of making

    // Bytes that can enter every branch now.
    std::size_t space() const {
        std::size_t least = fifo::no_limit;
        for (const branch &b : branches) least = std::min(least, b.queue.space());
        return least;
    }
    // Enters all branches at `time`; the caller has looked at space().
    void push(const unsigned char *data, std::size_t bytes, bool last = false, std::uint64_t time = 0) {
        for (branch &b : branches) b.queue.push(data, bytes, last, time);
    }
    // The branch with the least space.
    const branch &fullest() const;

    // Lets the DMAs of both ends move as much as they can. Returns false if nothing moved.
    bool step();

private:
    // From the buffers of the source into the branches.
    bool drain();

    // From a branch into the buffers of its sink.
    static bool fill(branch &b);

    bool header_sent_ = false; // of the buffer that is being drained
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "net.inl"
#endif
