// Ports and the buffers between them: the lock protocol of window connections (thesis 2.2).
//
// A connection owns one or two buffers. Its producer may hold a buffer that is empty, its consumer one that is full;
// each waits for the other to let go. An output with several connections is a broadcast: it has an empty buffer only
// when every connection has one, so it waits for the slowest consumer.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "journal.h"

namespace adf {
namespace sim {

class node;
struct port;
struct window_base;

enum class direction { in, out };

inline const char *name_of(direction d) { return d == direction::in ? "in" : "out"; }

// Where a constraint wants something: at most one of each kind of number is meaningful, per `kind`.
struct place {
    enum class what { tile, bank, address, offset, shim, same_as };
    what kind = what::tile;
    int column = 0;
    int row = 0;        // compute row, the shim row not counted
    unsigned value = 0; // bank id, byte offset, or shim channel
};

// The buffers between one producing and one consuming port.
struct connection {
    port *from = nullptr;
    port *to = nullptr;
    std::size_t bytes = 0; // of one buffer
    std::vector<unsigned char> memory;
    std::uint64_t filled = 0;  // buffers released by the producer
    std::uint64_t drained = 0; // buffers released by the consumer

    unsigned depth() const;
    bool has_empty() const { return filled - drained < depth(); }
    bool has_full() const { return filled > drained; }
    unsigned char *empty_buffer() { return memory.data() + filled % depth() * bytes; }
    unsigned char *full_buffer() { return memory.data() + drained % depth() * bytes; }
};

struct port {
    node *owner = nullptr;
    direction way = direction::in;
    unsigned index = 0;               // within the direction
    element type;                     // none for PLIO and GMIO ends, which take their peer's
    bool async = false;               // locked by the kernel itself
    bool single = false;              // asked for one buffer instead of two
    bool held = false;                // between acquire and release
    std::vector<connection *> links;  // one for an input, one per consumer for an output
    std::vector<place> places;        // location<buffer>
    std::unique_ptr<window_base> window; // kernels only: what the kernel function sees

    bool is_input() const { return way == direction::in; }
    std::size_t bytes() const { return links.front()->bytes; }

    // The name users write, for example `out[0]`.
    std::string spelled() const { return std::string(name_of(way)) + '[' + std::to_string(index) + ']'; }

    // The element type at the other end of the (first) connection.
    const element &peer_type() const {
        const connection *link = links.front();
        return is_input() ? link->from->type : link->to->type;
    }

    // What this port waits for when it is not ready.
    const char *waits_for() const { return is_input() ? "a full buffer" : "an empty buffer"; }

    bool ready() const {
        for (const connection *link : links)
            if (!(is_input() ? link->has_full() : link->has_empty())) return false;
        return true;
    }

    // The buffer the port works on; producers write the first connection's and release copies it to the others.
    unsigned char *buffer() const {
        connection *link = links.front();
        return is_input() ? link->full_buffer() : link->empty_buffer();
    }

    // Hands the buffer to the other end.
    void pass_on() {
        if (is_input()) {
            ++links.front()->drained;
            return;
        }
        const unsigned char *filled = buffer();
        for (connection *link : links) {
            if (link != links.front()) std::memcpy(link->empty_buffer(), filled, link->bytes);
        }
        for (connection *link : links) ++link->filled;
    }
};

// One buffer when either end asked for it. A run with fewer buffers than the hardware has may wait longer, never less.
inline unsigned connection::depth() const { return from->single || to->single ? 1 : 2; }

} // namespace sim
} // namespace adf
