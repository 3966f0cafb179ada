// Where lanes go (UG1529, "Reshaping"; UG1079, "Data Reshaping"). Lanes that the API leaves undefined become zeros.
#pragma once

#include <utility>

#include "operand.hpp"

namespace aie {

// The lanes of all arguments behind each other.
template <typename T, unsigned N, typename... More>
auto concat(const vector<T, N> &first, const More &...more) {
    vector<T, N *(1 + sizeof...(More))> all;
    unsigned part = 0;
    all.insert(part++, first);
    (all.insert(part++, static_cast<const vector<T, N> &>(more)), ...);
    return all;
}
template <typename Tag, unsigned N, typename... More>
auto concat(const accum<Tag, N> &first, const More &...more) {
    accum<Tag, N *(1 + sizeof...(More))> all;
    unsigned part = 0;
    all.insert(part++, first);
    (all.insert(part++, static_cast<const accum<Tag, N> &>(more)), ...);
    return all;
}
template <typename T, unsigned N, std::size_t Parts>
auto concat(const std::array<vector<T, N>, Parts> &parts) {
    vector<T, N * Parts> all;
    for (unsigned i = 0; i < Parts; ++i) all.insert(i, parts[i]);
    return all;
}

// The same bits as lanes of another type.
template <typename To, typename T, unsigned N>
auto vector_cast(const vector<T, N> &v) {
    return v.template cast_to<To>();
}
template <typename To, typename Tag, unsigned N>
auto accum_cast(const accum<Tag, N> &a) {
    return a.template cast_to<To>();
}
template <typename T, unsigned N>
auto unpack(const vector<T, N> &v) {
    return v.unpack();
}
template <typename T, unsigned N>
auto pack(const vector<T, N> &v) {
    return v.pack();
}
// An accumulator from a vector and back, as free functions.
template <typename Tag, typename T, unsigned N>
accum<Tag, N> from_vector(const vector<T, N> &v, int shift = 0) {
    return accum<Tag, N>(v, shift);
}
template <typename T, typename Tag, unsigned N>
vector<T, N> to_vector(const accum<Tag, N> &a, int shift = 0) {
    return a.template to_vector<T>(shift);
}

namespace sim {

// Lane i of the result is what `from(i)` gives.
template <typename T, unsigned N, typename From>
vector<T, N> arranged(From from) {
    vector<T, N> v;
    for (unsigned i = 0; i < N; ++i) v.data()[i] = from(i);
    return v;
}

} // namespace sim

template <typename T, unsigned N>
vector<T, N> reverse(const vector<T, N> &v) {
    return sim::arranged<T, N>([&](unsigned i) { return v[N - 1 - i]; });
}

// Lanes move towards higher numbers; the places that become free hold zeros.
template <typename T, unsigned N>
vector<T, N> shuffle_up(const vector<T, N> &v, unsigned by) {
    return sim::arranged<T, N>([&](unsigned i) { return i < by ? T(0) : v[i - by]; });
}
template <typename T, unsigned N>
vector<T, N> shuffle_down(const vector<T, N> &v, unsigned by) {
    return sim::arranged<T, N>([&](unsigned i) { return by < N && i < N - by ? v[i + by] : T(0); });
}
template <typename T, unsigned N>
vector<T, N> shuffle_up_rotate(const vector<T, N> &v, unsigned by) {
    return sim::arranged<T, N>([&](unsigned i) { return v[(i + N - by % N) % N]; });
}
template <typename T, unsigned N>
vector<T, N> shuffle_down_rotate(const vector<T, N> &v, unsigned by) {
    return sim::arranged<T, N>([&](unsigned i) { return v[(i + by % N) % N]; });
}
// Free places at the bottom take the last lanes of `fill`, those at the top its first.
template <typename T, unsigned N>
vector<T, N> shuffle_up_fill(const vector<T, N> &v, const vector<T, N> &fill, unsigned by) {
    return sim::arranged<T, N>([&](unsigned i) { return i < by ? fill[(N - by % N + i) % N] : v[i - by]; });
}
template <typename T, unsigned N>
vector<T, N> shuffle_down_fill(const vector<T, N> &v, const vector<T, N> &fill, unsigned by) {
    return sim::arranged<T, N>([&](unsigned i) { return i + by < N ? v[i + by] : fill[(i + by - N) % N]; });
}
// Free places repeat the lane at that end.
template <typename T, unsigned N>
vector<T, N> shuffle_up_replicate(const vector<T, N> &v, unsigned by) {
    return sim::arranged<T, N>([&](unsigned i) { return i < by ? v[0] : v[i - by]; });
}
template <typename T, unsigned N>
vector<T, N> shuffle_down_replicate(const vector<T, N> &v, unsigned by) {
    return sim::arranged<T, N>([&](unsigned i) { return i + by < N ? v[i + by] : v[N - 1]; });
}

// Chunks of `step` lanes: those with an even number, or those with an odd one.
template <typename T, unsigned N>
vector<T, N / 2> filter_even(const vector<T, N> &v, unsigned step = 1) {
    return sim::arranged<T, N / 2>([&](unsigned i) { return v[i / step * 2 * step + i % step]; });
}
template <typename T, unsigned N>
vector<T, N / 2> filter_odd(const vector<T, N> &v, unsigned step = 1) {
    return sim::arranged<T, N / 2>([&](unsigned i) { return v[i / step * 2 * step + step + i % step]; });
}

// Chunks of `step` lanes taken from both vectors in turn: the first and the second half of that.
template <typename T, unsigned N>
std::pair<vector<T, N>, vector<T, N>> interleave_zip(const vector<T, N> &a, const vector<T, N> &b, unsigned step = 1) {
    const auto all = sim::arranged<T, 2 * N>([&](unsigned i) {
        const unsigned from = i / (2 * step) * step + i % step;
        return i / step % 2 == 0 ? a[from] : b[from];
    });
    return {all.template extract<N>(0), all.template extract<N>(1)};
}
// Undoes interleave_zip: the even chunks of both vectors, and the odd ones.
template <typename T, unsigned N>
std::pair<vector<T, N>, vector<T, N>> interleave_unzip(const vector<T, N> &a, const vector<T, N> &b, unsigned step = 1) {
    const vector<T, 2 * N> all = concat(a, b);
    return {filter_even(all, step), filter_odd(all, step)};
}

// A matrix of `rows` by `columns`, row after row, becomes its transpose.
template <typename T, unsigned N>
vector<T, N> transpose(const vector<T, N> &v, unsigned rows, unsigned columns) {
    return sim::arranged<T, N>([&](unsigned i) { return v[i % rows * columns + i / rows]; });
}

template <typename T, unsigned N>
auto real(const vector<T, N> &v) {
    return sim::arranged<sim::part_t<T>, N>([&](unsigned i) { return sim::real_of(v[i]); });
}
template <typename T, unsigned N>
auto imag(const vector<T, N> &v) {
    return sim::arranged<sim::part_t<T>, N>([&](unsigned i) { return sim::imag_of(v[i]); });
}
template <typename P>
P real(const adf::sim::complex<P> &x) { return x.real; }
template <typename P>
P imag(const adf::sim::complex<P> &x) { return x.imag; }
template <typename P, unsigned N>
auto combine_into_complex(const vector<P, N> &re, const vector<P, N> &im) {
    using T = adf::sim::complex<P>;
    return sim::arranged<T, N>([&](unsigned i) { return T(re[i], im[i]); });
}

} // namespace aie
