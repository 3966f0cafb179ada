// Operators: scalar and vector forms give equal results, integers wrap in both, and the order of
// float sums is that of the tree.
#include "aiec/reduce.h"
#include "aiec/reduce_cascade.h"
#include "aiec/timed.h"

#include "reducing.h"

namespace {

using namespace test;

template <typename T>
T some(unsigned i) {
    // Edges first, then numbers without a pattern.
    static const std::int64_t edges[] = {0, 1, -1, 127, -128, 255, 32767, -32768, 65535, 2147483647, -2147483647 - 1};
    const std::uint64_t number = (i + 1) * 0x9e3779b97f4a7c15U;
    if constexpr (std::is_same_v<T, float>) return i < 11 ? float(edges[i]) : float(std::int32_t(number >> 32)) / 1024;
    else return T(i < 11 ? edges[i] : std::int64_t(number >> 13));
}
template <typename T>
T element(unsigned i) {
    if constexpr (aiec::is_complex<T>) {
        return T(some<decltype(T::real)>(i), some<decltype(T::real)>(i + 5));
    } else {
        return some<T>(i);
    }
}

// The vector form against the scalar one, for all pairs of some numbers.
template <typename Op, typename T>
void same(const char *op) {
    if constexpr (aiec::has_vectors<T>) {
        constexpr unsigned lanes = 32 / sizeof(T);
        for (unsigned shift = 0; shift < 40; ++shift) {
            aie::vector<T, lanes> a, b;
            for (unsigned i = 0; i < lanes; ++i) {
                a[i] = element<T>(i % 24);
                b[i] = element<T>((i + shift) % 37);
            }
            const aie::vector<T, lanes> c = Op::apply_vector(a, b);
            for (unsigned i = 0; i < lanes; ++i) {
                const T wanted = Op::template apply<T>(a[i], b[i]), got = c[i];
                // Zeros have any sign.
                if (got != wanted) fail("%s: lane %u of %u differs\n", op, i, lanes);
            }
        }
    }
}

template <typename T>
void same_arithmetic() {
    same<aiec::sum, T>("sum");
    same<aiec::prod, T>("prod");
}
template <typename T>
void same_ordered() {
    same_arithmetic<T>();
    same<aiec::min, T>("min");
    same<aiec::max, T>("max");
}
template <typename T>
void same_integers() {
    same_ordered<T>();
    // Bits are combined element by element: AIE has no vector operation for that.
    using vector = aie::vector<int32, 8>;
    static_assert(!aiec::has_vector_form<aiec::bit_and, vector> && !aiec::has_vector_form<aiec::bit_or, vector>
                  && !aiec::has_vector_form<aiec::bit_xor, vector>);
    if (aiec::bit_and::apply(T(12), T(10)) != T(8) || aiec::bit_or::apply(T(12), T(10)) != T(14)
        || aiec::bit_xor::apply(T(12), T(10)) != T(6)) {
        fail("bits of %u bytes are combined wrongly\n", unsigned(sizeof(T)));
    }
}

template <typename T>
void wrap(T a, T b, T sum, T product) {
    if (aiec::sum::apply<T>(a, b) != sum || aiec::prod::apply<T>(a, b) != product) {
        fail("integers of %u bytes do not wrap\n", unsigned(sizeof(T)));
    }
}

void check_numbers() {
    same_integers<int8>();
    same_integers<uint8>();
    same_integers<int16>();
    same_integers<uint16>();
    same_integers<int32>();
    same_integers<uint32>();
    same_integers<int64>();
    same_ordered<float>();
    same_arithmetic<cint16>();
    same_arithmetic<cint32>();
    same_arithmetic<cfloat>();
    wrap<int8>(100, 100, -56, 16);
    wrap<uint8>(200, 100, 44, 32);
    wrap<int16>(30000, 3, 30003, 24464);
    wrap<uint16>(65535, 65535, 65534, 1);
    wrap<int32>(2147483647, 2, -2147483647, -2);
    wrap<uint32>(4294967295U, 4294967295U, 4294967294U, 1);
    wrap<int64>(9223372036854775807, 2, -9223372036854775807, -2);
    wrap<cint16>({32767, 1}, {1, 1}, {-32768, 2}, {32766, -32768});
}

// A product in a kernel whose core saturates: it wraps all the same, and the core's mode stays as
// it was.
struct use_product {
    template <typename C, unsigned I, unsigned O, unsigned B, bool Root>
    static void call(aiec::reduce_tree<C, I, O, B, Root> &m, unsigned call) {
        array<int16> data(C::data_elements, int16(300));
        aie::set_saturation(aie::saturation_mode::saturate);
        m.reduce(data.data());
        if (aie::get_saturation() != aie::saturation_mode::saturate) fail("the mode of the core changed\n");
        if (!Root) return;
        for (unsigned i = 0; i < data.size(); ++i) expect(data[i], int16(24464), "prod", 2, m.rank(), call, i);
    }
};

// Float sums over a tree: own data, then child by child.
struct use_floats {
    static float part(unsigned rank, unsigned i) { return 1.0F / float(3 + rank * 7 + i); }
    template <typename C, unsigned I, unsigned O, unsigned B, bool Root>
    static void call(aiec::reduce_tree<C, I, O, B, Root> &m, unsigned call) {
        array<float> data(C::data_elements);
        for (unsigned i = 0; i < data.size(); ++i) data[i] = part(m.rank(), i);
        m.reduce(data.data());
        if (!Root) return;
        for (unsigned i = 0; i < data.size(); ++i) {
            const float left = (part(1, i) + part(3, i)) + part(4, i), right = (part(2, i) + part(5, i)) + part(6, i);
            expect(data[i], (part(0, i) + left) + right, "float sum", 7, m.rank(), call, i);
        }
    }
};

template <typename C, typename Use>
void add_tree(test::graph &g) {
    static constexpr auto t = make_tree<C::rank_count>(shape::heap2, 0);
    std::vector<edge> up;
    link_up(t, up);
    g.add<C>([](auto rank) {
        constexpr unsigned ins = t.count[rank], outs = rank == 0 ? 0 : 1;
        return create<C, aiec::reduce_tree<C, ins, outs, 0, rank == 0>, ins, outs, Use>(rank);
    }, up);
}

// Numbers over trees whose inner ranks combine two or more windows: turns of two vectors, single
// ones, single elements.
struct use_numbers {
    template <typename C, unsigned I, unsigned O, unsigned B, bool Root>
    static void call(aiec::reduce_tree<C, I, O, B, Root> &m, unsigned call) {
        using T = typename C::element_type;
        array<T> data(C::data_elements);
        for (unsigned i = 0; i < data.size(); ++i) data[i] = element<T>(m.rank() * 5 + call + i);
        m.reduce(data.data());
        if (!Root) return;
        for (unsigned i = 0; i < data.size(); ++i) {
            T wanted = element<T>(call + i);
            for (unsigned r = 1; r < C::rank_count; ++r) wanted = C::op_type::apply(wanted, element<T>(r * 5 + call + i));
            expect(data[i], wanted, "numbers", C::rank_count, m.rank(), call, i);
        }
    }
};

template <typename T, typename Op>
void add_numbers(test::graph &g) {
    constexpr unsigned vector = 32 / sizeof(T);
    // Two turns of two, and one vector.
    add_tree<collective<T, 3, 5 * vector, 5 * vector, Op>, use_numbers>(g);
    // A tail in the last window.
    add_tree<collective<T, 7, 9 * vector + 3, 4 * vector, Op>, use_numbers>(g);
    // Vectors of 128 bits.
    add_tree<collective<T, 3, 3 * vector / 2, 3 * vector / 2, Op>, use_numbers>(g);
}

void add_sums_of_all_types(test::graph &g) {
    add_numbers<int8, aiec::sum>(g);
    add_numbers<uint8, aiec::max>(g);
    add_numbers<int16, aiec::min>(g);
    add_numbers<uint16, aiec::sum>(g);
    add_numbers<uint16, aiec::max>(g);
    add_numbers<int32, aiec::sum>(g);
    add_numbers<uint32, aiec::prod>(g);
    add_numbers<uint32, aiec::min>(g);
    add_numbers<int64, aiec::sum>(g);
    add_numbers<int16, aiec::bit_xor>(g);
    add_numbers<cint16, aiec::sum>(g);
    add_numbers<cint32, aiec::sum>(g);
}

// Two ranks, of which the root records the cycles of its calls, in a window for four: three in the
// first firing, two in the next one, whose window keeps zeros behind them without writing them
// again.
using timed_sum = collective<int32, 2, 8, 8, aiec::sum>;
constexpr int32 timed_calls(unsigned firing) { return firing == 0 ? 3 : 2; }

class timed_root {
    aiec::cleared cleared_;
    unsigned firing_ = 0;

public:
    void run(input_window<int32> *in, output_window<int64> *cycles) {
        aiec::timed<aiec::reduce_tree<timed_sum, 1, 0, 0, true>, 4> total{cycles, {0, {in}, {}}};
        for (int32 call = 1, last = timed_calls(firing_++); call <= last; ++call) {
            alignas(32) int32 data[8] = {call};
            total.reduce(data);
            expect(data[0], 3 * call, "timed sum", 2, total.rank(), unsigned(call), 0);
        }
        total.finish(cleared_);
    }
    static void registerKernelClass() { REGISTER_FUNCTION(timed_root::run); }
};

class timed_leaf {
    unsigned firing_ = 0;

public:
    void run(output_window<int32> *out) {
        aiec::reduce_tree<timed_sum, 0, 1> total{1, {}, {out}};
        for (int32 call = 1, last = timed_calls(firing_++); call <= last; ++call) {
            alignas(32) int32 data[8] = {2 * call};
            total.reduce(data);
        }
    }
    static void registerKernelClass() { REGISTER_FUNCTION(timed_leaf::run); }
};

// How much of a window of 512 counts is cleared: all of it in the first firing of each of its
// buffers, then the rest of the previous firing, which is empty if the numbers of calls are equal.
void check_cleared() {
    aiec::cleared state;
    const int ping = 0, pong = 0;
    const auto cleared = [&](const int &buffer, unsigned used, unsigned wanted, unsigned firing) {
        const unsigned end = state.end_of_rest(&buffer, used, 512);
        expect(end > used ? end - used : 0, wanted, "cleared", 2, 0, firing, 0);
    };
    cleared(ping, 1, 511, 0);
    cleared(pong, 1, 511, 1);
    for (unsigned firing = 2; firing < 6; ++firing) cleared(firing % 2 == 0 ? ping : pong, 1, 0, firing);
    cleared(ping, 3, 0, 6);
    cleared(pong, 1, 0, 7);
    cleared(ping, 1, 2, 8);
}

// A rank of a cascade of four; its numbers fill the lanes of accumulators and more.
template <typename C>
void reduce_along(unsigned rank, aiec::partials_in<C> in, aiec::partials_out<C> out) {
    using T = typename C::element_type;
    for (unsigned call = 0; call < calls; ++call) {
        array<T> data(C::data_elements);
        const auto use = [&](auto member) {
            reduce<C>(member, call, data, [&](unsigned i) { return element<T>(rank + call + i); });
        };
        if (!in) use(aiec::reduce_cascade<C, true, false>(rank, in, out));
        else if (!out) use(aiec::reduce_cascade<C, false, true>(rank, in, out));
        else use(aiec::reduce_cascade<C, false, false>(rank, in, out));
        for (unsigned i = 0; i < data.size(); ++i) {
            T wanted = element<T>((out ? rank : 0) + call + i);
            for (unsigned r = 1; !out && r < C::rank_count; ++r) {
                wanted = C::op_type::apply(wanted, element<T>(r + call + i));
            }
            expect(data[i], wanted, "cascade", C::rank_count, rank, call, i);
        }
    }
}

template <typename C>
struct cascade_kernels {
    using in = std::remove_pointer_t<aiec::partials_in<C>>;
    using out = std::remove_pointer_t<aiec::partials_out<C>>;
    static void first(out *next) { reduce_along<C>(0, nullptr, next); }
    static void middle1(in *before, out *next) { reduce_along<C>(1, before, next); }
    static void middle2(in *before, out *next) { reduce_along<C>(2, before, next); }
    static void last(in *before) { reduce_along<C>(3, before, nullptr); }
};

template <typename C>
void add_cascade(test::graph &g) {
    using kernels = cascade_kernels<C>;
    g.groups.push_back(std::make_unique<std::vector<adf::kernel>>());
    std::vector<adf::kernel> &k = *g.groups.back();
    k = {adf::kernel::create(kernels::first), adf::kernel::create(kernels::middle1),
         adf::kernel::create(kernels::middle2), adf::kernel::create(kernels::last)};
    const int row = int(g.groups.size()) % 4 * 2; // even rows go from west to east
    for (unsigned i = 0; i < 4; ++i) {
        adf::source(k[i]) = "test.cpp";
        adf::runtime<adf::ratio>(k[i]) = 0.9;
        adf::location<adf::kernel>(k[i]) = adf::tile(int(4 * g.groups.size() + i), row);
        if (i > 0) adf::connect<adf::cascade>(k[i - 1].out[0], k[i].in[0]);
    }
}

class all : public test::graph {
public:
    adf::kernel root, leaf;
    adf::output_gmio cycles;

