// Clocks: every way between two ranks has a latency of its own, every counter starts at another
// number, and ranks come randomly late. What each rank finds is compared with a model in real
// numbers, which knows latencies and starts. The errors of any two ranks differ by at most half the
// asymmetries on the way between them.
#include "aiec/clock.h"

#include <array>
#include <cmath>
#include <map>

#include "harness.h"
#include "hypercube.h"

namespace {

using namespace test;

template <unsigned Ranks>
using times = collective<int64, Ranks, 0, 2, void>;

adf::sim::random_source &chance() {
    static adf::sim::random_source only{adf::sim::settings::get().seed + 1};
    return only;
}

// Other kernels get their turn, sometimes; or the kernel does other work, which takes time.
void come_late() {
    for (std::uint64_t n = chance().below(8); n > 0; --n) adf::sim::running_kernel()->wait_for({});
    for (std::uint64_t n = chance().below(40); n > 0; --n) adf::sim::tick();
}

// The errors of offsets that ranks should have at least once, and what they are in each call.
template <unsigned Ranks>
struct group {
    std::array<int64, Ranks> offset{};
    std::array<const adf::sim::kernel_node *, Ranks> kernels{};
    std::vector<std::array<double, Ranks>> errors;
};

template <unsigned Ranks, typename Tag>
inline group<Ranks> found;

// A rank whose offset lives as long as the program.
template <typename Base, unsigned Ranks, typename Tag>
struct kept : Base {
    template <typename Ins, typename Outs>
    kept(unsigned rank, const Ins &in, const Outs &out) : Base(rank, in, out, found<Ranks, Tag>.offset[rank]) {}
};

template <unsigned Ranks, typename Tag>
struct use_clock {
    template <typename Member>
    static void call(Member &m, unsigned call) {
        group<Ranks> &g = found<Ranks, Tag>;
        const unsigned rank = m.rank();
        const adf::sim::kernel_node *me = adf::sim::running_kernel();
        g.kernels[rank] = me;
        come_late();
        m.sync();
        if (g.errors.size() <= call) g.errors.resize(call + 1);
        // The true offset is known when all have come; it stays the same.
        g.errors[call][rank] = double(g.offset[rank]);
        const std::uint64_t now = m.now();
        if (now != me->time + me->counter_start() - std::uint64_t(g.offset[rank])) {
            fail("rank %u of %u: now() is not its counter without the offset\n", rank, Ranks);
        }
    }
};

// --- latencies -----------------------------------------------------------------------------------

using way = std::pair<const adf::sim::node *, const adf::sim::node *>;

std::map<way, double> &latencies() {
    static std::map<way, double> all;
    return all;
}

void draw_latencies() {
    for (const auto &n : adf::sim::simulation::get().made.nets) {
        n->latency = chance().below(200);
        latencies()[{n->from->owner, n->branches[0].to->owner}] = double(n->latency);
    }
}

// What the way from the rank that gives its time takes longer than the way back.
double asymmetry(const adf::sim::node *gives, const adf::sim::node *takes) {
    return latencies().at({gives, takes}) - latencies().at({takes, gives});
}

// --- the model -----------------------------------------------------------------------------------

// Errors of all ranks, and the most by which rounding adds to them.
template <unsigned Ranks>
struct expected {
    std::array<double, Ranks> errors{};
    double rounding = 0;
};

// Compares what each call found with the model. `bound(a, b)`: half the asymmetries between them.
template <unsigned Ranks, typename Tag, typename Bound>
void compare(const char *what, const expected<Ranks> &model, Bound bound) {
    const group<Ranks> &g = found<Ranks, Tag>;
    if (g.errors.size() != calls * firings) fail("%s over %u ranks: %u calls\n", what, Ranks, unsigned(g.errors.size()));
    for (const auto &offsets : g.errors) {
        std::array<double, Ranks> error;
        for (unsigned r = 0; r < Ranks; ++r) {
            const auto ahead = [&](unsigned rank) { return double(g.kernels[rank]->counter_start()); };
            error[r] = offsets[r] - (ahead(r) - ahead(0));
            if (std::abs(error[r] - model.errors[r]) > model.rounding) {
                fail("%s over %u ranks: rank %u is off by %g, not by %g\n", what, Ranks, r, error[r], model.errors[r]);
            }
        }
        for (unsigned a = 0; a < Ranks; ++a) {
            for (unsigned b = 0; b < a; ++b) {
                const double off = std::abs(error[a] - error[b]), most = bound(a, b) + 2 * model.rounding;
                if (off > most) fail("%s over %u ranks: %u and %u are off by %g, more than %g\n", what, Ranks, a, b, off, most);
            }
        }
    }
}

// In each dimension ranks with the bit take the mean of the differences in their part of the cube.
template <unsigned Ranks, typename Tag>
void compare_cube() {
    constexpr corners cube(Ranks);
    const auto &kernels = found<Ranks, Tag>.kernels;
    const auto between = [&](unsigned gives, unsigned takes) { return asymmetry(kernels[gives], kernels[takes]); };
    expected<Ranks> model;
    std::array<double, Ranks> &error = model.errors;
    std::array<double, Ranks> folds{};
    for (unsigned i = 0; i < cube.rest; ++i) error[2 * i + 1] = folds[2 * i] = folds[2 * i + 1] = between(2 * i, 2 * i + 1) / 2;
    const std::array<double, Ranks> folded = error;
    double most = 0;
    for (unsigned d = 0; d < cube.rounds; ++d) {
        double worst = 0;
        std::array<double, Ranks> next = error;
        for (unsigned v = 0; v < 1U << cube.rounds; ++v) {
            if ((v >> d & 1) == 0) continue;
            double sum = 0;
            for (unsigned i = 0; i < 1U << d; ++i) {
                const unsigned other = (v >> d << d) + i, takes = cube.rank(other), gives = cube.rank(other ^ 1U << d);
                sum += error[gives] - error[takes] + between(gives, takes) / 2;
                worst = std::max(worst, std::abs(between(gives, takes)) / 2);
            }
            next[cube.rank(v)] = error[cube.rank(v)] + sum / (1U << d);
        }
        error = next;
        most += worst;
    }
    for (unsigned i = 0; i < cube.rest; ++i) error[2 * i] = error[2 * i + 1] - folded[2 * i + 1];
    // The clock of rank 0 is the one that stays.
    model.rounding = 0.5 * (cube.rounds + 1) + 1e-6;
    compare<Ranks, Tag>("hypercube", model, [&](unsigned a, unsigned b) {
        if (a / 2 == b / 2 && a < 2 * cube.rest) return std::abs(folds[a]);
        return most + std::abs(folds[a]) + std::abs(folds[b]);
    });
}

template <unsigned Ranks, shape Shape, typename Tag>
void compare_tree() {
    static constexpr auto t = make_tree<Ranks>(Shape, 0);
    const auto &kernels = found<Ranks, Tag>.kernels;
    expected<Ranks> model;
    std::array<double, Ranks> way{};
    unsigned deepest = 0;
    for (unsigned r = 1; r < Ranks; ++r) {
        unsigned depth = 0;
        for (unsigned at = r; at != 0; at = t.parent[at], ++depth) {
            const double half = asymmetry(kernels[t.parent[at]], kernels[at]) / 2;
            model.errors[r] += half;
            way[r] += std::abs(half);
        }
        deepest = std::max(deepest, depth);
    }
    model.rounding = 0.5 * deepest + 1e-6;
    compare<Ranks, Tag>(name(Shape), model, [&](unsigned a, unsigned b) { return way[a] + way[b]; });
}

// --- wiring --------------------------------------------------------------------------------------

std::vector<void (*)()> comparisons;

template <unsigned Ranks>
void add_cube(test::graph &g) {
    struct tag;
    using C = times<Ranks>;
    static constexpr corners cube{Ranks};
    g.add<C>([](auto rank) {
        constexpr unsigned ports = cube.ports(rank);
        using member = kept<aiec::clock_butterfly<C, cube.rounds, cube.fold(rank)>, Ranks, tag>;
        return create<C, member, ports, ports, use_clock<Ranks, tag>>(rank);
    }, cube.links());
    comparisons.push_back(compare_cube<Ranks, tag>);
}

template <unsigned Ranks, shape Shape>
void add_tree(test::graph &g) {
    struct tag;
    using C = times<Ranks>;
    static constexpr auto t = make_tree<Ranks>(Shape, 0);
    std::vector<edge> both;
    link_up(t, both);
    link_down(t, true, both);
    g.add<C>([](auto rank) {
        constexpr unsigned above = rank == t.root ? 0 : 1, below = t.count[rank];
        using member = kept<aiec::clock_tree<C, below, above, above, below>, Ranks, tag>;
        return create<C, member, above + below, above + below, use_clock<Ranks, tag>>(rank);
    }, both);
    comparisons.push_back(compare_tree<Ranks, Shape, tag>);
}

class all : public test::graph {
public:
    all() {
        add_cube<2>(*this);
        add_cube<3>(*this);
        add_cube<4>(*this);
        add_cube<5>(*this);
        add_cube<7>(*this);
        add_cube<8>(*this);
        add_cube<13>(*this);
        add_cube<16>(*this);
        add_cube<23>(*this);
        add_tree<2, shape::heap2>(*this);
        add_tree<7, shape::chain>(*this);
        add_tree<12, shape::binomial>(*this);
        add_tree<16, shape::hub2>(*this);
        add_tree<17, shape::heap3>(*this);
    }
};

} // namespace

static all g;

int main() {
    if (g.init() != adf::return_code::ok) return 1;
    if (!std::getenv("AIEC_TEST_WITHOUT_LATENCIES")) draw_latencies();
    g.run(firings);
    g.end();
    if (latencies().empty()) {
        for (const auto &n : adf::sim::simulation::get().made.nets) {
            latencies()[{n->from->owner, n->branches[0].to->owner}] = 0;
        }
    }
    for (const auto compare : comparisons) compare();
    if (failures > 0) std::fprintf(stderr, "%u errors are wrong\n", failures);
    return failures > 0 ? 1 : 0;
}
