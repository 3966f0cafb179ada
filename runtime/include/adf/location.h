// Location constraints (UG1079, "Mapping Constraints"). They have no effect here, since a
// functional run has no tiles. They are recorded for descriptions of the graph, messages use them,
// and a list of buffer places must name as many places as the port has buffers.
//
// tile(c, r), bank(...), address(...) and the like are functions, as documented. They and
// location<...>(x) return a location_constraint.
#pragma once

#include <climits>
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
struct absolute {}; // the older name of `kernel` here, which UG1079 calls deprecated

class graph;

// Kinds of tiles in constraints.
enum tile_type { aie_tile, shim_tile, memory_tile };

// Columns to the east and rows to the north. An omitted one may be anything (UG1079, "Relative
// Constraints").
struct relative_coordinate {
    int col_offset = INT_MIN;
    int row_offset = INT_MIN;
};

// One or several places, or the place of an object in the graph. location<...>(x) returns the
// latter, a handle whose copies all refer to `x`: assigning to it constrains `x`.
class location_constraint {
public:
    location_constraint();
    explicit location_constraint(const sim::place &one);
    explicit location_constraint(const sim::list<sim::place> &all);
    location_constraint(sim::list<sim::place> &of, sim::subject object);
    location_constraint(const location_constraint &);
    ~location_constraint();

    location_constraint &operator=(const location_constraint &other);
    // Ping and pong, the parts of a FIFO, or rectangles that make an area together.
    location_constraint &operator=(std::initializer_list<location_constraint> list);
    location_constraint &operator=(const std::vector<location_constraint> &list);

    // This place moved by columns and rows. Only relative_offset(...) can be added.
    location_constraint operator+(const location_constraint &by) const;

    // The object of a handle.
    const sim::subject &object() const { return object_; }

private:
    // An omitted distance stays one.
    static int sum(int a, int b) { return a == INT_MIN || b == INT_MIN ? INT_MIN : a + b; }

    // The constraint for another object that shall be here. Places of buffers belong to one object,
    // so a handle only passes on its tile.
    sim::list<sim::place> seen() const;

    void assign(const location_constraint *first, std::size_t count);
    void constrain(const sim::list<sim::place> &places);

    sim::list<sim::place> own_;
    sim::list<sim::place> *of_ = nullptr;
    sim::subject object_ = {};
};

namespace sim {

ADF_SIM_RUN location_constraint at(place::what kind, int column, int row, int value);

// One rectangle of an area: its kind of tiles, and its corners.
struct tile_rectangle {
    tile_type kind;
    int column, row, last_column, last_row;
};

} // namespace sim

// A compute tile; row 0 is the lowest compute row. `proc` is its older name, which UG1079 calls
// deprecated.
inline location_constraint tile(int col, int row) { return sim::at(sim::place::what::tile, col, row, 0); }
inline location_constraint proc(int col, int row) { return tile(col, row); }
// A data-memory bank, 0 to 3 on AIE1.
inline location_constraint bank(int col, int row, int bankid) { return sim::at(sim::place::what::bank, col, row, bankid); }
// A byte offset in a tile's data memory.
inline location_constraint address(int col, int row, int offset) {
    return sim::at(sim::place::what::address, col, row, offset);
}
// A byte offset, the tile left open.
inline location_constraint offset(int offset_value) { return sim::at(sim::place::what::offset, 0, 0, offset_value); }
// A column of the interface row, and optionally its channel (UG1079, "PLIO and GMIO Location
// Constraints").
inline location_constraint shim(int column) { return sim::at(sim::place::what::shim, column, 0, 0); }
inline location_constraint shim(int column, int channel) { return sim::at(sim::place::what::shim_channel, column, 0, channel); }
// An offset from another location: location<kernel>(k) + relative_offset({.col_offset = 1,
// .row_offset = 0}).
inline location_constraint relative_offset(const relative_coordinate &by) {
    return sim::at(sim::place::what::relative, by.col_offset, by.row_offset, 0);
}
// A FIFO in the memory of a tile: byte address and size in words. Without arguments it may lie
// anywhere (UG1076, "FIFO Depth Constraints").
ADF_SIM_RUN location_constraint dma_fifo(tile_type of, int col, int row, int address, int size);
ADF_SIM_RUN location_constraint dma_fifo();
// One of the FIFOs of a stream switch, 16 words each (AM009).
ADF_SIM_RUN location_constraint ss_fifo(tile_type of, int col, int row, int fifo_id);
ADF_SIM_RUN location_constraint ss_fifo();
// A channel of the DMA of a tile.
inline location_constraint dma_channel(tile_type, int col, int row, int channel) {
    return sim::at(sim::place::what::dma, col, row, channel);
}
// Rectangles of tiles, corners included.
ADF_SIM_RUN location_constraint bounding_box(int column_min, int row_min, int column_max, int row_max);
// Rectangles, whether routes stay inside, and whether other routes and kernels stay outside.
ADF_SIM_RUN location_constraint area_group(const std::vector<sim::tile_rectangle> &groups, bool contain_routing = false,
                                           bool exclusive_routing = false, bool exclusive_placement = false);

