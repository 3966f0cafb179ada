// Connections.
#ifndef AIEC_WITNESS_ADF_CONNECT_H
#define AIEC_WITNESS_ADF_CONNECT_H

namespace adf {

// UG1076 2022.1 and UG1079 2022.2, "Connection Constructor Templates": the kind of connection.
// Window: bytes, and bytes of overlap.
struct stream;
struct cascade;
struct pktstream;
template <int Bytes, int Margin = 0>
struct window;

namespace witness {

// `connect<>`: the kinds follow from the kernels' ports.
struct implied;

template <typename Kind>
struct is_kind : is_one_of<Kind, implied, stream, cascade, pktstream, parameter> {};
template <int Bytes, int Margin>
struct is_kind<window<Bytes, Margin>> : std::true_type {
    static_assert(Bytes > 0, "a window has bytes");
    static_assert(Margin >= 0, "an overlap is not negative");
};

// UG1079 2025.2, "Connection Constructor Templates", table 1: a cascade goes to a cascade only.
// Parameters: the same page.
template <typename Kind>
struct goes_alone : is_one_of<Kind, cascade, parameter, implied> {};

} // namespace witness

// "Connection Constructor Templates": one argument stands for both ends. A connection need not have
// a name ("Connections").
template <typename Source = witness::implied, typename Destination = Source>
class connect {
    static_assert(witness::is_kind<Source>::value, "no kind of connection");
    static_assert(witness::is_kind<Destination>::value, "no kind of connection");
    static_assert(std::is_same<Source, Destination>::value ||
                      !(witness::goes_alone<Source>::value || witness::goes_alone<Destination>::value),
                  "no connection between ends of these kinds");

public:
    // UG1076 2022.1 and UG1079, "Port Combinations": these and no others. Ports are lvalues, since
    // they are parts of kernels and graphs.
    connect(port<output> &, port<output> &);
    connect(port<output> &, port<input> &);
    connect(port<output> &, port<inout> &);
    connect(port<input> &, port<input> &);
    connect(port<input> &, port<inout> &);
    connect(port<inout> &, port<input> &);
    connect(port<inout> &, port<output> &);
    // UG1079, "Runtime Parameter Support Summary":
    // `connect<parameter>(async(second.inout[0]), toPS)`, where `toPS` is the inout_port that
    // graph::read takes ("graph"). Vitis-Tutorials 2023, "RTP":
    // `adf::port<adf::direction::inout> iter` behind such a connection.
    connect(port<inout> &, port<inout> &);
    // "Port Combinations": `parameter&` and `kernel&`.
    connect(parameter &, kernel &);
};

} // namespace adf

#endif
