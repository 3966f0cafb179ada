// Nodes that split and merge packets.
#ifndef AIEC_WITNESS_ADF_PACKETS_H
#define AIEC_WITNESS_ADF_PACKETS_H

namespace adf {

// UG1076 2022.1 and UG1079, "Graph Objects for Packet Processing": `template <int nway>`, `static
// pktsplit<nway> & create()`, vectors of ports.
template <int Ways>
class pktsplit {
    static_assert(Ways > 0 && Ways <= AIEC_WITNESS_PACKET_WAYS, "too many ways for this release");

public:
    static pktsplit<Ways> &create();
    std::vector<port<input>> in;
    std::vector<port<output>> out;
};

template <int Ways>
class pktmerge {
    static_assert(Ways > 0 && Ways <= AIEC_WITNESS_PACKET_WAYS, "too many ways for this release");

public:
    static pktmerge<Ways> &create();
    std::vector<port<input>> in;
    std::vector<port<output>> out;
};

} // namespace adf

#endif
