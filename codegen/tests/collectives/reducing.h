// A reduction called with own data in an array or computed. Both must give equal results.
#pragma once

#include "aiec/computed.h"

#include "harness.h"

namespace test {

// Reduces `value(0)`, `value(1)` and so on. The number of the call selects the source: an array,
// values computed one by one, or values computed as vectors. The root has the result in `data`.
// Computed values are requested once, in order, and before that by the runtime if it records them.
template <typename C, typename Member, typename Value>
void reduce(Member &m, unsigned call, array<typename C::element_type> &data, Value value) {
    using T = typename C::element_type;
    for (unsigned i = 0; i < data.size(); ++i) data[i] = call % 3 == 0 ? value(i) : T();
    if (call % 3 == 0) return m.reduce(data.data());

    T *const result = Member::is_root ? data.data() : nullptr;
    const unsigned size = data.size();
    unsigned asked = 0, vectors = 0;
    const auto one = [&](unsigned i) {
        if (i != asked % size) fail("element %u is asked for as number %u\n", i, asked);
        ++asked;
        return value(i);
    };
    const auto several = [&](unsigned i, auto lanes) {
        if (i != asked % size || i % lanes != 0) fail("elements from %u on are asked for as number %u\n", i, asked);
        asked += lanes;
        ++vectors;
        aie::vector<T, lanes> values;
        for (unsigned k = 0; k < lanes; ++k) values[k] = value(i + k);
        return values;
    };
    if (call % 3 == 1) m.reduce(aiec::computed(one), result);
    else m.reduce(aiec::computed(one, several), result);
    const unsigned times = adf::sim::settings::get().events.empty() ? 1 : 2;
    if (asked != times * size) fail("%u elements are asked for of %u\n", asked, size);
    constexpr bool all_vectors = aiec::has_vectors<T> && C::vectorised && C::data_elements % C::window_elements == 0;
    if constexpr (all_vectors) {
        if (aiec::has_vector_form<typename C::op_type, aie::vector<T, 32 / sizeof(T)>> && call % 3 == 2 && vectors == 0)
            fail("none of %u elements is asked for in a vector\n", size);
    }
    if (Member::is_root) return;
    for (unsigned i = 0; i < size; ++i) data[i] = value(i); // as it is with an array
}

} // namespace test
