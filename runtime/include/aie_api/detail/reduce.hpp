// Reductions of a vector to a scalar (UG1529, "Reduction"). Integers wrap in the element type. Sums of floats are made
// in halves, lane i with lane i + n/2, which is one of the orders the device may take.
#pragma once

#include "arithmetic.hpp"

namespace aie {
namespace sim {

template <typename T, unsigned N, typename Combine>
T halved(const vector<T, N> &v, Combine combine) {
    vector<T, N> rest = v;
    for (unsigned half = N / 2; half > 0; half /= 2)
        for (unsigned i = 0; i < half; ++i) rest.data()[i] = combine(rest.data()[i], rest.data()[i + half]);
    return rest.data()[0];
}

} // namespace sim

template <typename T, unsigned N>
T reduce_add(const vector<T, N> &v) {
    return sim::halved(v, sim::wrap::add<T>);
}
template <typename T, unsigned N>
T reduce_mul(const vector<T, N> &v) {
    return sim::halved(v, sim::wrap::mul<T>);
}
template <typename T, unsigned N>
T reduce_min(const vector<T, N> &v) {
    return sim::halved(v, [](const T &a, const T &b) { return b < a ? b : a; });
}
template <typename T, unsigned N>
T reduce_max(const vector<T, N> &v) {
    return sim::halved(v, [](const T &a, const T &b) { return a < b ? b : a; });
}
// Sums of several vectors, one in each of the first lanes.
template <typename T, unsigned N, typename... More>
vector<T, N> reduce_add_v(const vector<T, N> &first, const More &...more) {
    static_assert(sizeof...(More) < N, "there are more vectors than lanes");
    vector<T, N> sums;
    unsigned i = 0;
    sums.data()[i++] = reduce_add(first);
    ((sums.data()[i++] = reduce_add(more)), ...);
    return sums;
}

// Running sums: lane i is the sum of lanes 0 to i.
template <typename T, unsigned N>
vector<T, N> cumsum(const vector<T, N> &v) {
    vector<T, N> sums = v;
    for (unsigned i = 1; i < N; ++i) sums[i] = sim::wrap::add(sums[i - 1], v[i]);
    return sums;
}

} // namespace aie
