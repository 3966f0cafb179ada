// Ports, and the graph constructor's statements about connections between them. Nothing moves here:
// `simulation::start` turns the edges into nets once every constructor has run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "journal.h"
#include "list.h"
#include "pool.h"
#include "record.h"
#include "source_line.h"

namespace adf {

namespace sim {

enum class direction { in, out, inout };

class node;
class net;
struct port;

inline const char *name_of(direction d) {
    return d == direction::in ? "in" : d == direction::out ? "out" : "inout";
}

// The kind of data of a port.
enum class carries {
    open,      // whatever is at the other end: PLIO, GMIO, ports of graphs
    block,     // windows and buffers
    stream,    // words
    packet,    // words in packets: a header, data, TLAST
    cascade,   // accumulators
    parameter, // run-time parameters
};

inline const char *name_of(carries c) {
    static const char *const names[] = {"anything", "a window or buffer", "a stream", "a packet stream", "a cascade",
                                        "a run-time parameter"};
    return names[int(c)];
}

// The object of a constraint. `at` is the node, port, edge or graph, or the table or PLIO of a
// design before 2022.1 itself.
struct subject {
    enum class what { none, kernel, stack, table, port, external, fifo, graph, other, shared_table, old_plio };
    what kind = what::none;
    const void *at = nullptr;
    int number = -1; // of a table of the kernel `at`; less than 0 for all of them
};

// The place that a constraint requests. `kind` decides which of the numbers are meaningful.
struct place {
    enum class what { tile, bank, address, offset, shim, shim_channel, same_as, area, fifo, stream_fifo, dma, relative };
    what kind = what::tile;
    int column = 0;
    int row = 0;        // compute row, the shim row not counted
    unsigned value = 0; // bank id, byte offset, channel, number of a stream FIFO, or words of a FIFO
    unsigned address = 0;                  // of a FIFO in memory, in bytes
    int last_column = 0, last_row = 0;     // corners of an area
    bool of_cores = true;                  // an area or FIFO of cores, not of the interface row or memory tiles
    // An area: its nets stay inside, other nets stay outside, other nodes stay outside.
    bool contains_nets = false, excludes_nets = false, excludes_nodes = false;
    bool is_anywhere = false;              // a FIFO without arguments
    subject to = {};                       // the other object of a relative place
    int columns = 0, rows = 0;             // its distance; INT_MIN for any
};

// The properties that connect<...> gives one end.
struct end_spec {
    carries kind = carries::open; // open: as the kernel's signature says
    std::size_t bytes = 0;        // of a window; 0: as the port says
    std::size_t margin = 0;       // bytes
};

// One connect statement.
struct edge {
    edge();
    ~edge();

    port *from = nullptr;
    port *to = nullptr;
    end_spec left, right;
    std::size_t fifo_words = 0;
    list<place> places;
    statement made_by = 0, fifo_by = 0;
};

// Gives memory as the tools place it that the user does not: for vectors of 256 bits.
template <typename Type>
struct vector_aligned {
    using value_type = Type;
    static constexpr std::align_val_t alignment{32};
    vector_aligned() = default;
    template <typename Other>
    vector_aligned(const vector_aligned<Other> &) {}
    Type *allocate(std::size_t n) { return static_cast<Type *>(::operator new(n * sizeof(Type), alignment)); }
    void deallocate(Type *at, std::size_t) { ::operator delete(at, alignment); }
    template <typename Other>
    bool operator==(const vector_aligned<Other> &) const { return true; }
    template <typename Other>
    bool operator!=(const vector_aligned<Other> &) const { return false; }
};

// A run-time parameter's value on its way: between host and kernel, or kernel and kernel.
struct parameter_state {
    using bytes = std::vector<unsigned char, vector_aligned<unsigned char>>;

    parameter_state();
    ~parameter_state();

