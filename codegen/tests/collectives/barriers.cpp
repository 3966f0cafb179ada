// Barriers: ranks that come late by chance go through a thousand phases, and no rank leaves a phase before all have
// entered it. With AIEC_TEST_WITHOUT_BARRIERS they do not call the barrier, and the check must notice.
#include "aiec/barrier.h"

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

class all : public test::graph {
public:
    all() {
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
