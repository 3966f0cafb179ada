// Reductions of a vector to a scalar (UG1529, "Reduction"). Integers wrap in the element type. Sums
// of floats are computed in halves, lane i with lane i + n/2, which is one of the orders the device
// may take.
#pragma once

#include "arithmetic.hpp"

namespace aie {
namespace sim {

template <typename Type, unsigned Lanes, typename Combine>
Type halved(const vector<Type, Lanes> &v, Combine combine) {
    adf::sim::counts::quiet whole;
    vector<Type, Lanes> rest = v;
    for (unsigned half = Lanes / 2; half > 0; half /= 2)
        for (unsigned i = 0; i < half; ++i) rest.data()[i] = combine(rest.data()[i], rest.data()[i + half]);
    whole.end();
    adf::sim::counts::reduced(v, Lanes, is_float_v<Type>);
    return rest.data()[0];
}

} // namespace sim

template <typename Type, unsigned Lanes>
Type reduce_add(const vector<Type, Lanes> &v) {
    return sim::halved(v, sim::wrap::add<Type>);
}
template <typename Type, unsigned Lanes>
Type reduce_mul(const vector<Type, Lanes> &v) {
    return sim::halved(v, sim::wrap::mul<Type>);
}
template <typename Type, unsigned Lanes>
Type reduce_min(const vector<Type, Lanes> &v) {
    return sim::halved(v, [](const Type &a, const Type &b) { return b < a ? b : a; });
}
template <typename Type, unsigned Lanes>
Type reduce_max(const vector<Type, Lanes> &v) {
    return sim::halved(v, [](const Type &a, const Type &b) { return a < b ? b : a; });
}
// Sums of several vectors, one in each of the first lanes.
template <typename Type, unsigned Lanes, typename... More>
vector<Type, Lanes> reduce_add_v(const vector<Type, Lanes> &first, const More &...more) {
    static_assert(sizeof...(More) < Lanes, "there are more vectors than lanes");
    vector<Type, Lanes> sums;
    unsigned i = 0;
    sums.data()[i++] = reduce_add(first);
    ((sums.data()[i++] = reduce_add(more)), ...);
    return sums;
}

} // namespace aie
