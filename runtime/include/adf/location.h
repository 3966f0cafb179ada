// Location constraints. They decide nothing here, since a functional run has no tiles; they are recorded, messages use
// them, and a list of buffer places must name as many places as the port has buffers.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "connect.h"
#include "legacy.h"

namespace adf {

// Tags of location<...>.
struct stack {};
struct buffer {};
struct fifo {};
struct dma {};
struct interconnect {};

class graph;

// A compute tile; row 0 is the lowest compute row.
struct tile {
    int column, row;
    tile(int c, int r) : column(c), row(r) {}
};
// A data-memory bank, 0 to 3 on AIE1.
struct bank {
    int column, row;
    unsigned id;
    bank(int c, int r, unsigned b) : column(c), row(r), id(b) {}
};
// A byte offset in a tile's data memory.
struct address {
    int column, row;
    unsigned byte;
    address(int c, int r, unsigned at) : column(c), row(r), byte(at) {}
};
// A byte offset, the tile left open.
struct offset {
    unsigned byte;
    explicit offset(unsigned at) : byte(at) {}
};
// A column of the interface row, and its channel if it matters.
struct shim {
    int column;
    unsigned channel;
    explicit shim(int c, unsigned ch = 0) : column(c), channel(ch) {}
};
struct relative_offset {
    int col_offset = 0;
    int row_offset = 0;
};
// Kinds of tiles, where a constraint says which.
enum tile_type { aie_tile, shim_tile, memory_tile };
// A FIFO in the memory of a tile: byte address and size in words.
struct dma_fifo {
    tile_type kind;
    int column, row;
    unsigned byte, words;
    dma_fifo(tile_type k, int c, int r, unsigned at, unsigned size) : kind(k), column(c), row(r), byte(at), words(size) {}
};
// One of the FIFOs of a stream switch, 16 words each (AM009).
struct ss_fifo {
    tile_type kind;
    int column, row;
    unsigned id;
    ss_fifo(tile_type k, int c, int r, unsigned which) : kind(k), column(c), row(r), id(which) {}
};
struct dma_channel {
    tile_type kind;
    int column, row;
    unsigned number;
    dma_channel(tile_type k, int c, int r, unsigned which) : kind(k), column(c), row(r), number(which) {}
};
// Rectangles of tiles, corners included.
struct bounding_box {
    int column, row, last_column, last_row;
    bounding_box(int c0, int r0, int c1, int r1) : column(c0), row(r0), last_column(c1), last_row(r1) {}
};
struct tile_rectangle {
    tile_type kind;
    int column, row, last_column, last_row;
};
struct area_group {
    std::vector<tile_rectangle> areas;
    area_group(std::initializer_list<tile_rectangle> list, bool = false, bool = false, bool = false) : areas(list) {}
};

namespace sim {

inline place place_of(const tile &t) { return {place::what::tile, t.column, t.row, 0}; }
inline place place_of(const bank &b) { return {place::what::bank, b.column, b.row, b.id}; }
inline place place_of(const address &a) { return {place::what::address, a.column, a.row, a.byte}; }
inline place place_of(const offset &o) { return {place::what::offset, 0, 0, o.byte}; }
inline place place_of(const shim &s) { return {place::what::shim, s.column, 0, s.channel}; }
inline place place_of(const dma_fifo &f) { return {place::what::fifo, f.column, f.row, f.words}; }
inline place place_of(const ss_fifo &f) { return {place::what::fifo, f.column, f.row, 16}; }
inline place place_of(const dma_channel &d) { return {place::what::dma, d.column, d.row, d.number}; }
inline place place_of(const bounding_box &b) { return {place::what::area, b.column, b.row, 0}; }
inline place place_of(const area_group &a) {
    if (a.areas.empty()) return {place::what::area, 0, 0, 0};
    return {place::what::area, a.areas.front().column, a.areas.front().row, 0};
}

// A place as location<...> takes it.
struct any_place {
    place at;
    template <typename Place, typename = decltype(place_of(std::declval<const Place &>()))>
    any_place(const Place &p) : at(place_of(p)) {}
};

// Where another thing is, possibly moved.
struct place_of_other {
    place at;
};

// What location<...>(x) gives: assigning constrains x.
class constraint {
public:
    explicit constraint(std::vector<place> &places) : places_(&places) {}
    constraint(const constraint &) = default;

