// Collectives wired by hand: kernels that call one collective on generated numbers and compare the
// results with MPI's definition. A graph holds many such groups; all of them run at once.
#pragma once

#include <adf.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace test {

inline unsigned failures = 0;

// Prints a fault, a few times at most.
template <typename... Values>
void fail(const char *format, Values... values) {
    if (++failures > 10) return;
    if constexpr (sizeof...(values) > 0) std::fprintf(stderr, format, values...);
    else std::fputs(format, stderr);
}

// Calls of each kernel's collective in a firing, and number of firings.
inline constexpr unsigned calls = 3, firings = 2;

// The compiler's constants of a collective. `Block` elements travel in windows of `Window`.
template <typename T, unsigned Ranks, unsigned Block, unsigned Window, typename Op, bool Commutative = true,
          bool Vectorised = true>
struct collective {
    using element_type = T;
    using op_type = Op;
    static constexpr const char *spelling = "tested";
    static constexpr unsigned rank_count = Ranks;
    static constexpr unsigned data_elements = Block;
    static constexpr unsigned window_elements = Window;
    static constexpr unsigned chunks_per_call = (Block + Window - 1) / Window;
    static constexpr unsigned root = 0;
    static constexpr bool commutative = Commutative;
    static constexpr bool exclusive = false;
    static constexpr bool vectorised = Vectorised;
};

// Composition of the functions x -> p x + q with p and q of 16 bits: associative, but not
// commutative.
struct compose {
    static int32 apply(int32 a, int32 b) {
        const uint32 p = uint32(a) & 0xFFFF, q = uint32(a) >> 16, r = uint32(b) & 0xFFFF, s = uint32(b) >> 16;
        return int32((p * r & 0xFFFF) | ((q * r + s) << 16));
    }
};

// Element `i` of the contribution of `rank`. Sums and products of them are exact as floats; all
// differ in rank, call and place.
template <typename T>
T given(unsigned rank, unsigned call, unsigned i) { return T(int((rank * 31 + call * 7 + i * 3) % 101) - 50); }

// Memory as kernels should have it.
template <typename T>
class array {
public:
    explicit array(std::size_t count, T fill = T()) : count_(count), memory_(allocate(count)) {
        for (std::size_t i = 0; i < count; ++i) memory_[i] = fill;
    }
    ~array() { std::free(memory_); }
    array(const array &) = delete;
    T *data() { return memory_; }
    T &operator[](std::size_t i) { return memory_[i]; }
    std::size_t size() const { return count_; }

private:
    static T *allocate(std::size_t count) {
        return static_cast<T *>(std::aligned_alloc(32, (count * sizeof(T) + 31) / 32 * 32));
    }
    std::size_t count_;
    T *memory_;
};

template <typename T>
void expect(const T &got, const T &wanted, const char *what, unsigned size, unsigned rank, unsigned call, unsigned i) {
    if (got != wanted) {
        fail("%s over %u ranks: element %u of rank %u in call %u is wrong\n", what, size, i, rank, call);
    }
}

// --- kernels -------------------------------------------------------------------------------------

template <typename T, std::size_t>
using always = T;

// The work of one rank in a firing.
template <typename T>
struct behaviour {
    virtual ~behaviour() = default;
    virtual void fire(const aiec::in_port<T> *in, const aiec::out_port<T> *out) = 0;
};

// A rank with an object of the library, which `Use::call` uses.
template <typename C, typename Member, unsigned Ins, unsigned Outs, typename Use>
struct rank_with final : behaviour<typename C::element_type> {
    using T = typename C::element_type;
    using make_member = Member (*)(unsigned, aiec::ins<C, Ins>, aiec::outs<C, Outs>);

    rank_with(unsigned at, make_member how) : rank(at), make(how) {}
    void fire(const aiec::in_port<T> *in, const aiec::out_port<T> *out) override {
        aiec::ins<C, Ins> ins{};
        aiec::outs<C, Outs> outs{};
        if constexpr (Ins > 0) std::copy(in, in + Ins, ins.items);
        if constexpr (Outs > 0) std::copy(out, out + Outs, outs.items);
        Member member = make(rank, ins, outs);
        for (unsigned i = 0; i < calls; ++i) Use::call(member, number++);
    }

