// Collectives over rings, butterflies and direct links: allreduce, scan, allgather, reduce_scatter,
// alltoall, sendrecv.
#include "aiec/allgather.h"
#include "aiec/allreduce.h"
#include "aiec/alltoall.h"
#include "aiec/reduce_scatter.h"
#include "aiec/scan.h"
#include "aiec/sendrecv.h"

#include "harness.h"
#include "hypercube.h"

namespace {

using namespace test;
using aiec::max;
using aiec::sum;

// Element `i` of the combination of ranks `first` to `last`, in rank order.
template <typename C>
typename C::element_type combination(unsigned first, unsigned last, unsigned call, unsigned i) {
    using T = typename C::element_type;
    T all = given<T>(first, call, i);
    for (unsigned rank = first + 1; rank <= last; ++rank) all = C::op_type::apply(all, given<T>(rank, call, i));
    return all;
}

template <typename T>
void fill(array<T> &data, unsigned rank, unsigned call) {
    for (unsigned i = 0; i < data.size(); ++i) data[i] = given<T>(rank, call, i);
}

template <typename C>
struct use {
    using T = typename C::element_type;
    static constexpr unsigned n = C::rank_count, block = C::data_elements;

    template <typename Wanted>
    static void compare(array<T> &got, const char *what, unsigned rank, unsigned call, Wanted wanted) {
        for (unsigned i = 0; i < got.size(); ++i) expect(got[i], wanted(i), what, n, rank, call, i);
    }
};

template <typename C>
struct use_allreduce : use<C> {
    template <typename Member>
    static void call(Member &m, unsigned call) {
        array<typename C::element_type> data(C::data_elements);
        fill(data, m.rank(), call);
        m.allreduce(data.data());
        use<C>::compare(data, "allreduce", m.rank(), call,
                        [&](unsigned i) { return combination<C>(0, C::rank_count - 1, call, i); });
    }
};

template <typename C>
struct use_scan : use<C> {
    template <typename Member>
    static void call(Member &m, unsigned call) {
        array<typename C::element_type> data(C::data_elements);
        fill(data, m.rank(), call);
        m.scan(data.data());
        use<C>::compare(data, C::exclusive ? "exclusive scan" : "scan", m.rank(), call, [&](unsigned i) {
            const unsigned last = C::exclusive && m.rank() > 0 ? m.rank() - 1 : m.rank();
            return combination<C>(0, last, call, i);
        });
    }
};

template <typename C>
struct use_allgather : use<C> {
    using T = typename C::element_type;
    template <typename Member>
    static void call(Member &m, unsigned call) {
        array<T> send(C::data_elements), found(C::data_elements * C::rank_count);
        fill(send, m.rank(), call);
        m.allgather(send.data(), found.data());
        use<C>::compare(found, "allgather", m.rank(), call, [&](unsigned i) {
            return given<T>(i / C::data_elements, call, i % C::data_elements);
        });
    }
};

template <typename C>
struct use_reduce_scatter : use<C> {
    template <typename Member>
    static void call(Member &m, unsigned call) {
        array<typename C::element_type> send(C::data_elements * C::rank_count), found(C::data_elements);
        fill(send, m.rank(), call);
        m.reduce_scatter(send.data(), found.data());
        use<C>::compare(found, "reduce_scatter", m.rank(), call, [&](unsigned i) {
            return combination<C>(0, C::rank_count - 1, call, m.rank() * C::data_elements + i);
        });
    }
};

template <typename C>
struct use_alltoall : use<C> {
    using T = typename C::element_type;
    template <typename Member>
    static void call(Member &m, unsigned call) {
        array<T> send(C::data_elements * C::rank_count), found(C::data_elements * C::rank_count);
        fill(send, m.rank(), call);
        m.alltoall(send.data(), found.data());
        use<C>::compare(found, "alltoall", m.rank(), call, [&](unsigned i) {
            return given<T>(i / C::data_elements, call, m.rank() * C::data_elements + i % C::data_elements);
        });
    }
};

// Every rank sends to the rank two further; the first two ranks receive nothing.
template <typename C>
struct use_sendrecv : use<C> {
    using T = typename C::element_type;
    template <typename Member>
    static void call(Member &m, unsigned call) {
        array<T> send(C::data_elements), found(C::data_elements, T(99));
        fill(send, m.rank(), call);
        m.sendrecv(send.data(), found.data());
        use<C>::compare(found, "sendrecv", m.rank(), call,
                        [&](unsigned i) { return m.rank() < 2 ? T(99) : given<T>(m.rank() - 2, call, i); });
    }
};

// --- wiring --------------------------------------------------------------------------------------

std::vector<edge> ring(unsigned size) {
    std::vector<edge> edges;
    for (unsigned r = 0; r < size; ++r) edges.push_back({r, 0, (r + 1) % size, 0});
    return edges;
}

// To the ranks `distance(port)` further, all around.
template <typename Distance>
std::vector<edge> around(unsigned size, unsigned ports, Distance distance) {
    std::vector<edge> edges;
    for (unsigned r = 0; r < size; ++r) {
        for (unsigned p = 0; p < ports; ++p) edges.push_back({r, p, (r + distance(p)) % size, p});
    }
    return edges;
}
unsigned doubling(unsigned port) { return 1U << port; }
unsigned counting(unsigned port) { return port + 1; }

// A class with as many ports of each kind as `Ports`, in every rank.
template <typename C, typename Member, unsigned Ports, typename Use>
void add_same(test::graph &g, const std::vector<edge> &edges) {
    g.add<C>([](auto rank) { return create<C, Member, Ports, Ports, Use>(rank); }, edges);
}

template <typename C>
void add_allreduce_butterfly(test::graph &g) {
    static constexpr corners cube{C::rank_count};
    g.add<C>([](auto rank) {
        constexpr unsigned ports = cube.ports(rank);
        using member = aiec::allreduce_butterfly<C, cube.rounds, cube.fold(rank)>;
        return create<C, member, ports, ports, use_allreduce<C>>(rank);
    }, cube.links());
}

template <typename C>
void add_scan_butterfly(test::graph &g) {
    static constexpr unsigned n = C::rank_count;
    std::vector<edge> edges;
    for (unsigned k = 0; 1U << k < n; ++k) {
        for (unsigned r = 0; r + (1U << k) < n; ++r) edges.push_back({r, k, r + (1U << k), k});
    }
    g.add<C>([](auto rank) {
        // Distances up to the rank, and up to the ranks after it.
        constexpr unsigned ins = rank == 0 ? 0 : 1 + rounds_down(rank);
        constexpr unsigned outs = rank + 1 == n ? 0 : 1 + rounds_down(n - 1 - rank);
        return create<C, aiec::scan_butterfly<C, ins, outs>, ins, outs, use_scan<C>>(rank);
    }, edges);
}

template <typename C>
void add_scan_chain(test::graph &g) {
    std::vector<edge> edges;
    for (unsigned r = 1; r < C::rank_count; ++r) edges.push_back({r - 1, 0, r, 0});
    g.add<C>([](auto rank) {
        constexpr unsigned ins = rank == 0 ? 0 : 1, outs = rank + 1 == C::rank_count ? 0 : 1;
        return create<C, aiec::scan_chain<C, ins, outs>, ins, outs, use_scan<C>>(rank);
    }, edges);
}

template <typename C>
void add_reduce_scatter_halving(test::graph &g) {
    constexpr unsigned n = C::rank_count, rounds = rounds_up(n);
    std::vector<edge> edges;
    for (unsigned r = 0; r < n; ++r) {
        for (unsigned k = 0; k < rounds; ++k) edges.push_back({r, k, r ^ (1U << k), k});
    }
    add_same<C, aiec::reduce_scatter_halving<C, rounds>, rounds, use_reduce_scatter<C>>(g, edges);
}

template <typename C>
void add_ring_allreduce(test::graph &g) {
    add_same<C, aiec::allreduce_ring<C>, 1, use_allreduce<C>>(g, ring(C::rank_count));
}
template <typename C>
void add_ring_reduce_scatter(test::graph &g) {
    add_same<C, aiec::reduce_scatter_ring<C>, 1, use_reduce_scatter<C>>(g, ring(C::rank_count));
}
template <typename C>
void add_allgathers(test::graph &g) {
    constexpr unsigned n = C::rank_count, rounds = rounds_up(n);
    add_same<C, aiec::allgather_ring<C>, 1, use_allgather<C>>(g, ring(n));
    add_same<C, aiec::allgather_butterfly<C, rounds>, rounds, use_allgather<C>>(g, around(n, rounds, doubling));
}
template <typename C>
void add_alltoalls(test::graph &g) {
    constexpr unsigned n = C::rank_count, rounds = rounds_up(n);
    add_same<C, aiec::alltoall_ring<C>, 1, use_alltoall<C>>(g, ring(n));
    add_same<C, aiec::alltoall_butterfly<C, rounds>, rounds, use_alltoall<C>>(g, around(n, rounds, doubling));
    // A kernel has 14 windows.
    if constexpr (n <= 8) {
        add_same<C, aiec::alltoall_flat<C>, n - 1, use_alltoall<C>>(g, around(n, n - 1, counting));
    }
}
template <typename C>
void add_sendrecv(test::graph &g) {
    std::vector<edge> edges;
    for (unsigned r = 2; r < C::rank_count; ++r) edges.push_back({r - 2, 0, r, 0});
    g.add<C>([](auto rank) {
        constexpr unsigned ins = rank < 2 ? 0 : 1, outs = rank + 2 < C::rank_count ? 1 : 0;
        return create<C, aiec::sendrecv_pair<C, ins, outs>, ins, outs, use_sendrecv<C>>(rank);
    }, edges);
}

template <typename C>
struct exclusively : C {
    static constexpr bool exclusive = true;
};

// Parts of an allreduce over a ring: multiples of 32 bytes.
template <typename C>
struct in_parts : C {
    static constexpr unsigned vector = 32 / sizeof(typename C::element_type);
    static constexpr unsigned part_elements =
        ((C::data_elements + C::rank_count - 1) / C::rank_count + vector - 1) / vector * vector;
    static constexpr unsigned chunks_per_call = (part_elements + C::window_elements - 1) / C::window_elements;
};

class all : public test::graph {
public:
    all() {
        add_allreduce_butterfly<collective<int32, 2, 32, 32, sum>>(*this);
        add_allreduce_butterfly<collective<int32, 3, 20, 16, compose, false>>(*this);
        add_allreduce_butterfly<collective<float, 7, 24, 8, sum>>(*this);
        add_allreduce_butterfly<collective<int32, 16, 9, 8, compose, false>>(*this);
        add_ring_allreduce<in_parts<collective<int32, 2, 64, 16, sum>>>(*this);
        add_ring_allreduce<in_parts<collective<int16, 3, 50, 16, max>>>(*this);
        // Parts without elements.
        add_ring_allreduce<in_parts<collective<int32, 7, 30, 8, sum>>>(*this);
        add_ring_allreduce<in_parts<collective<float, 16, 200, 8, sum>>>(*this);
        add_scan_chain<collective<int32, 2, 16, 16, sum>>(*this);
        add_scan_chain<collective<float, 16, 24, 8, sum>>(*this);
        add_scan_chain<exclusively<collective<int32, 7, 20, 8, compose, false>>>(*this);
        add_scan_butterfly<exclusively<collective<int32, 3, 24, 8, compose, false>>>(*this);
        add_scan_butterfly<collective<int32, 7, 13, 8, compose, false>>(*this);
        add_scan_butterfly<exclusively<collective<int32, 16, 8, 8, sum>>>(*this);
        add_allgathers<collective<int32, 2, 8, 8, sum>>(*this);
        add_allgathers<collective<int16, 3, 21, 16, sum>>(*this);
        add_allgathers<collective<int32, 7, 24, 8, sum>>(*this);
        add_allgathers<collective<float, 16, 12, 8, sum>>(*this);
        add_ring_reduce_scatter<collective<int32, 2, 16, 16, sum>>(*this);
        add_ring_reduce_scatter<collective<float, 3, 24, 8, sum>>(*this);
        add_ring_reduce_scatter<collective<int16, 16, 16, 16, max>>(*this);
        add_ring_reduce_scatter<collective<int32, 7, 11, 8, sum>>(*this);
        add_reduce_scatter_halving<collective<int32, 2, 24, 8, compose, false>>(*this);
        add_reduce_scatter_halving<collective<int32, 16, 10, 8, compose, false>>(*this);
        add_alltoalls<collective<int32, 2, 8, 8, sum>>(*this);
        add_alltoalls<collective<float, 3, 16, 8, sum>>(*this);
        add_alltoalls<collective<int32, 7, 9, 8, sum, true, false>>(*this);
        add_alltoalls<collective<int16, 16, 16, 16, sum>>(*this);
        add_sendrecv<collective<int32, 7, 45, 16, sum>>(*this);
        add_sendrecv<collective<int64, 3, 4, 4, sum>>(*this);
    }
};

} // namespace

static all g;

int main() { return test::run(g); }
