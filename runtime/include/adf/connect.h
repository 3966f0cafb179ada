// Connections (UG1079, "connections"): connect<kind>(from, to) with explicit kinds of one or both
// ends, and connect<>(from, to), which takes them from the kernels' signatures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernel.h"

namespace adf {

// Kinds of connections. A window has a number of bytes, after a margin of a number of bytes.
template <std::size_t Bytes, std::size_t MarginBytes = 0>
struct window {
    static_assert(Bytes > 0, "a window holds at least one element");
};
struct stream {};
struct pktstream {};
struct cascade {};
struct any_kind {};
struct gmem {}; // global memory at a kernel of programmable logic

// `connect<parameter>`, and tables that kernels share: `parameter::array(table)`.
class parameter {
public:
    template <typename Type>
    static parameter &array(Type &&) {
        return kept(sim::simulation::get().made.add_table(sizeof(std::remove_reference_t<Type>)));
    }
    static parameter &scalar(...) {
        static parameter none;
        return none = {};
    }

    sim::table_node *node() const { return node_; }

private:
    // A handle that lives as long as the table.
    static parameter &kept(sim::table_node &node);

    sim::table_node *node_ = nullptr;
};

// Kernels beside that of `master` read its memory instead of copies of their own (UG1079, "Sharing
// LUTs").
ADF_SIM_RUN void share_parameter(const parameter &master, const std::vector<parameter> &slaves);

using dependent_on_ports = any_kind;

namespace sim {

template <typename Kind>
struct kind_of {
    static_assert(sizeof(Kind) == 0, "connect<...> takes window<N>, stream, pktstream, cascade or parameter");
};
template <std::size_t Bytes, std::size_t MarginBytes>
struct kind_of<window<Bytes, MarginBytes>> {
    static end_spec get() { return {carries::block, Bytes, MarginBytes}; }
};
template <carries What>
struct plain_kind {
    static end_spec get() { return {What, 0, 0}; }
};
template <> struct kind_of<stream> : plain_kind<carries::stream> {};
template <> struct kind_of<pktstream> : plain_kind<carries::packet> {};
template <> struct kind_of<cascade> : plain_kind<carries::cascade> {};
template <> struct kind_of<adf::parameter> : plain_kind<carries::parameter> {};
template <> struct kind_of<gmem> : plain_kind<carries::parameter> {};
template <> struct kind_of<any_kind> : plain_kind<carries::open> {};

// `fifo_depth(net) = words` and `location<fifo>(net) = ...` on one or more connect statements.
struct fifo_setting {
    edge *at;
    explicit fifo_setting(edge *of) : at(of) {}
    fifo_setting(const fifo_setting &) = default;
    const fifo_setting &operator=(std::int64_t words) const {
        depths.check(double(words));
        at->fifo_words = std::size_t(words);
        at->fifo_by = here();
        return *this;
    }
    const fifo_setting &operator=(const fifo_setting &other) const { return *this = std::int64_t(other.at->fifo_words); }
};

// Is it an array or vector of ports, or all ports of one direction?
template <typename End, typename = void>
constexpr bool is_list = false;
template <typename End>
constexpr bool is_list<End, std::void_t<decltype(std::declval<const End &>()[0].at)>> = true;

// Do the kinds of both ends suit their ports?
ADF_SIM_RUN void check_kinds(const port &from, const end_spec &left, const port &to, const end_spec &right);

} // namespace sim

// A connection from an output to an input port. Only connections with a name can be constrained.
template <typename From = any_kind, typename To = From>
class connect {
public:
    template <typename Source, typename Sink>
    connect(const Source &from, const Sink &to) {
        join(from, to);
    }
    connect() = default; // for arrays of connections that are made later

    sim::edge &made() const {
        if (!edge_) sim::stop("a connection that joins nothing is constrained");
        return *edge_;
    }

private:
    template <typename Source, typename Sink>
    void join(const Source &from, const Sink &to) {
        if constexpr (std::is_same<std::decay_t<Source>, parameter>::value) {
            // A table that the kernel names itself.
            if constexpr (std::is_same<std::decay_t<Sink>, kernel>::value) {
                const sim::statement now = sim::here();
                if (now && from.node()) sim::simulation::get().made.tables.push_back({from.node(), &to.node(), now});
            } else {
                static_cast<void>(to);
            }
        } else if constexpr (sim::is_list<Source> || sim::is_list<Sink>) {
            static_assert(sizeof(Source) == 0, "an array of ports is connected: name one, as in `s.in[0]`");
        } else {
            const sim::end_spec left = sim::kind_of<From>::get();
            const sim::end_spec right = sim::kind_of<To>::get();
            sim::check_kinds(*from.at, left, *to.at, right);
            edge_ = &sim::simulation::get().connect(*from.at, *to.at, left, right);
        }
    }
    sim::edge *edge_ = nullptr;
};
template <typename Source, typename Sink>
connect(const Source &, const Sink &) -> connect<any_kind, any_kind>;

// Words that may wait on this connection, in addition to those in the switches.
template <typename From, typename To>
sim::fifo_setting fifo_depth(const connect<From, To> &net) { return sim::fifo_setting(&net.made()); }

// Splits packets by the id in their header; output i gets the packets with id i.
template <unsigned Ways>
class pktsplit {
public:
    sim::port_list<adf::input> in;
    sim::port_list<adf::output> out;

    static pktsplit create() {
        static_assert(Ways <= 32, "a packet header has room for 32 ids");
        pktsplit made;
        sim::node &node = sim::simulation::get().add_split(Ways);
        made.in = sim::port_list<adf::input>(&node);
        made.out = sim::port_list<adf::output>(&node);
        return made;
    }
};

// The port of a tile's switch that takes packets which configure the tile. A run has no such
// packets.
class pktcontrol {
public:
    std::array<input_port, 1> in;
    static pktcontrol create() { return {}; }
};

namespace sim {
template <unsigned Ways, bool Ordered>
struct merge_of {
    port_list<adf::input> in;
    port_list<adf::output> out;
    static merge_of create() {
        static_assert(Ways <= 32, "a packet header has room for 32 ids");
        merge_of made;
        node &n = simulation::get().add_merge(Ways, Ordered);
        made.in = port_list<adf::input>(&n);
        made.out = port_list<adf::output>(&n);
        return made;
    }
};
} // namespace sim

// Merges packets in the order they come, or in the order of the inputs.
template <unsigned Ways>
using pktmerge = sim::merge_of<Ways, false>;
template <unsigned Ways>
using pktorderedmerge = sim::merge_of<Ways, true>;

} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "connect.inl"
#endif
