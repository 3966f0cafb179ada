// The functions of location constraints.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "location.h"

namespace adf {

ADF_SIM_RUN location_constraint::location_constraint() = default;
ADF_SIM_RUN location_constraint::location_constraint(const sim::place &one) : own_(one) {}
ADF_SIM_RUN location_constraint::location_constraint(const sim::list<sim::place> &all) : own_(all) {}
ADF_SIM_RUN location_constraint::location_constraint(sim::list<sim::place> &of, sim::subject object)
    : of_(&of), object_(object) {}
ADF_SIM_RUN location_constraint::location_constraint(const location_constraint &) = default;
ADF_SIM_RUN location_constraint::~location_constraint() = default;

ADF_SIM_RUN location_constraint &location_constraint::operator=(const location_constraint &other) {
    if (of_) constrain(other.seen());
    else {
        const location_constraint copy = other;
        of_ = copy.of_;
        own_ = copy.own_;
        object_ = copy.object_;
    }
    return *this;
}
ADF_SIM_RUN location_constraint &location_constraint::operator=(std::initializer_list<location_constraint> list) {
    assign(list.begin(), list.size());
    return *this;
}
ADF_SIM_RUN location_constraint &location_constraint::operator=(const std::vector<location_constraint> &list) {
    assign(list.data(), list.size());
    return *this;
}
ADF_SIM_RUN void location_constraint::assign(const location_constraint *first, std::size_t count) {
    sim::list<sim::place> all;
    for (std::size_t i = 0; i < count; ++i)
        for (const sim::place &p : first[i].seen()) all.push_back(p);
    if (of_) constrain(all);
    else own_ = std::move(all);
}

ADF_SIM_RUN location_constraint location_constraint::operator+(const location_constraint &by) const {
    if (by.of_ || by.own_.size() != 1 || by.own_.front().kind != sim::place::what::relative)
        sim::stop("what is added to a location is adf::relative_offset(...)");
    const sim::place &offset = by.own_.front();
    sim::place p = seen().empty() ? sim::place() : seen().front();
    const bool known = !seen().empty() && p.kind == sim::place::what::tile && offset.column != INT_MIN && offset.row != INT_MIN;
    p.kind = known ? sim::place::what::tile : sim::place::what::same_as;
    p.column = known ? p.column + offset.column : 0;
    p.row = known ? p.row + offset.row : 0;
    p.columns = sum(p.columns, offset.column);
    p.rows = sum(p.rows, offset.row);
    return location_constraint(p);
}

ADF_SIM_RUN sim::list<sim::place> location_constraint::seen() const {
    if (!of_) return own_;
    sim::place p;
    p.kind = sim::place::what::same_as;
    if (!of_->empty() && of_->front().kind == sim::place::what::tile) p = of_->front();
    p.to = object_;
    p.columns = p.rows = 0;
    return sim::list<sim::place>(p);
}

ADF_SIM_RUN void location_constraint::constrain(const sim::list<sim::place> &places) {
    *of_ = places;
    if (object_.kind == sim::subject::what::none) return; // the place of a handle to nothing
    if (const sim::statement now = sim::here()) sim::simulation::get().made.locations.push_back({object_, places, now});
}

namespace sim {

// A bank, channel, offset or size of a location.
ADF_SIM_RUN unsigned not_negative(int value) {
    if (value < 0) stop("a location names " + std::to_string(value) + ": banks, channels, offsets and sizes are 0 or more");
    return unsigned(value);
}

ADF_SIM_RUN location_constraint at(place::what kind, int column, int row, int value) {
    place p;
    p.kind = kind;
    p.column = column;
    p.row = row;
    p.value = not_negative(value);
    return location_constraint(p);
}

ADF_SIM_RUN place area(const tile_rectangle &of) {
    place p;
    p.kind = place::what::area;
    p.column = of.column;
    p.row = of.row;
    p.last_column = of.last_column;
    p.last_row = of.last_row;
    p.of_cores = of.kind == aie_tile;
    return p;
}

ADF_SIM_RUN location_constraint elsewhere(subject::what kind, const void *at) {
    static list<place> places;
    return location_constraint(places, {kind, at});
}

} // namespace sim

ADF_SIM_RUN location_constraint dma_fifo(tile_type of, int col, int row, int address, int size) {
    sim::place p;
    p.of_cores = of == aie_tile;
    p.kind = sim::place::what::fifo;
    p.column = col;
    p.row = row;
    p.value = sim::not_negative(size);
    p.address = sim::not_negative(address);
    return location_constraint(p);
}
ADF_SIM_RUN location_constraint dma_fifo() {
    sim::place p;
    p.kind = sim::place::what::fifo;
    p.is_anywhere = true;
    return location_constraint(p);
}

ADF_SIM_RUN location_constraint ss_fifo(tile_type of, int col, int row, int fifo_id) {
    sim::place p;
    p.of_cores = of == aie_tile;
    p.kind = sim::place::what::stream_fifo;
    p.column = col;
    p.row = row;
    p.value = sim::not_negative(fifo_id);
    return location_constraint(p);
}
ADF_SIM_RUN location_constraint ss_fifo() {
    sim::place p;
    p.kind = sim::place::what::stream_fifo;
    p.is_anywhere = true;
    return location_constraint(p);
}

ADF_SIM_RUN location_constraint bounding_box(int column_min, int row_min, int column_max, int row_max) {
    return location_constraint(sim::area({aie_tile, column_min, row_min, column_max, row_max}));
}

ADF_SIM_RUN location_constraint area_group(const std::vector<sim::tile_rectangle> &groups, bool contain_routing,
                                           bool exclusive_routing, bool exclusive_placement) {
    sim::list<sim::place> all;
    for (const sim::tile_rectangle &each : groups) {
        all.push_back(sim::area(each));
        all.back().contains_nets = contain_routing;
        all.back().excludes_nets = exclusive_routing;
        all.back().excludes_nodes = exclusive_placement;
    }
    return location_constraint(all);
}

ADF_SIM_RUN void not_equal(const location_constraint &lhs, const location_constraint &rhs) {
    if (const sim::statement now = sim::here()) sim::simulation::get().made.differences.push_back({lhs.object(), rhs.object(), now});
}

} // namespace adf
