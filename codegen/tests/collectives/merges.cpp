// reduce, allreduce, gather and allgather whose packets reach the root in one stream: elements of
// every size, with and without vectors, blocks of one window, several and with a tail, of different
// sizes, of none. Ranks arrive randomly late, so that others have long sent all they could.
#include "aiec/allgather_merge.h"
#include "aiec/allreduce_merge.h"
#include "aiec/gather_merge.h"
#include "aiec/reduce_merge.h"

#include "reducing.h"

namespace {

using namespace test;

constexpr unsigned ranks = 6;
adf::sim::random_source chance{adf::sim::settings::get().seed + 1};

// The compiler's tables. Blocks are equal if they are whole windows; otherwise ranks 1 and 4 have
// none and others differ.
template <typename T, unsigned Block, unsigned Window, unsigned Root, bool Vectorised>
struct collective_at : collective<T, ranks, Block, Window, aiec::sum, true, Vectorised> {
    static constexpr unsigned root = Root, run_elements = 0, stride_elements = 0;
    static constexpr unsigned count(unsigned rank) {
        return Block % Window == 0 ? Block : rank % 3 == 1 ? 0 : Block - rank;
    }
    static constexpr unsigned first(unsigned rank) { return rank * Block; }
    static constexpr unsigned windows(unsigned rank) { return (count(rank) + Window - 1) / Window; }
};

// Element `i` of the contribution of `rank`.
template <typename T>
T value(unsigned rank, unsigned call, unsigned i) {
    if constexpr (aiec::is_complex<T>) {
        T both{};
        both.real = decltype(both.real)(int(rank * 31 + call * 7 + i));
        both.imag = decltype(both.imag)(int(rank - i));
        return both;
    } else {
        return given<T>(rank, call, i);
    }
}

template <typename C>
struct use {
    using T = typename C::element_type;
    static constexpr unsigned block = C::data_elements;

    // Own data of the next call, after a while.
    static void begin(array<T> &own, unsigned me, unsigned call) {
        for (unsigned i = 0; i < block; ++i) own[i] = value<T>(me, call, i);
        for (std::uint64_t n = chance.below(8); n > 0; --n) adf::sim::running_kernel()->wait_for({});
    }
    static void sums(array<T> &got, unsigned me, unsigned call, const char *what) {
        for (unsigned i = 0; i < block; ++i) {
            T all = value<T>(0, call, i);
            for (unsigned r = 1; r < ranks; ++r) all = aiec::sum::apply(all, value<T>(r, call, i));
            expect(got[i], all, what, ranks, me, call, i);
        }
    }
    // Blocks of `count(rank)` elements; nothing else was touched.
    template <typename Count>
    static void blocks(array<T> &got, unsigned me, unsigned call, const char *what, Count count) {
        for (unsigned i = 0; i < got.size(); ++i) {
            const bool has = i % block < count(i / block);
            expect(got[i], has ? value<T>(i / block, call, i % block) : T(), what, ranks, me, call, i);
        }
    }
};

template <typename C>
struct reduces {
    using root = aiec::reduce_merge<C, ranks - 1>;
    using other = aiec::reduce_merge_leaf<C>;
    static constexpr unsigned answer = 16; // bytes of what the root sends

    template <typename Member>
    static void call(Member &m, unsigned call) {
        array<typename C::element_type> data(C::data_elements);
        use<C>::begin(data, m.rank(), call);
        reduce<C>(m, call, data, [&](unsigned i) { return value<typename C::element_type>(m.rank(), call, i); });
        if (m.is_root) use<C>::sums(data, m.rank(), call, "reduce");
    }
};

template <typename C>
struct allreduces {
    using root = aiec::allreduce_merge<C, ranks - 1>;
    using other = aiec::allreduce_tree<C, 0, 1, 1, 0>;
    static constexpr unsigned answer = C::window_elements * sizeof(typename C::element_type);

    template <typename Member>
    static void call(Member &m, unsigned call) {
        array<typename C::element_type> data(C::data_elements);
        use<C>::begin(data, m.rank(), call);
        m.allreduce(data.data());
        use<C>::sums(data, m.rank(), call, "allreduce");
    }
};

template <typename C>
struct gathers {
    using root = aiec::gather_merge<C, ranks - 1>;
    using other = aiec::gather_merge_leaf<C>;
    static constexpr unsigned answer = 16;

