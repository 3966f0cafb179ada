// Accumulators: products kept wide until they are shifted back into a vector. Wider here than on the device, so that
// a result fits whenever it fits there; conversion truncates towards minus infinity and wraps, the defaults of a core.
#pragma once

#include "elementwise.hpp"

struct acc48 {
    using lane = std::int64_t;
};
struct acc80 {
    __extension__ using lane = __int128;
};
struct accfloat {
    using lane = float;
};

namespace aie {

// The accumulator that products of two element types go to.
template <typename T>
struct accumulator_of {
    using type = acc48;
};
template <>
struct accumulator_of<int32> {
    using type = acc80;
};
template <>
struct accumulator_of<uint32> {
    using type = acc80;
};
template <>
struct accumulator_of<float> {
    using type = accfloat;
};

template <typename Tag, unsigned N>
class accum {
public:
    using lane = typename Tag::lane;

    lane &operator[](unsigned i) { return lanes_[i]; }
    const lane &operator[](unsigned i) const { return lanes_[i]; }

    template <typename T>
    void from_vector(const vector<T, N> &v, int shift = 0) {
        for (unsigned i = 0; i < N; ++i) lanes_[i] = shifted_up(lane(v[i]), shift);
    }

    template <typename T>
    vector<T, N> to_vector(int shift = 0) const {
        vector<T, N> v;
        for (unsigned i = 0; i < N; ++i) v[i] = T(shifted_down(lanes_[i], shift));
        return v;
    }

private:
    static float shifted_up(float x, int) { return x; }
    static float shifted_down(float x, int) { return x; }
    template <typename Int>
    static Int shifted_up(Int x, int shift) { return x * (Int(1) << shift); }
    template <typename Int>
    static Int shifted_down(Int x, int shift) { return x >> shift; }

    lane lanes_[N] = {};
};

template <typename Tag, typename T, unsigned N>
accum<Tag, N> mac(const accum<Tag, N> &acc, const vector<T, N> &a, const vector<T, N> &b) {
    using lane = typename Tag::lane;
    accum<Tag, N> sum;
    for (unsigned i = 0; i < N; ++i) sum[i] = acc[i] + lane(a[i]) * lane(b[i]);
    return sum;
}
template <typename Tag, typename T, unsigned N>
accum<Tag, N> mac(const accum<Tag, N> &acc, const vector<T, N> &a, same_type_t<T> b) {
    return mac(acc, a, broadcast<T, N>(b));
}
template <typename Tag, typename T, unsigned N>
accum<Tag, N> msc(const accum<Tag, N> &acc, const vector<T, N> &a, const vector<T, N> &b) {
    using lane = typename Tag::lane;
    accum<Tag, N> rest;
    for (unsigned i = 0; i < N; ++i) rest[i] = acc[i] - lane(a[i]) * lane(b[i]);
    return rest;
}

template <typename Tag, typename T, unsigned N>
accum<Tag, N> mul(const vector<T, N> &a, const vector<T, N> &b) {
    return mac(accum<Tag, N>(), a, b);
}
template <typename T, unsigned N>
accum<typename accumulator_of<T>::type, N> mul(const vector<T, N> &a, const vector<T, N> &b) {
    return mul<typename accumulator_of<T>::type>(a, b);
}
template <typename T, unsigned N>
auto mul(const vector<T, N> &a, same_type_t<T> b) {
    return mul(a, broadcast<T, N>(b));
}
template <typename T, unsigned N>
auto mul(same_type_t<T> a, const vector<T, N> &b) {
    return mul(broadcast<T, N>(a), b);
}

} // namespace aie
