// gather and scatter over trees: equal blocks, blocks of different sizes, none at all, and blocks
// in runs.
#include "aiec/gather.h"
#include "aiec/gather_headed.h"
#include "aiec/scatter.h"

#include "harness.h"

namespace {

using namespace test;
using aiec::sum;

// Every block is full, and they lie behind each other.
template <typename C>
struct uniform : C {
    static constexpr unsigned run_elements = 0, stride_elements = 0;
    static constexpr unsigned count(unsigned) { return C::data_elements; }
    static constexpr unsigned first(unsigned rank) { return rank * C::data_elements; }
    static constexpr unsigned windows(unsigned) { return C::chunks_per_call; }
};

// Rank r has r elements less than the largest block, or none, packed.
template <typename C>
struct shrinking : uniform<C> {
    static constexpr unsigned count(unsigned rank) { return rank < C::data_elements ? C::data_elements - rank : 0; }
    static constexpr unsigned first(unsigned rank) { return rank == 0 ? 0 : first(rank - 1) + count(rank - 1); }
    static constexpr unsigned windows(unsigned rank) {
        return (count(rank) + C::window_elements - 1) / C::window_elements;
    }
};

// The runs of all ranks alternate, after a first element that belongs to no rank.
template <typename C, unsigned Run>
struct dealt : uniform<C> {
    static constexpr unsigned run_elements = Run, stride_elements = Run * C::rank_count;
    static constexpr unsigned first(unsigned rank) { return 1 + rank * Run; }
};

template <typename C, unsigned Root>
struct rooted_at : C {
    static constexpr unsigned root = Root;
};

// Position of element `i` of a rank's block in the root's array.
template <typename C>
constexpr unsigned place(unsigned rank, unsigned i) {
    if constexpr (C::run_elements == 0) return C::first(rank) + i;
    else return C::first(rank) + i / C::run_elements * C::stride_elements + i % C::run_elements;
}
template <typename C>
unsigned all_elements() {
    unsigned last = 0;
    for (unsigned rank = 0; rank < C::rank_count; ++rank) {
        if (C::count(rank) > 0) last = std::max(last, place<C>(rank, C::count(rank) - 1) + 1);
    }
    return last;
}

template <typename C>
struct use_gather {
    using T = typename C::element_type;
    template <typename Member>
    static void call(Member &m, unsigned call) {
        array<T> send(C::data_elements), found(all_elements<C>(), T(99)), wanted(all_elements<C>(), T(99));
        for (unsigned i = 0; i < send.size(); ++i) send[i] = given<T>(m.rank(), call, i);
        if (m.rank() != C::root) return m.gather(send.data(), nullptr);
        m.gather(send.data(), found.data());
        for (unsigned rank = 0; rank < C::rank_count; ++rank) {
            for (unsigned i = 0; i < C::count(rank); ++i) wanted[place<C>(rank, i)] = given<T>(rank, call, i);
        }
        for (unsigned i = 0; i < found.size(); ++i)
            expect(found[i], wanted[i], "gather", C::rank_count, m.rank(), call, i);
    }
};

template <typename C>
struct use_scatter {
    using T = typename C::element_type;
    template <typename Member>
    static void call(Member &m, unsigned call) {
        array<T> send(all_elements<C>()), found(C::data_elements, T(99));
        for (unsigned i = 0; i < send.size(); ++i) send[i] = given<T>(C::root, call, i);
        if (m.rank() != C::root) m.scatter(nullptr, found.data());
        else m.scatter(send.data(), found.data());
        for (unsigned i = 0; i < found.size(); ++i) {
            const T wanted = i < C::count(m.rank()) ? given<T>(C::root, call, place<C>(m.rank(), i)) : T(99);
            expect(found[i], wanted, "scatter", C::rank_count, m.rank(), call, i);
        }
    }
};

// The ranks below each child of a rank, child by child, each before those below it.
template <unsigned Size>
struct below {
    unsigned short ranks[Size] = {};
    unsigned short first[Size + 1] = {};
    unsigned count = 0;