    template <typename Member>
    static void call(Member &m, unsigned call) {
        array<typename C::element_type> own(C::data_elements), all(ranks * C::data_elements);
        use<C>::begin(own, m.rank(), call);
        m.gather(own.data(), all.data());
        if (m.is_root) use<C>::blocks(all, m.rank(), call, "gather", C::count);
    }
};

template <typename C>
struct allgathers {
    using root = aiec::allgather_merge<C, ranks - 1>;
    using other = aiec::allgather_merge_leaf<C>;
    static constexpr unsigned answer = C::window_elements * sizeof(typename C::element_type);

    template <typename Member>
    static void call(Member &m, unsigned call) {
        array<typename C::element_type> own(C::data_elements), all(ranks * C::data_elements);
        use<C>::begin(own, m.rank(), call);
        m.allgather(own.data(), all.data());
        use<C>::blocks(all, m.rank(), call, "allgather", [](unsigned) { return C::data_elements; });
    }
};

// The kernels of a group: its root, and each of the others.
template <typename C, typename What>
struct group {
    using T = typename C::element_type;
    static inline unsigned number[ranks] = {}; // of each rank's call
    static constexpr unsigned rank_at(unsigned input) { return input < C::root ? input : input + 1; }

    template <typename Member>
    static void fire(Member &m) {
        for (unsigned i = 0; i < calls; ++i) What::call(m, number[m.rank()]++);
    }
    static void root(input_pktstream *in, output_window<T> *out) {
        typename What::root m(C::root, in, {out});
        fire(m);
    }
    template <unsigned Input>
    static void other(input_window<T> *in, output_window<T> *out) {
        typename What::other m(rank_at(Input), {in}, {out});
        fire(m);
    }
    template <unsigned... Input>
    static std::vector<adf::kernel> create(std::integer_sequence<unsigned, Input...>) {
        return {adf::kernel::create(root), adf::kernel::create(other<Input>)...};
    }
};

class all : public test::graph {
public:
    std::vector<std::unique_ptr<adf::pktmerge<ranks - 1>>> merges;

    all() {
        whole_and_with_tails<int8>();
        whole_and_with_tails<int16>();
        whole_and_with_tails<uint16>();
        whole_and_with_tails<int32>();
        whole_and_with_tails<int64>();
        whole_and_with_tails<cint16>();
        moved<float>();
        moved<cfloat>();
    }

private:
    // Windows of 32 and of 16 bytes, three of them and not quite three, with vectors and without.
    template <typename T>
    void whole_and_with_tails() {
        constexpr unsigned wide = 32 / sizeof(T), half = 16 / sizeof(T);
        add<reduces, T, 3 * wide, wide, 2>();
        add<reduces, T, 3 * half - 1, half, 0>();
        add<allreduces, T, 3 * half - 1, half, 5>();
        add<allreduces, T, 2 * wide, wide, 3, false>();
        moved<T>();
    }
    template <typename T>
    void moved() {
        constexpr unsigned wide = 32 / sizeof(T), half = 16 / sizeof(T);
        add<gathers, T, 3 * wide, wide, 1>();
        add<gathers, T, 8 * half - 1, half, 4>();
        add<allgathers, T, 3 * half - 1, half, 0>();
        add<allgathers, T, 2 * wide, wide, 0, false>();
    }

    template <template <typename> typename What, typename T, unsigned Block, unsigned Window, unsigned Root,
              bool Vectorised = true>
    void add() {
        using C = collective_at<T, Block, Window, Root, Vectorised>;
        using what = What<C>;
        groups.push_back(std::make_unique<std::vector<adf::kernel>>(
            group<C, what>::create(std::make_integer_sequence<unsigned, ranks - 1>())));
        merges.push_back(std::make_unique<adf::pktmerge<ranks - 1>>(adf::pktmerge<ranks - 1>::create()));
        std::vector<adf::kernel> &k = *groups.back();
        auto &merge = *merges.back();
        for (unsigned i = 0; i < ranks; ++i) {
            adf::source(k[i]) = "test.cpp";
            adf::runtime<adf::ratio>(k[i]) = 0.9;
            if (i == 0) continue;
            adf::connect<adf::window<Window * sizeof(T)>, adf::pktstream>(adf::async(k[i].out[0]), merge.in[i - 1]);
            adf::connect<adf::window<what::answer>>(adf::async(k[0].out[0]), adf::async(k[i].in[0]));
        }
        adf::connect<adf::pktstream>(merge.out[0], k[0].in[0]);
    }
};

} // namespace

static all g;

int main() { return test::run(g); }
