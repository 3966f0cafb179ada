// Operations of the loops over windows in each turn, counted (counting/). One line for each loop of
// a pass: the type, the operator, the input and output windows, whether the result is stored in
// memory too, and then turns, loads, stores and vector operations. A loop without vectors has none
// of these.
#include <cstdio>

#include "aiec/windows.h"

namespace {

// A window of `Window` elements.
template <typename T, unsigned Window, typename Op>
struct collective {
    using element_type = T;
    using op_type = Op;
    static constexpr unsigned data_elements = Window, window_elements = Window, chunks_per_call = 1;
    static constexpr bool commutative = true, vectorised = true;
};

// `Ins` windows combined with own data, half of them before it; `Outs` go out.
template <typename T, typename Op, unsigned Ins, unsigned Outs, bool Kept>
void count(const char *type, const char *op) {
    constexpr unsigned elements = 5 * 32 / sizeof(T);
    using C = collective<T, elements, Op>;
    alignas(32) static T memory[elements] = {}, windows[Ins + Outs][elements] = {};
    input_window<T> in[Ins + 1];
    output_window<T> out[Outs + 1];
    aiec::ins<C, Ins> ins{};
    aiec::outs<C, Outs> outs{};
    if constexpr (Ins > 0) {
        for (unsigned i = 0; i < Ins; ++i) in[i].memory = windows[i], ins[i] = &in[i];
    }
    if constexpr (Outs > 0) {
        for (unsigned o = 0; o < Outs; ++o) out[o].memory = windows[Ins + o], outs[o] = &out[o];
    }
    counting::reset();
    if constexpr (Kept) {
        aiec::step<C, Ins / 2, true>(ins, outs, aiec::updates(static_cast<T *>(memory)), elements);
    } else {
        aiec::step<C, Ins / 2, true>(ins, outs, aiec::reads(static_cast<const T *>(memory)), elements);
    }
    for (const auto &[function, loop] : counting::loops) {
        std::printf("%s %s %u %u %u %u %u %u %u\n", type, op, Ins, Outs, unsigned(Kept), loop.turns, loop.loads,
                    loop.stores, loop.operations);
    }
}

template <typename T, typename Op>
void count_all(const char *type, const char *op) {
    count<T, Op, 0, 1, false>(type, op); // a leaf
    count<T, Op, 1, 1, false>(type, op);
    count<T, Op, 2, 1, false>(type, op); // a node of a binary tree
    count<T, Op, 3, 1, false>(type, op);
    count<T, Op, 4, 1, false>(type, op);
    count<T, Op, 12, 1, false>(type, op);
    count<T, Op, 2, 0, true>(type, op); // the root
    count<T, Op, 2, 1, true>(type, op); // with a window for the result
}

template <typename T>
void count_integers(const char *type) {
    count_all<T, aiec::sum>(type, "sum");
    count_all<T, aiec::prod>(type, "prod");
    count_all<T, aiec::min>(type, "min");
    count_all<T, aiec::max>(type, "max");
    count_all<T, aiec::bit_and>(type, "and");
    count_all<T, aiec::bit_or>(type, "or");
    count_all<T, aiec::bit_xor>(type, "xor");
}

} // namespace

int main() {
    count_integers<int8>("int8");
    count_integers<uint8>("uint8");
    count_integers<int16>("int16");
    count_integers<uint16>("uint16");
    count_integers<int32>("int32");
    count_integers<uint32>("uint32");
    count_integers<int64>("int64");
    count_integers<uint64>("uint64");
    count_all<float, aiec::sum>("float", "sum");
    count_all<float, aiec::prod>("float", "prod");
    count_all<float, aiec::max>("float", "max");
    count_all<cint16, aiec::sum>("cint16", "sum");
    count_all<cint16, aiec::prod>("cint16", "prod");
    count_all<cint32, aiec::sum>("cint32", "sum");
    count_all<cint32, aiec::prod>("cint32", "prod");
    count_all<cfloat, aiec::sum>("cfloat", "sum");
    count_all<cfloat, aiec::prod>("cfloat", "prod");
}