    void operator=(const any_place &p) const { *places_ = {p.at}; }
    void operator=(std::initializer_list<any_place> list) const {
        places_->clear();
        for (const any_place &p : list) places_->push_back(p.at);
    }
    template <typename Place, typename = decltype(place_of(std::declval<const Place &>()))>
    void operator=(const std::vector<Place> &list) const {
        places_->clear();
        for (const Place &p : list) places_->push_back(place_of(p));
    }
    void operator=(const constraint &other) const { *this = other + relative_offset(); }
    void operator=(const place_of_other &other) const { *places_ = {other.at}; }

    place_of_other operator+(const relative_offset &by) const {
        place p;
        if (!places_->empty()) p = places_->front();
        p.kind = p.kind == place::what::tile && !places_->empty() ? place::what::tile : place::what::same_as;
        p.column += by.col_offset;
        p.row += by.row_offset;
        return {p};
    }

private:
    std::vector<place> *places_;
};

} // namespace sim

namespace sim {

template <typename What, typename... Allowed>
constexpr bool one_of = (std::is_same<What, Allowed>::value || ...);

// Places that are accepted and looked at by nobody.
inline std::vector<place> &elsewhere() {
    static std::vector<place> places;
    return places;
}

} // namespace sim

template <typename What>
sim::constraint location(const kernel &k) {
    static_assert(sim::one_of<What, kernel, stack, parameter>, "a kernel has location<kernel>, <stack> and <parameter>");
    sim::kernel_node &node = k.node();
    if (std::is_same<What, stack>::value) return sim::constraint(node.stack_places);
    return sim::constraint(std::is_same<What, kernel>::value ? node.places : node.parameter_places);
}
template <typename What>
sim::constraint location(const kernel::parameter_list::one &p) {
    static_assert(sim::one_of<What, parameter, buffer>, "a table of a kernel has location<parameter>");
    return sim::constraint(p.node ? p.node->parameter_places : sim::elsewhere());
}
template <typename What>
sim::constraint location(const sim::port_ref &p) {
    static_assert(sim::one_of<What, buffer, parameter, dma, interconnect>, "a port has location<buffer> and <parameter>");
    return sim::constraint(std::is_same<What, dma>::value ? sim::elsewhere() : p.at->places);
}
template <typename What>
sim::constraint location(const input_plio &io) {
    static_assert(sim::one_of<What, PLIO>, "an input_plio has location<PLIO>");
    return sim::constraint(io.node().places);
}
template <typename What>
sim::constraint location(const output_plio &io) {
    static_assert(sim::one_of<What, PLIO>, "an output_plio has location<PLIO>");
    return sim::constraint(io.node().places);
}
template <typename What>
sim::constraint location(const sim::gmio_handle &io) {
    static_assert(sim::one_of<What, GMIO>, "a GMIO has location<GMIO>");
    return sim::constraint(io.node().places);
}
template <typename What>
sim::constraint location(const PLIO &) {
    static_assert(sim::one_of<What, PLIO>, "a PLIO has location<PLIO>");
    return sim::constraint(sim::elsewhere());
}
template <typename What, typename From, typename To>
sim::constraint location(const connect<From, To> &net) {
    static_assert(sim::one_of<What, fifo>, "a connection has location<fifo>");
    return sim::constraint(net.made().places);
}
// Areas of graphs, and switches and channels of objects, mean nothing here.
template <typename What, typename Object,
          typename = std::enable_if_t<sim::one_of<What, graph, interconnect, dma> && !std::is_convertible<const Object &, sim::port_ref>::value>>
sim::constraint location(const Object &) {
    return sim::constraint(sim::elsewhere());
}
// The places of one graph, moved, for another of the same shape.
inline sim::place_of_other stamp(const sim::constraint &other) { return other + relative_offset(); }

// Asks for different banks, which a functional run has none of.
inline void not_equal(const sim::constraint &, const sim::constraint &) {}

} // namespace adf