namespace sim {

template <typename What, typename... Allowed>
constexpr bool one_of = (std::is_same<What, Allowed>::value || ...);

// Places that have no effect on a run.
ADF_SIM_RUN location_constraint elsewhere(subject::what kind, const void *at);

// Both are graphs, or `at` is of no interest.
template <typename Object>
location_constraint of_graph(const Object &object) {
    if constexpr (std::is_base_of<graph, Object>::value) return elsewhere(subject::what::graph, static_cast<const graph *>(&object));
    else return elsewhere(subject::what::other, &object);
}

} // namespace sim

template <typename What>
location_constraint location(const kernel &k) {
    static_assert(sim::one_of<What, kernel, absolute, stack, parameter>, "a kernel has location<kernel>, <stack> and <parameter>");
    sim::kernel_node &node = k.stated();
    if (!k.created()) return {node.places, {}};
    if (std::is_same<What, stack>::value) return {node.stack_places, {sim::subject::what::stack, &node}};
    if (sim::one_of<What, kernel, absolute>) return {node.places, {sim::subject::what::kernel, &node}};
    return {node.parameter_places, {sim::subject::what::table, &node}};
}
template <typename What>
location_constraint location(const kernel::parameter_list::one &p) {
    static_assert(sim::one_of<What, parameter, buffer>, "a table of a kernel has location<parameter>");
    if (!p.node) return sim::elsewhere(sim::subject::what::none, nullptr);
    return {p.node->parameter_places, {sim::subject::what::table, p.node, p.number}};
}
template <typename What>
location_constraint location(const sim::port_ref &p) {
    static_assert(sim::one_of<What, buffer, parameter, dma, interconnect>, "a port has location<buffer> and <parameter>");
    if (sim::one_of<What, dma, interconnect>) return sim::elsewhere(sim::subject::what::other, p.at);
    return {p.at->places, {sim::subject::what::port, p.at}};
}
template <typename What>
location_constraint location(const sim::plio_handle &io) {
    static_assert(sim::one_of<What, PLIO>, "an input_plio or output_plio has location<PLIO>");
    if (!io.created()) return sim::elsewhere(sim::subject::what::none, nullptr);
    return {io.node().places, {sim::subject::what::external, &io.node()}};
}
template <typename What>
location_constraint location(const sim::gmio_handle &io) {
    static_assert(sim::one_of<What, GMIO>, "a GMIO has location<GMIO>");
    if (!io.created()) return sim::elsewhere(sim::subject::what::none, nullptr);
    return {io.node().places, {sim::subject::what::external, &io.node()}};
}
template <typename What>
location_constraint location(const PLIO &io) {
    static_assert(sim::one_of<What, PLIO>, "a PLIO has location<PLIO>");
    return sim::elsewhere(sim::subject::what::old_plio, &io);
}
template <typename What, typename From, typename To>
location_constraint location(const connect<From, To> &net) {
    static_assert(sim::one_of<What, fifo>, "a connection has location<fifo>");
    return {net.made().places, {sim::subject::what::fifo, &net.made()}};
}
// A table that is a member of the graph.
template <typename What>
location_constraint location(const parameter &table) {
    static_assert(sim::one_of<What, parameter>, "a table has location<parameter>");
    return sim::elsewhere(sim::subject::what::shared_table, table.node());
}
// Areas of graphs, also under the class's own name, and switches and channels of objects have no
// effect on a run.
template <typename What, typename Object,
          typename = std::enable_if_t<(sim::one_of<What, interconnect, dma> || std::is_base_of<graph, What>::value) &&
                                      !std::is_convertible<const Object &, sim::port_ref>::value>>
location_constraint location(const Object &object) {
    return sim::of_graph(object);
}
// The places of one graph, moved, for another graph of equal shape. The distance is not stated.
inline location_constraint stamp(const location_constraint &other) { return other + relative_offset({}); }

// Requests different tiles or banks. A functional run has neither.
ADF_SIM_RUN void not_equal(const location_constraint &lhs, const location_constraint &rhs);

} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "location.inl"
#endif
