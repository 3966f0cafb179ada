// The argument of the thesis (4.4.2) as a test: calls of one collective never mix, nor do their
// chunks, however many are in flight, and two collectives in one set of kernels do not disturb each
// other.
//
// Every element carries a tag of its collective, its call and its place. Combining different tags
// gives a mark that stays.
#include "aiec/broadcast.h"
#include "aiec/reduce.h"

#include "harness.h"

namespace {

using namespace test;

constexpr int32 mixed = -1;

struct same_tag {
    static int32 apply(int32 a, int32 b) { return a == b ? a : mixed; }
};

int32 tag(unsigned collective, unsigned call, unsigned i) { return int32(collective << 24 | call << 12 | i); }

// A rank of both collectives: with the ports of the reduction first.
template <typename C, unsigned Children, bool Root>
class both {
public:
    static constexpr unsigned above = Root ? 0 : 1;

    both(unsigned rank, aiec::ins<C, Children + above> in, aiec::outs<C, Children + above> out)
        : up(rank, aiec::part<Children>(in, 0), aiec::part<above>(out, 0)),
          down(rank, aiec::part<above>(in, Children), aiec::part<Children>(out, above)) {}

    aiec::reduce_tree<C, Children, above, 0, Root> up;
    aiec::broadcast_tree<C, above, Children> down;
};

void come_late(unsigned most) {
    static adf::sim::random_source chance(adf::sim::settings::get().seed + 1);
    for (std::uint64_t n = chance.below(most); n > 0; --n) adf::sim::running_kernel()->wait_for({});
}

struct use_both {
    template <typename C, unsigned Children, bool Root>
    static void call(both<C, Children, Root> &m, unsigned number) {
        // Leaves run ahead as far as buffers let them; those in the middle are slow.
        for (unsigned i = 0; i < 10; ++i) reduce(m, number * 10 + i);
        broadcast(m, number);
        reduce(m, 900 + number);
    }

private:
    template <typename C, unsigned Children, bool Root>
    static void reduce(both<C, Children, Root> &m, unsigned call) {
        array<int32> data(C::data_elements);
        for (unsigned i = 0; i < data.size(); ++i) data[i] = tag(1, call, i);
        come_late(Children > 0 ? 20 : 2);
        m.up.reduce(data.data());
        for (unsigned i = 0; i < data.size(); ++i)
            expect(data[i], tag(1, call, i), "reduce", C::rank_count, m.up.rank(), call, i);
    }
    template <typename C, unsigned Children, bool Root>
    static void broadcast(both<C, Children, Root> &m, unsigned call) {
        array<int32> data(C::data_elements, mixed);
        if (Root) {
            for (unsigned i = 0; i < data.size(); ++i) data[i] = tag(2, call, i);
        }
        m.down.broadcast(data.data());
        for (unsigned i = 0; i < data.size(); ++i)
            expect(data[i], tag(2, call, i), "broadcast", C::rank_count, m.down.rank(), call, i);
    }
};

template <typename C, shape Shape>
void add_both(test::graph &g) {
    static constexpr auto t = make_tree<C::rank_count>(Shape, C::root);
    std::vector<edge> edges;
    link_up(t, edges);
    link_down(t, true, edges);
    g.add<C>([](auto rank) {
        constexpr unsigned children = t.count[rank], ports = children + (rank == C::root ? 0 : 1);
        return create<C, both<C, children, rank == C::root>, ports, ports, use_both>(rank);
    }, edges);
}

class all : public test::graph {
public:
    all() {
        add_both<collective<int32, 7, 40, 8, same_tag>, shape::heap2>(*this);
        add_both<collective<int32, 16, 30, 8, same_tag>, shape::binomial>(*this);
        add_both<collective<int32, 3, 8, 8, same_tag>, shape::chain>(*this);
    }
};

} // namespace

static all g;

int main() { return test::run(g); }
