// Constraints on where things lie.
#ifndef AIEC_WITNESS_ADF_LOCATIONS_H
#define AIEC_WITNESS_ADF_LOCATIONS_H

namespace adf {

// UG1076 2022.1 and UG1079, "Mapping Constraints": one type for every location, by value; kept in
// variables and vectors by the guides' examples.
class location_constraint {
public:
    location_constraint();
    location_constraint(const location_constraint &);
    location_constraint &operator=(const location_constraint &);
    // "Mapping Constraints": two addresses or banks, for ping and pong.
    location_constraint &operator=(const std::vector<location_constraint> &);
};

namespace witness {

// The result of shim(column, channel): a location for everything but GMIO.
class channel_location : public location_constraint {
public:
    channel_location();
    channel_location(const channel_location &);
};

// UG1079 2023.1, "Mapping Constraints": a GMIO has no channel ("do not use GMIO channel constraints
// for AI Engine compilation"). (UG1079 2025.1 and later, "PLIO and GMIO Location Constraints", list
// channels 0 and 1 of GMIO; a project for all releases has none.)
class gmio_location : public location_constraint {
public:
    gmio_location();
    using location_constraint::operator=;
    gmio_location &operator=(const channel_location &) = delete;
};

} // namespace witness

// "Mapping Constraints": functions, not types.
location_constraint tile(int col, int row);
location_constraint address(int col, int row, int offset);
location_constraint bank(int col, int row, int bankid);
location_constraint offset(int offset_value);
// "Mapping Constraints"; UG1079 2026.1, "PLIO and GMIO Location Constraints".
location_constraint shim(int column);
witness::channel_location shim(int column, int channel);
location_constraint bounding_box(int column_min, int row_min, int column_max, int row_max);
location_constraint stamp(location_constraint);

// UG1076 2022.1 and UG1079, "Mapping Constraints": what has a location. A name of a class of
// objects, or of what belongs to one.
struct buffer;
struct stack;
struct fifo;

// `location_constraint location<kernel>(kernel&)`; `location<stack>(k)`, of stack and heap, takes a
// bank, an address or an offset: UG1483 2022.1, "Stack Location".
template <typename Of>
typename std::enable_if<witness::is_one_of<Of, kernel, stack>::value, location_constraint>::type location(kernel &);
// `location_constraint location<buffer>(port<T>&)`; `location<parameter>` of a table (`k.param[0]`)
// or of a run-time parameter's port.
template <typename Of, typename T>
typename std::enable_if<witness::is_one_of<Of, buffer, parameter>::value, location_constraint>::type location(port<T> &);
template <typename Of>
typename std::enable_if<std::is_same<Of, parameter>::value, location_constraint>::type location(parameter &);
// `location<PLIO>(p)` and `location<GMIO>(g)`: by their base classes, whichever direction.
template <typename Of>
typename std::enable_if<std::is_same<Of, PLIO>::value, location_constraint>::type location(PLIO &);
template <typename Of>
typename std::enable_if<std::is_same<Of, GMIO>::value, witness::gmio_location>::type location(GMIO &);
// `location<graph>(*this) = bounding_box(...)`.
template <typename Of>
typename std::enable_if<std::is_same<Of, graph>::value, location_constraint>::type location(graph &);
// UG1079, "FIFO Location Constraints": of a connection with a name.
template <typename Of, typename Source, typename Destination>
typename std::enable_if<std::is_same<Of, fifo>::value, location_constraint>::type location(connect<Source, Destination> &);

// UG1079 2022.2, "FIFO Location Constraints"; UG1076 2024.2, "FIFO Depth Constraints": the tile may
// be left open.
enum tile_type { aie_tile, shim_tile, memory_tile };
location_constraint dma_fifo();
location_constraint dma_fifo(tile_type, int col, int row, int offset, int size);
location_constraint ss_fifo();
location_constraint ss_fifo(tile_type, int col, int row, int fifo_id);

// UG1076, "Memory Stalls": two locations that differ. The return type is not printed.
void not_equal(location_constraint, location_constraint);

#if AIEC_WITNESS_RELATIVE
// UG1079 2022.2 and later, "Relative Constraints": `location<kernel>(a) = location<kernel>(b) +
// relative_offset({.col_offset = 1})`. The type of the argument is not printed; the examples name
// its members, of which either may be left out.
struct relative_coordinate {
    int col_offset = 0;
    int row_offset = 0;
};
class relative_distance {};
relative_distance relative_offset(const relative_coordinate &);
location_constraint operator+(const location_constraint &, const relative_distance &);

// UG1079 2023.1, "Area Group Constraint"; 2025.1, "Area Location Constraints": type of tile, first
// and last column and row; then what is exclusive.
struct area {
    tile_type type;
    int column_min, row_min, column_max, row_max;
};
location_constraint area_group(std::vector<area>, bool contain_routing = false, bool exclusive_routing = false,
                               bool exclusive_placement = false);
#endif

} // namespace adf

#endif