    unsigned rank;
    make_member make;
    unsigned number = 0; // of the call
};

// The kernel of a rank: one class for each number of ports.
template <typename T, typename Ins, typename Outs>
class node;
template <typename T, std::size_t... I, std::size_t... O>
class node<T, std::index_sequence<I...>, std::index_sequence<O...>> {
public:
    explicit node(behaviour<T> *what) : what_(what) {}
#ifdef AIEC_TEST_BUFFERS
    void run(adf::input_async_buffer<always<T, I>> &...in, adf::output_async_buffer<always<T, O>> &...out) {
        const aiec::in_port<T> all_in[] = {&in..., nullptr};
        const aiec::out_port<T> all_out[] = {&out..., nullptr};
        what_->fire(all_in, all_out);
    }
#else
    void run(input_window<always<T, I>> *...in, output_window<always<T, O>> *...out) {
        const aiec::in_port<T> all_in[] = {in..., nullptr};
        const aiec::out_port<T> all_out[] = {out..., nullptr};
        what_->fire(all_in, all_out);
    }
#endif
    static void registerKernelClass() { REGISTER_FUNCTION(node::run); }

private:
    behaviour<T> *what_;
};

// Rank `rank` with a `Member` that has `Ins` and `Outs` ports; `make` constructs it from rank and
// ports.
template <typename C, typename Member, unsigned Ins, unsigned Outs, typename Use>
adf::kernel create(unsigned rank, Member (*make)(unsigned, aiec::ins<C, Ins>, aiec::outs<C, Outs>)) {
    using T = typename C::element_type;
    using kernel_class = node<T, std::make_index_sequence<Ins>, std::make_index_sequence<Outs>>;
    // Lives as long as the program.
    behaviour<T> *what = new rank_with<C, Member, Ins, Outs, Use>(rank, make);
    return adf::kernel::create_object<kernel_class>(what);
}
template <typename C, typename Member, unsigned Ins, unsigned Outs, typename Use>
adf::kernel create(unsigned rank) {
    return create<C, Member, Ins, Outs, Use>(
        rank, [](unsigned at, aiec::ins<C, Ins> in, aiec::outs<C, Outs> out) { return Member(at, in, out); });
}

// --- graphs --------------------------------------------------------------------------------------

struct edge {
    unsigned from, out, to, in;
};

class graph : public adf::graph {
public:
    // A group of ranks: kernels that `create(rank as a constant)` makes, and the links between
    // them.
    template <typename C, typename Create>
    void add(Create create, const std::vector<edge> &links) {
        add_ranks<C>(create, links, std::make_integer_sequence<unsigned, C::rank_count>());
    }

    std::vector<std::unique_ptr<std::vector<adf::kernel>>> groups;

private:
    template <typename C, typename Create, unsigned... Rank>
    void add_ranks(Create create, const std::vector<edge> &links, std::integer_sequence<unsigned, Rank...>) {
        groups.push_back(std::make_unique<std::vector<adf::kernel>>());
        std::vector<adf::kernel> &kernels = *groups.back();
        (kernels.push_back(create(std::integral_constant<unsigned, Rank>())), ...);
        for (adf::kernel &k : kernels) {
            adf::source(k) = "test.cpp";
            adf::runtime<adf::ratio>(k) = 0.9;
            adf::stack_size(k) = 8192;
        }
        for (const edge &l : links) connect_one<C>(kernels[l.from].out[l.out], kernels[l.to].in[l.in]);
    }

