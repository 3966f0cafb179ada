// Barriers: ranks that arrive randomly late go through a thousand phases, and no rank leaves a
// phase before all have entered it. With AIEC_TEST_WITHOUT_BARRIERS they do not call the barrier,
// and the check must fail.
#include "aiec/barrier_merge.h"

#include "harness.h"

namespace {

using namespace test;

constexpr unsigned phases = 1000;

template <unsigned Ranks>
using signals = collective<int32, Ranks, 0, 4, void>;

// The phase that each rank of a group has entered last.
struct group {
    unsigned entered[16] = {};
    adf::sim::random_source chance{adf::sim::settings::get().seed + 1};
};

// Other kernels get their turn, sometimes.
void come_late(group &g) {
    for (std::uint64_t n = g.chance.below(8); n > 0; --n) adf::sim::running_kernel()->wait_for({});
}

template <unsigned Ranks, typename Tag>
struct use_barrier {
    static inline group g;

    template <typename Member>
    static void call(Member &m, unsigned) {
        static const bool without = std::getenv("AIEC_TEST_WITHOUT_BARRIERS") != nullptr;
        for (unsigned p = 0; p < phases / (calls * firings) + 1; ++p) {
            come_late(g);
            const unsigned phase = ++g.entered[m.rank()];
            if (!without) m.barrier();
            for (unsigned r = 0; r < Ranks; ++r) {
                if (g.entered[r] >= phase) continue;
                fail("rank %u left phase %u before rank %u of %u\n", m.rank(), phase, r, Ranks);
            }
        }
    }
};

template <unsigned Ranks, shape Shape>
void add_tree(test::graph &g) {
    using C = signals<Ranks>;
    static constexpr auto t = make_tree<Ranks>(Shape, Ranks / 2);
    std::vector<edge> both;
    link_up(t, both);
    link_down(t, true, both);
    g.add<C>([](auto rank) {
        constexpr unsigned above = rank == t.root ? 0 : 1, below = t.count[rank];
        using use = use_barrier<Ranks, std::integral_constant<shape, Shape>>;
        return create<C, aiec::barrier_tree<C, below, above, above, below>, above + below, above + below, use>(rank);
    }, both);
}

template <unsigned Ranks, unsigned Rounds>
void add_dissemination(test::graph &g) {
    using C = signals<Ranks>;
    std::vector<edge> edges;
    for (unsigned r = 0; r < Ranks; ++r) {
        for (unsigned k = 0; k < Rounds; ++k) edges.push_back({r, k, (r + (1U << k)) % Ranks, k});
    }
    g.add<C>([](auto rank) {
        return create<C, aiec::barrier_dissemination<C, Rounds>, Rounds, Rounds, use_barrier<Ranks, void>>(rank);
    }, edges);
}

// The other ranks reach rank 0 through one stream of packets, which it answers by one multicast.
template <unsigned Ranks>
struct merged {
    using C = signals<Ranks>;
    using use = use_barrier<Ranks, merged>;

    template <typename Member>
    static void fire(Member &m) {
        for (unsigned call = 0; call < calls; ++call) use::call(m, call);
    }
    static void root(input_pktstream *in, output_window<int32> *out) {
        aiec::barrier_merge<C, Ranks - 1> m(0, in, {out});
        fire(m);
    }
    template <unsigned Rank>
    static void other(input_window<int32> *in, output_window<int32> *out) {
        aiec::barrier_tree<C, 0, 1, 1, 0> m(Rank, {in}, {out});
        fire(m);
    }
    template <unsigned... Rank>
    static std::vector<adf::kernel> create(std::integer_sequence<unsigned, Rank...>) {
        return {adf::kernel::create(root), adf::kernel::create(other<Rank + 1>)...};
    }
};

template <unsigned Ranks>
void add_merged(test::graph &g, adf::pktmerge<int(Ranks) - 1> &merge) {
    g.groups.push_back(std::make_unique<std::vector<adf::kernel>>(
        merged<Ranks>::create(std::make_integer_sequence<unsigned, Ranks - 1>())));
    std::vector<adf::kernel> &k = *g.groups.back();
    merge = adf::pktmerge<int(Ranks) - 1>::create();
    for (unsigned i = 0; i < Ranks; ++i) {
        adf::source(k[i]) = "test.cpp";
        adf::runtime<adf::ratio>(k[i]) = 0.9;
        if (i == 0) continue;
        adf::connect<adf::window<16>, adf::pktstream>(adf::async(k[i].out[0]), merge.in[i - 1]);
        adf::connect<adf::window<16>>(adf::async(k[0].out[0]), adf::async(k[i].in[0]));
    }
    adf::connect<adf::pktstream>(merge.out[0], k[0].in[0]);
}

class all : public test::graph {
public:
    adf::pktmerge<1> two;
    adf::pktmerge<15> sixteen;

    all() {
        add_merged<2>(*this, two);
        add_merged<16>(*this, sixteen);
        add_tree<2, shape::heap2>(*this);
        add_tree<7, shape::flat>(*this);
        add_tree<7, shape::chain>(*this);
        add_tree<16, shape::hub2>(*this);
        add_tree<16, shape::heap3>(*this);
        add_dissemination<2, 1>(*this);
        add_dissemination<3, 2>(*this);
        add_dissemination<7, 3>(*this);
        add_dissemination<16, 4>(*this);
    }
};

} // namespace

static all g;

int main() { return test::run(g); }
