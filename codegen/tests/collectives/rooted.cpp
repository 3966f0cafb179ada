// reduce, broadcast and allreduce over trees of every shape; reduce with data in arrays and
// without.
#include "aiec/allreduce.h"
#include "aiec/broadcast.h"
#include "aiec/reduce.h"

#include "reducing.h"

namespace {

using namespace test;

// The combination of all ranks' elements in rank order.
template <typename C>
typename C::element_type combination(unsigned call, unsigned i) {
    using T = typename C::element_type;
    T all = given<T>(0, call, i);
    for (unsigned rank = 1; rank < C::rank_count; ++rank) all = C::op_type::apply(all, given<T>(rank, call, i));
    return all;
}

struct use_reduce {
    template <typename Member>
    static void call(Member &m, unsigned call) { check(m, call); }
    template <typename C, unsigned I, unsigned O, unsigned B, bool Root>
    static void check(aiec::reduce_tree<C, I, O, B, Root> &m, unsigned call) {
        using T = typename C::element_type;
        array<T> data(C::data_elements);
        reduce<C>(m, call, data, [&](unsigned i) { return given<T>(m.rank(), call, i); });
        for (unsigned i = 0; i < data.size(); ++i) {
            const T wanted = Root ? combination<C>(call, i) : given<T>(m.rank(), call, i);
            expect(data[i], wanted, "reduce", C::rank_count, m.rank(), call, i);
        }
    }
};

struct use_broadcast {
    template <typename C, unsigned I, unsigned O>
    static void call(aiec::broadcast_tree<C, I, O> &m, unsigned call) {
        using T = typename C::element_type;
        array<T> data(C::data_elements);
        for (unsigned i = 0; i < data.size(); ++i) data[i] = given<T>(m.rank(), call, i);
        m.broadcast(data.data());
        for (unsigned i = 0; i < data.size(); ++i)
            expect(data[i], given<T>(C::root, call, i), "broadcast", C::rank_count, m.rank(), call, i);
    }
};

template <typename C>
struct use_allreduce {
    template <typename Member>
    static void call(Member &m, unsigned call) {
        using T = typename C::element_type;
        array<T> data(C::data_elements);
        for (unsigned i = 0; i < data.size(); ++i) data[i] = given<T>(m.rank(), call, i);
        m.allreduce(data.data());
        for (unsigned i = 0; i < data.size(); ++i)
            expect(data[i], combination<C>(call, i), "allreduce", C::rank_count, m.rank(), call, i);
    }
};

// reduce and broadcast over one tree.
template <typename C, shape Shape>
void add_one_way(test::graph &g) {
    static constexpr auto t = make_tree<C::rank_count>(Shape, C::root);
    std::vector<edge> up, down;
    link_up(t, up);
    link_down(t, false, down);
    g.add<C>([](auto rank) {
        constexpr bool root = rank == C::root;
        constexpr unsigned ins = t.count[rank], outs = root ? 0 : 1;
        using member = aiec::reduce_tree<C, ins, outs, t.before[rank], root>;
        return create<C, member, ins, outs, use_reduce>(rank);
    }, up);
    g.add<C>([](auto rank) {
        constexpr unsigned ins = rank == C::root ? 0 : 1, outs = t.count[rank];
        using member = aiec::broadcast_tree<C, ins, outs>;
        return create<C, member, ins, outs, use_broadcast>(rank);
    }, down);
}

// An allreduce, which is both of these.
template <typename C, shape Shape>
void add_both_ways(test::graph &g) {
    static constexpr auto t = make_tree<C::rank_count>(Shape, C::root);
    std::vector<edge> both;
    link_up(t, both);
    link_down(t, true, both);
    g.add<C>([](auto rank) {
        constexpr unsigned above = rank == C::root ? 0 : 1, below = t.count[rank];
        using member = aiec::allreduce_tree<C, below, above, above, below, t.before[rank]>;
        return create<C, member, above + below, above + below, use_allreduce<C>>(rank);
    }, both);
}

// Every rank of a broadcast over one port that leads to all children.
template <typename C>
void add_multicast(test::graph &g) {
    std::vector<edge> links;
    for (unsigned r = 1; r < C::rank_count; ++r) links.push_back({0, 0, r, 0});
    g.add<C>([](auto rank) {
        constexpr unsigned ins = rank == 0 ? 0 : 1, outs = rank == 0 ? 1 : 0;
        using member = aiec::broadcast_tree<C, ins, outs>;
        return create<C, member, ins, outs, use_broadcast>(rank);
    }, links);
}

template <typename C, unsigned Root>
struct rooted_at : C {
    static constexpr unsigned root = Root;
};

using aiec::max;
using aiec::sum;

class all : public test::graph {
public:
    all() {
        // One chunk, several, several with a tail; a window of 16 bytes; element by element.
        add_one_way<collective<int32, 2, 64, 64, sum>, shape::heap2>(*this);
        add_one_way<rooted_at<collective<float, 3, 96, 32, sum>, 1>, shape::heap2>(*this);
        add_one_way<rooted_at<collective<int16, 7, 37, 16, sum, true, false>, 2>, shape::chain>(*this);
        add_one_way<collective<int32, 16, 21, 4, compose, false>, shape::binomial>(*this);
        add_both_ways<collective<int16, 2, 5, 16, max>, shape::chain>(*this);
#ifndef AIEC_TEST_BUFFERS // which differ in nothing but ports.h
        add_both_ways<rooted_at<collective<int32, 7, 24, 8, compose, false>, 3>, shape::chain>(*this);
        add_both_ways<rooted_at<collective<int32, 7, 64, 64, max>, 5>, shape::binomial>(*this);
        add_both_ways<collective<int32, 7, 45, 16, sum>, shape::hub2>(*this);
        add_both_ways<rooted_at<collective<float, 16, 72, 32, sum>, 9>, shape::heap3>(*this);
        add_both_ways<collective<int32, 16, 8, 8, max>, shape::flat>(*this);
#endif
        add_multicast<collective<int64, 3, 7, 4, sum>>(*this);
    }
};

} // namespace

static all g;

int main() { return test::run(g); }