    template <typename C, typename From, typename To>
    void connect_one(From from, To to) {
#ifdef AIEC_TEST_BUFFERS
        adf::dimensions(from) = {C::window_elements};
        adf::dimensions(to) = {C::window_elements};
        adf::connect<>(from, to);
#else
        constexpr unsigned bytes = C::window_elements * sizeof(typename C::element_type);
        adf::connect<adf::window<bytes>>(adf::async(from), adf::async(to));
#endif
        if (std::getenv("AIEC_TEST_PING_PONG")) return;
        adf::single_buffer(from);
        adf::single_buffer(to);
    }
};

template <typename Graph>
int run(Graph &g) {
    if (g.init() != adf::return_code::ok) return 1;
    g.run(firings);
    g.end();
    if (failures > 0) std::fprintf(stderr, "%u elements or orders are wrong\n", failures);
    return failures > 0 ? 1 : 0;
}

// --- trees ---------------------------------------------------------------------------------------

enum class shape { heap2, heap3, chain, binomial, flat, hub2 };

constexpr const char *name(shape s) {
    constexpr const char *names[] = {"tree arity 2", "tree arity 3", "chain", "binomial", "flat", "hub 2"};
    return names[unsigned(s)];
}

// A tree over `Size` ranks with a root.
template <unsigned Size>
struct tree {
    unsigned root = 0;
    unsigned parent[Size] = {};
    unsigned children[Size][Size] = {};
    unsigned count[Size] = {};  // of children
    unsigned before[Size] = {}; // of children that are combined first
    unsigned port[Size] = {};   // of a rank at its parent

    constexpr void hang(unsigned child, unsigned below) {
        parent[child] = below;
        children[below][count[below]++] = child;
    }
    // Children in rank order, the lower ones first.
    constexpr void sort() {
        for (unsigned rank = 0; rank < Size; ++rank) {
            count[rank] = before[rank] = 0;
        }
        for (unsigned child = 0; child < Size; ++child) {
            if (child == root) continue;
            const unsigned above = parent[child];
            if (child < above) ++before[above];
            children[above][count[above]++] = child;
        }
    }
    constexpr void number() {
        for (unsigned rank = 0; rank < Size; ++rank) {
            for (unsigned c = 0; c < count[rank]; ++c) port[children[rank][c]] = c;
        }
    }
};

template <unsigned Size>
constexpr tree<Size> make_tree(shape s, unsigned root) {
    tree<Size> t;
    t.root = root;
    if (s == shape::chain) {
        for (unsigned r = 0; r < Size; ++r) {
            if (r != root) t.hang(r, r < root ? r + 1 : r - 1);
        }
        t.sort();
    } else if (s == shape::binomial) {
        for (unsigned d = 1; d < Size; ++d) t.hang((root + d) % Size, (root + (d & (d - 1))) % Size);
    } else {
        // Position 0 is the root, the other ranks follow in order.
        const auto rank_at = [&](unsigned at) { return at == 0 ? root : at <= root ? at - 1 : at; };
        for (unsigned at = 1; at < Size; ++at) {
            const unsigned above = s == shape::heap2   ? (at - 1) / 2
                                   : s == shape::heap3 ? (at - 1) / 3
                                   : s == shape::hub2  ? (at <= 2 ? 0 : at % 2 + 1)
                                                       : 0;
            t.hang(rank_at(at), rank_at(above));
        }
    }
    t.number();
    return t;
}

// From children to parents. `first_in`, `first_out`: number of ports already in use, rank by rank.
template <unsigned Size>
void link_up(const tree<Size> &t, std::vector<edge> &links) {
    for (unsigned r = 0; r < Size; ++r) {
        if (r != t.root) links.push_back({r, 0, t.parent[r], t.port[r]});
    }
}
// From parents to children. In an allreduce these ports follow those towards the root.
template <unsigned Size>
void link_down(const tree<Size> &t, bool after_up, std::vector<edge> &links) {
    for (unsigned r = 0; r < Size; ++r) {
        if (r == t.root) continue;
        const unsigned above = t.parent[r];
        const unsigned first_out = after_up && above != t.root ? 1 : 0;
        links.push_back({above, first_out + t.port[r], r, after_up ? t.count[r] : 0});
    }
}

} // namespace test