    constexpr void take(const tree<Size> &t, unsigned rank) {
        ranks[count++] = static_cast<unsigned short>(rank);
        for (unsigned c = 0; c < t.count[rank]; ++c) take(t, t.children[rank][c]);
    }
    constexpr below(const tree<Size> &t, unsigned rank) {
        for (unsigned c = 0; c < t.count[rank]; ++c) {
            take(t, t.children[rank][c]);
            first[c + 1] = static_cast<unsigned short>(count);
        }
    }
};

template <typename C, shape Shape>
struct order {
    static constexpr auto t = make_tree<C::rank_count>(Shape, C::root);
    static constexpr below<C::rank_count> all{t, C::root};
    static constexpr auto &ranks = all.ranks;
    static constexpr auto &first = all.first;
};

template <typename C, shape Shape, unsigned Children>
aiec::counts<Children> windows_below(unsigned rank) {
    const below<C::rank_count> all(order<C, Shape>::t, rank);
    aiec::counts<Children> windows{};
    if constexpr (Children > 0) {
        for (unsigned c = 0; c < Children; ++c) {
            for (unsigned i = all.first[c]; i < all.first[c + 1]; ++i) windows[c] += C::windows(all.ranks[i]);
        }
    }
    return windows;
}

template <typename C, shape Shape>
void add_both(test::graph &g) {
    static constexpr auto t = make_tree<C::rank_count>(Shape, C::root);
    std::vector<edge> up, down;
    link_up(t, up);
    link_down(t, false, down);
    g.add<C>([](auto rank) {
        constexpr unsigned ins = t.count[rank];
        if constexpr (rank == C::root) {
            return create<C, aiec::gather_root<C, ins, order<C, Shape>>, ins, 0, use_gather<C>>(rank);
        } else {
            using member = aiec::gather_tree<C, ins>;
            const auto make = [](unsigned at, aiec::ins<C, ins> in, aiec::outs<C, 1> out) {
                return member(at, in, out, windows_below<C, Shape, ins>(at));
            };
            return create<C, member, ins, 1, use_gather<C>>(rank, make);
        }
    }, up);
    g.add<C>([](auto rank) {
        constexpr unsigned outs = t.count[rank];
        if constexpr (rank == C::root) {
            return create<C, aiec::scatter_root<C, outs, order<C, Shape>>, 0, outs, use_scatter<C>>(rank);
        } else {
            using member = aiec::scatter_tree<C, 1, outs>;
            const auto make = [](unsigned at, aiec::ins<C, 1> in, aiec::outs<C, outs> out) {
                return member(at, in, out, windows_below<C, Shape, outs>(at));
            };
            return create<C, member, 1, outs, use_scatter<C>>(rank, make);
        }
    }, down);
}

// Ranks know their number of elements only when they call: sometimes 0, sometimes the maximum.
template <typename C>
struct use_headed {
    using T = typename C::element_type;
    static unsigned count(unsigned rank, unsigned call) { return (rank * 5 + call * 3) % (C::data_elements + 1); }
    template <typename Member>
    static void call(Member &m, unsigned call) {
        array<T> send(C::data_elements), found(C::data_elements * C::rank_count, T(99));
        unsigned counts[C::rank_count] = {};
        for (unsigned i = 0; i < send.size(); ++i) send[i] = given<T>(m.rank(), call, i);
        m.gather(send.data(), count(m.rank(), call), found.data(), counts);
        if (m.rank() != C::root) return;
        for (unsigned rank = 0; rank < C::rank_count; ++rank) {
            expect(counts[rank], count(rank, call), "count of a gather", C::rank_count, m.rank(), call, rank);
            for (unsigned i = 0; i < C::data_elements; ++i) {
                const T wanted = i < count(rank, call) ? given<T>(rank, call, i) : T(99);
                expect(found[rank * C::data_elements + i], wanted, "headed gather", C::rank_count, m.rank(), call, i);
            }
        }
    }
};

template <typename C, shape Shape>
void add_headed(test::graph &g) {
    static constexpr auto t = make_tree<C::rank_count>(Shape, C::root);
    std::vector<edge> up;
    link_up(t, up);
    g.add<C>([](auto rank) {
        constexpr unsigned ins = t.count[rank];
        if constexpr (rank == C::root) {
            using member = aiec::gather_headed_root<C, ins, order<C, Shape>>;
            const auto make = [](unsigned at, aiec::ins<C, ins> in, aiec::outs<C, 0>) { return member(at, in); };
            return create<C, member, ins, 0, use_headed<C>>(rank, make);
        } else {
            using member = aiec::gather_headed_tree<C, ins>;
            const auto make = [](unsigned at, aiec::ins<C, ins> in, aiec::outs<C, 1> out) {
                const below<C::rank_count> all(t, at);
                aiec::counts<ins> ranks{};
                if constexpr (ins > 0) {
                    for (unsigned c = 0; c < ins; ++c) ranks[c] = unsigned(all.first[c + 1] - all.first[c]);
                }
                return member(at, in, out, ranks);
            };
            return create<C, member, ins, 1, use_headed<C>>(rank, make);
        }
    }, up);
}

// Of A[16], four runs of one element at every fourth place from the first on: A1, A5, A9, A13.
using every_fourth = dealt<collective<int32, 4, 4, 4, sum>, 1>;
static_assert(place<every_fourth>(0, 0) == 1 && place<every_fourth>(0, 1) == 5);
static_assert(place<every_fourth>(0, 2) == 9 && place<every_fourth>(0, 3) == 13);

class all : public test::graph {
public:
    all() {
        add_both<uniform<collective<int32, 2, 16, 16, sum>>, shape::heap2>(*this);
        add_both<uniform<rooted_at<collective<float, 3, 20, 8, sum>, 2>>, shape::heap2>(*this);
        add_both<every_fourth, shape::chain>(*this);
        // Two ranks have no elements.
        add_both<shrinking<rooted_at<collective<int32, 7, 5, 4, sum>, 3>>, shape::binomial>(*this);
        add_both<dealt<rooted_at<collective<int32, 7, 24, 8, sum>, 1>, 3>, shape::hub2>(*this);
        add_both<shrinking<collective<int16, 7, 40, 16, sum>>, shape::chain>(*this);
        add_both<uniform<collective<int32, 16, 24, 8, sum>>, shape::heap3>(*this);
        add_headed<collective<int8, 7, 40, 32, sum>, shape::heap2>(*this);
        add_headed<rooted_at<collective<int32, 7, 19, 8, sum>, 2>, shape::chain>(*this);
        add_both<shrinking<rooted_at<collective<int32, 16, 18, 8, sum, true, false>, 15>>, shape::flat>(*this);
    }
};

} // namespace

static all g;

int main() { return test::run(g); }