    all() {
        root = adf::kernel::create_object<timed_root>();
        leaf = adf::kernel::create_object<timed_leaf>();
        cycles = adf::output_gmio::create("cycles", 64, 1000);
        for (adf::kernel *k : {&root, &leaf}) {
            adf::source(*k) = "test.cpp";
            adf::runtime<adf::ratio>(*k) = 0.9;
        }
        adf::connect<adf::window<32>>(adf::async(leaf.out[0]), adf::async(root.in[0]));
        adf::connect<adf::window<32>>(root.out[0], cycles.in[0]);
        if (!std::getenv("AIEC_TEST_PING_PONG")) adf::single_buffer(root.out[0]);
        add_tree<collective<int16, 2, 37, 32, aiec::prod>, use_product>(*this);
        add_tree<collective<float, 7, 19, 8, aiec::sum>, use_floats>(*this);
        add_sums_of_all_types(*this);
        add_cascade<collective<int8, 4, 37, 32, aiec::prod>>(*this);
        add_cascade<collective<int16, 4, 19, 16, aiec::sum>>(*this);
        add_cascade<collective<int32, 4, 13, 8, compose, false>>(*this);
        add_cascade<collective<float, 4, 16, 8, aiec::sum>>(*this);
        add_cascade<collective<cint16, 4, 6, 4, aiec::prod>>(*this);
    }
};

} // namespace

static all g;

int main() {
    check_numbers();
    check_cleared();
    int64 *cycles = static_cast<int64 *>(adf::GMIO::malloc(firings * 32));
    g.init();
    g.cycles.aie2gm_nb(cycles, firings * 32);
    g.run(firings);
    g.end();
    for (unsigned i = 0; i < firings * 4; ++i) {
        if ((cycles[i] > 0) != (int32(i % 4) < timed_calls(i / 4))) fail("element %u of the cycle counts is wrong\n", i);
    }
    adf::GMIO::free(cycles);
    return failures > 0 ? 1 : 0;
}
