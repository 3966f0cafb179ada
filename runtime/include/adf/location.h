// Location constraints. They decide nothing here, since a functional run has no tiles; they are recorded, messages use
// them, and a list of buffer places must name as many places as the port has buffers.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <vector>

#include "io.h"

namespace adf {

// Tags of location<...>.
struct stack {};
struct buffer {};

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

namespace sim {

inline place place_of(const tile &t) { return {place::what::tile, t.column, t.row, 0}; }
inline place place_of(const bank &b) { return {place::what::bank, b.column, b.row, b.id}; }
inline place place_of(const address &a) { return {place::what::address, a.column, a.row, a.byte}; }
inline place place_of(const offset &o) { return {place::what::offset, 0, 0, o.byte}; }
inline place place_of(const shim &s) { return {place::what::shim, s.column, 0, s.channel}; }

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

template <typename What>
sim::constraint location(const kernel &k) {
    static_assert(std::is_same<What, kernel>::value || std::is_same<What, stack>::value,
                  "a kernel has location<kernel> and location<stack>");
    return sim::constraint(std::is_same<What, stack>::value ? k.node().stack_places : k.node().places);
}
template <typename What>
sim::constraint location(const sim::port_ref &p) {
    static_assert(std::is_same<What, buffer>::value, "a port has location<buffer>");
    return sim::constraint(p.at->places);
}
template <typename What>
sim::constraint location(const input_plio &io) {
    static_assert(std::is_same<What, PLIO>::value, "an input_plio has location<PLIO>");
    return sim::constraint(io.node().places);
}
template <typename What>
sim::constraint location(const output_plio &io) {
    static_assert(std::is_same<What, PLIO>::value, "an output_plio has location<PLIO>");
    return sim::constraint(io.node().places);
}
template <typename What>
sim::constraint location(const sim::gmio_handle &io) {
    static_assert(std::is_same<What, GMIO>::value, "a GMIO has location<GMIO>");
    return sim::constraint(io.node().places);
}

// Asks for different banks, which a functional run has none of.
inline void not_equal(const sim::constraint &, const sim::constraint &) {}

} // namespace adf
