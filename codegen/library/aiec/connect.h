// Connects the kernels of a collective: one function for each shape, called once by the constructor
// of the graph.
//
// All functions take links of a given number of bytes, and the ranks in the order of the
// parameters: a list of aiec::rank, an array of kernels, or the result of aiec::with_ports or
// aiec::column. The links that end at a rank have consecutive input ports, the links that start
// there consecutive output ports: first the links towards the root, then those away from it, each
// in the order of their other ends.
#pragma once

#include <adf.h>

#include "link.h"

namespace aiec {

// The links of a tree: to the root, from the root, or one of each between a rank and the one above
// it.
enum direction { up, down, up_and_down };

// From an output port of one rank to an input port of another one.
template <unsigned Bytes, typename Element>
void connect_pair(const rank &from, unsigned out, const rank &to, unsigned in, buffering buffers) {
    link<Bytes, Element>(from.kernel->out[out], to.kernel->in[in]);
    describe<Bytes, Element>(from.kernel->out[out], buffers);
    describe<Bytes, Element>(to.kernel->in[in], buffers);
}

// Number of the first `count` ranks directly below `place`.
template <typename Tree>
unsigned children(const Tree &tree, unsigned place, unsigned count) {
    unsigned found = 0;
    for (unsigned i = 0; i < count; ++i)
        if (i != tree.root && tree.parent(i) == place) ++found;
    return found;
}

// Any tree: a type with the place of the root, and of the parent of every other rank.
template <unsigned Bytes, typename Element, typename Tree, typename Ranks>
void connect_rooted(const Tree &tree, Ranks ranks, unsigned count, direction way, buffering buffers) {
    for (unsigned i = 0; i < count; ++i) {
        if (i == tree.root) continue;
        const unsigned above = tree.parent(i);
        const unsigned c = children(tree, above, i); // this is child c of the rank above
        const rank child = rank_at(ranks, i), parent = rank_at(ranks, above);
        if (way != down) connect_pair<Bytes, Element>(child, child.out, parent, parent.in + c, buffers);
        if (way == up) continue;
        // Ports of links that go up come first: to the rank's own parent, and from its children.
        const unsigned outs = way == down || above == tree.root ? 0 : 1;
        const unsigned ins = way == down ? 0 : children(tree, i, count);
        connect_pair<Bytes, Element>(parent, parent.out + outs + c, child, child.in + ins, buffers);
    }
}

struct complete_tree {
    unsigned arity, root;
    unsigned parent(unsigned i) const { return (i - 1) / arity; }
};
struct binomial_tree {
    unsigned root;
    unsigned parent(unsigned i) const { return i & (i - 1); }
};
struct chain {
    unsigned root;
    unsigned parent(unsigned i) const { return i < root ? i + 1 : i - 1; }
};
struct star {
    unsigned root;
    unsigned parent(unsigned) const { return root; }
};
// The ranks below the heads form one cluster for each head. The first `larger` clusters have one
// rank more than `members` below their head.
struct hub {
    unsigned heads, larger, members, root;
    unsigned parent(unsigned i) const {
        if (i <= heads) return root;
        const unsigned member = i - 1 - heads, in_larger = larger * (members + 1);
        if (member < in_larger) return 1 + member / (members + 1);
        return 1 + larger + (member - in_larger) / members;
    }
};

// A complete tree, root first: child c of rank i is rank arity * i + 1 + c.
template <unsigned Bytes, typename Element = void, typename Ranks>
void connect_tree(Ranks ranks, unsigned count, unsigned arity, direction way = up,
                  buffering buffers = pingpong_buffers) {
    connect_rooted<Bytes, Element>(complete_tree{arity, 0}, ranks, count, way, buffers);
}

// A binomial tree, root first: the parent of rank i is i without its lowest bit that is set.
template <unsigned Bytes, typename Element = void, typename Ranks>
void connect_binomial(Ranks ranks, unsigned count, direction way = up, buffering buffers = pingpong_buffers) {
    connect_rooted<Bytes, Element>(binomial_tree{0}, ranks, count, way, buffers);
}

// Neighbours in the order of the list, in which the root may be anywhere.
template <unsigned Bytes, typename Element = void, typename Ranks>
void connect_chain(Ranks ranks, unsigned count, unsigned root, direction way = up,
                   buffering buffers = pingpong_buffers) {
    connect_rooted<Bytes, Element>(chain{root}, ranks, count, way, buffers);
}

// Connects all other ranks directly below the root, which is first and has a port for each.
template <unsigned Bytes, typename Element = void, typename Ranks>
void connect_flat(Ranks ranks, unsigned count, direction way = up, buffering buffers = pingpong_buffers) {
    connect_rooted<Bytes, Element>(star{0}, ranks, count, way, buffers);
}

// The root, then the heads below it, then the ranks below each head, in clusters whose sizes differ
// by one at most.
template <unsigned Bytes, typename Element = void, typename Ranks>
void connect_hub(Ranks ranks, unsigned count, unsigned heads, direction way = up,
                 buffering buffers = pingpong_buffers) {
    const unsigned others = count - 1, clusters = heads < others ? heads : others;
    if (clusters == 0) return;
    const hub tree{clusters, others % clusters, others / clusters - 1, 0};
    connect_rooted<Bytes, Element>(tree, ranks, count, way, buffers);
}

// From one port of the root, which is first, to all others at once.
template <unsigned Bytes, typename Element = void, typename Ranks>
void connect_multicast(Ranks ranks, unsigned count, buffering buffers = pingpong_buffers) {
    const rank root = rank_at(ranks, 0);
    describe<Bytes, Element>(root.kernel->out[root.out], buffers);
    for (unsigned i = 1; i < count; ++i) {
        const rank to = rank_at(ranks, i);
        link<Bytes, Element>(root.kernel->out[root.out], to.kernel->in[to.in]);
        describe<Bytes, Element>(to.kernel->in[to.in], buffers);
    }
}

// Connects all other ranks through a merge of packets to one port of the root, which is first.
template <unsigned Bytes, typename Element = void, typename Merge, typename Ranks>
void connect_merge(Merge &merge, Ranks ranks, unsigned count, sending when = any_time,
                   buffering buffers = pingpong_buffers) {
    for (unsigned i = 1; i < count; ++i) {
        const rank from = rank_at(ranks, i);
        link_packets<Bytes, Element>(from.kernel->out[from.out], merge.in[i - 1], when);
        describe<Bytes, Element>(from.kernel->out[from.out], buffers);
    }
    const rank root = rank_at(ranks, 0);
    adf::connect<adf::pktstream>(merge.out[0], root.kernel->in[root.in]);
}

// Every rank to the next one, the last to the first.
template <unsigned Bytes, typename Element = void, typename Ranks>
void connect_ring(Ranks ranks, unsigned count, buffering buffers = pingpong_buffers) {
    for (unsigned i = 0; i < count && count > 1; ++i) {
        const rank from = rank_at(ranks, i), to = rank_at(ranks, (i + 1) % count);
        connect_pair<Bytes, Element>(from, from.out, to, to.in, buffers);
    }
}

// Port k of every rank to port k of the rank 2^k further, around the end of the list.
template <unsigned Bytes, typename Element = void, typename Ranks>
void connect_dissemination(Ranks ranks, unsigned count, buffering buffers = pingpong_buffers) {
    for (unsigned k = 0, distance = 1; distance < count; ++k, distance *= 2) {
        for (unsigned i = 0; i < count; ++i) {
            const rank from = rank_at(ranks, i), to = rank_at(ranks, (i + distance) % count);
            connect_pair<Bytes, Element>(from, from.out + k, to, to.in + k, buffers);
        }
    }
}

// As above, without wrapping around the end.
template <unsigned Bytes, typename Element = void, typename Ranks>
void connect_prefix(Ranks ranks, unsigned count, buffering buffers = pingpong_buffers) {
    for (unsigned k = 0, distance = 1; distance < count; ++k, distance *= 2) {
        for (unsigned i = 0; i + distance < count; ++i) {
            const rank from = rank_at(ranks, i), to = rank_at(ranks, i + distance);
            connect_pair<Bytes, Element>(from, from.out + k, to, to.in + k, buffers);
        }
    }
}

// Port k of every rank to port k of the rank whose number differs in bit k. If the number of ranks
// is no power of two, the first `pairs` pairs fold: the even rank sends to the odd one before all
// rounds and gets the result back at the end; only the odd rank takes part.
template <unsigned Bytes, typename Element = void, typename Ranks>
void connect_hypercube(Ranks ranks, unsigned count, buffering buffers = pingpong_buffers) {
    unsigned bits = 0;
    while (count >> bits > 1) ++bits;
    const unsigned corners = 1u << bits, pairs = count - corners;
    for (unsigned corner = 0; corner < corners; ++corner) {
        for (unsigned k = 0; k < bits; ++k) {
            const unsigned other = corner ^ (1u << k);
            const rank from = rank_at(ranks, corner < pairs ? 2 * corner + 1 : corner + pairs);
            const rank to = rank_at(ranks, other < pairs ? 2 * other + 1 : other + pairs);
            // A keeper's first port is the one from the rank that it folds.
            const unsigned folded = other < pairs ? 1 : 0;
            connect_pair<Bytes, Element>(from, from.out + k, to, to.in + folded + k, buffers);
        }
    }
    for (unsigned pair = 0; pair < pairs; ++pair) {
        const rank even = rank_at(ranks, 2 * pair), odd = rank_at(ranks, 2 * pair + 1);
        connect_pair<Bytes, Element>(even, even.out, odd, odd.in, buffers);
        connect_pair<Bytes, Element>(odd, odd.out + bits, even, even.in, buffers);
    }
}

// Port k of every rank to port k of the rank k + 1 further: each to all others.
template <unsigned Bytes, typename Element = void, typename Ranks>
void connect_all(Ranks ranks, unsigned count, buffering buffers = pingpong_buffers) {
    for (unsigned k = 0; k + 1 < count; ++k) {
        for (unsigned i = 0; i < count; ++i) {
            const rank from = rank_at(ranks, i), to = rank_at(ranks, (i + k + 1) % count);
            connect_pair<Bytes, Element>(from, from.out + k, to, to.in + k, buffers);
        }
    }
}

// Every rank to the next one by the cascade stream between neighbouring cores, which carries no
// windows.
template <typename Ranks>
void connect_cascade(Ranks ranks, unsigned count) {
    for (unsigned i = 0; i + 1 < count; ++i) {
        const rank from = rank_at(ranks, i), to = rank_at(ranks, i + 1);
        adf::connect<adf::cascade>(from.kernel->out[from.out], to.kernel->in[to.in]);
    }
}

} // namespace aiec