    bytes value;                // what the kernel sees; never reallocated once declared
    ring<bytes> pending;        // synchronous: values that no firing has finished with
    bool present = false;                            // asynchronous: some value has been given
    bool array = false;
    std::size_t value_bytes = 0;                     // of one value
};

// The argument of a kernel function for a port, without its type.
struct view_base {
    virtual ~view_base() = default;
};

struct port {
    port();
    ~port();

    node *owner = nullptr; // null for ports of graphs
    direction way = direction::in;
    unsigned index = 0; // within the direction
    carries what = carries::open;
    element type;          // none for PLIO, GMIO and graph ends, which take their peer's
    // The kernel locks it itself. For parameters: firings use the latest value.
    bool async = false;
    bool sync_asked = false, async_asked = false; // the user says which of both
    bool fixed_async = false; // by its type, not by adf::async
    bool single = false;   // asked for one buffer instead of two
    bool patterned = false; // a DMA moves its elements in an order of their own
    bool held = false;     // between acquire and release
    std::uint64_t held_since = 0; // number of the firing that acquired it
    bool circular = false; // the position wraps at the end
    bool buffer = false;   // a buffer, not a window
    bool is_control = false; // decides whether its kernel is bypassed
    bool negated = false;    // of such a port: 1 lets the kernel run
    const char *lanes = nullptr; // of a cascade: its type, as the compiler spells it
    list<statement> set_by;
    std::size_t bytes = 0;          // of a block, margin excluded; 0 until known
    std::size_t samples = 0;        // of a graph's port: what dimensions(...) say for the kernels behind it
    std::size_t margin = 0;         // bytes in front of a block
    unsigned async_repetitions = 0; // blocks per firing, where the user says it
    list<edge *> edges;      // all of them, at whichever end
    net *wire = nullptr;            // what it is connected to, once resolved
    unsigned branch = 0;            // which branch of it (inputs)
    std::shared_ptr<pool> buffers;  // block ports of kernels
    std::unique_ptr<parameter_state> parameter;
    list<place> places;      // location<buffer>, location<parameter>
    std::unique_ptr<view_base> view;
    std::uint64_t passed = 0;       // blocks handed on, ever, or bytes of a stream without headers of packets
    std::uint64_t passed_before = 0; // those of earlier firings
    std::uint64_t fewest = 0, most = 0; // of `passed` in one firing, of all that have ended
    std::uint64_t misaligned_base = 0;
    bool in_packet = false; // its header has passed, its last word has not
    code_place nested;      // where a header was first written inside of a packet
    bool channel = false;   // the kernel says ahead how many elements it moves
    std::uint64_t open = 0; // elements of a channel until it closes itself
    std::uint64_t kept = 0; // most words of a channel that its reader kept at a time
    std::uint64_t awaits = 0; // elements of the opening of a channel that waits for a credit

    bool is_input() const { return way == direction::in; }
    bool is_block() const { return what == carries::block; }
    // Does it carry words, with or without headers of packets?
    bool is_stream() const { return what == carries::stream || what == carries::packet; }

    // The name users write, for example `out[0]`.
    std::string spelled() const;

    // Counts bytes of a stream. The first word of a packet is its header, which is no data.
    void count(std::size_t bytes, bool ended) {
        const bool header = what == carries::packet && !in_packet;
        passed += bytes - (header ? std::min<std::size_t>(bytes, 4) : 0);
        in_packet = !ended;
    }

    // Is the lock free that a block port needs?
    bool block_ready() const { return is_input() ? buffers->has_full() : buffers->has_empty(); }
    // The buffer that the kernel released last, and before that the first.
    unsigned char *last_buffer() const { return is_input() ? buffers->last_drained() : buffers->last_filled(); }
};

// A port as `k.in[0]` or a member of a graph names it.
struct port_ref {
    port *at = nullptr;
};

// Notes the statement that sets a property of a port.
ADF_SIM_RUN port &noted(const port_ref &p);

// A port marked by adf::async: its kernel locks it itself.
struct async_port {
    port *at = nullptr;
};

} // namespace sim
} // namespace adf
