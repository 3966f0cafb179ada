// Lane permutations (UG1529, "Reshaping"; UG1079, "Data Reshaping"). Lanes that the API leaves
// undefined become zeros.
#pragma once

#include <utility>

#include "operand.hpp"

namespace aie {

// The lanes of all arguments behind each other.
template <typename Type, unsigned Lanes, typename... More>
auto concat(const vector<Type, Lanes> &first, const More &...more) {
    vector<Type, Lanes *(1 + sizeof...(More))> all;
    unsigned part = 0;
    all.insert(part++, first);
    (all.insert(part++, static_cast<const vector<Type, Lanes> &>(more)), ...);
    return all;
}
template <typename Tag, unsigned Lanes, typename... More>
auto concat(const accum<Tag, Lanes> &first, const More &...more) {
    accum<Tag, Lanes *(1 + sizeof...(More))> all;
    unsigned part = 0;
    all.insert(part++, first);
    (all.insert(part++, static_cast<const accum<Tag, Lanes> &>(more)), ...);
    return all;
}
template <typename Type, unsigned Lanes, std::size_t Parts>
auto concat(const std::array<vector<Type, Lanes>, Parts> &parts) {
    vector<Type, Lanes * Parts> all;
    for (unsigned i = 0; i < Parts; ++i) all.insert(i, parts[i]);
    return all;
}

// The older name of `concat` (AMD's Vitis libraries).
template <typename... Vectors>
auto concat_vector(const Vectors &...vectors) {
    return concat(vectors...);
}

// Reinterprets the bits as lanes of another type.
template <typename To, typename Type, unsigned Lanes>
auto vector_cast(const vector<Type, Lanes> &v) {
    return v.template cast_to<To>();
}
template <typename To, typename Tag, unsigned Lanes>
auto accum_cast(const accum<Tag, Lanes> &a) {
    return a.template cast_to<To>();
}
template <typename Type, unsigned Lanes>
auto unpack(const vector<Type, Lanes> &v) {
    return v.unpack();
}
template <typename Type, unsigned Lanes>
auto pack(const vector<Type, Lanes> &v) {
    return v.pack();
}
// An accumulator from a vector and back, as free functions.
template <typename Tag, typename Type, unsigned Lanes>
accum<Tag, Lanes> from_vector(const vector<Type, Lanes> &v, int shift = 0) {
    return accum<Tag, Lanes>(v, shift);
}
template <typename Type, typename Tag, unsigned Lanes>
vector<Type, Lanes> to_vector(const accum<Tag, Lanes> &a, int shift = 0) {
    return a.template to_vector<Type>(shift);
}

namespace sim {

// Lane i of the result is `from(i)`, which reads the operands.
template <typename Type, unsigned Lanes, typename From, typename... Operands>
vector<Type, Lanes> arranged(From from, const Operands &...operands) {
    adf::sim::counts::quiet whole;
    vector<Type, Lanes> v;
    for (unsigned i = 0; i < Lanes; ++i) v.data()[i] = from(i);
    whole.end();
    adf::sim::counts::moved(v, (v.bits() + 511) / 512, operands...);
    return v;
}

} // namespace sim

template <typename Type, unsigned Lanes>
vector<Type, Lanes> reverse(const vector<Type, Lanes> &v) {
    return sim::arranged<Type, Lanes>([&](unsigned i) { return v[Lanes - 1 - i]; }, v);
}

// Lanes move towards higher numbers; the places that become free hold zeros.
template <typename Type, unsigned Lanes>
vector<Type, Lanes> shuffle_up(const vector<Type, Lanes> &v, unsigned by) {
    return sim::arranged<Type, Lanes>([&](unsigned i) { return i < by ? Type(0) : v[i - by]; }, v);
}
template <typename Type, unsigned Lanes>
vector<Type, Lanes> shuffle_down(const vector<Type, Lanes> &v, unsigned by) {
    return sim::arranged<Type, Lanes>([&](unsigned i) { return by < Lanes && i < Lanes - by ? v[i + by] : Type(0); }, v);
}
template <typename Type, unsigned Lanes>
vector<Type, Lanes> shuffle_up_rotate(const vector<Type, Lanes> &v, unsigned by) {
    return sim::arranged<Type, Lanes>([&](unsigned i) { return v[(i + Lanes - by % Lanes) % Lanes]; }, v);
}
template <typename Type, unsigned Lanes>
vector<Type, Lanes> shuffle_down_rotate(const vector<Type, Lanes> &v, unsigned by) {
    return sim::arranged<Type, Lanes>([&](unsigned i) { return v[(i + by % Lanes) % Lanes]; }, v);
}
// Free lanes at the bottom take the last lanes of `fill`, free lanes at the top its first.
template <typename Type, unsigned Lanes>
vector<Type, Lanes> shuffle_up_fill(const vector<Type, Lanes> &v, const vector<Type, Lanes> &fill, unsigned by) {
    return sim::arranged<Type, Lanes>([&](unsigned i) { return i < by ? fill[(Lanes - by % Lanes + i) % Lanes]
                                      : v[i - by]; }, v, fill);
}
template <typename Type, unsigned Lanes>
vector<Type, Lanes> shuffle_down_fill(const vector<Type, Lanes> &v, const vector<Type, Lanes> &fill, unsigned by) {
    return sim::arranged<Type, Lanes>([&](unsigned i) { return i + by < Lanes ? v[i + by]
                                      : fill[(i + by - Lanes) % Lanes]; }, v, fill);
}
// Free places repeat the lane at that end.
template <typename Type, unsigned Lanes>
vector<Type, Lanes> shuffle_up_replicate(const vector<Type, Lanes> &v, unsigned by) {
    return sim::arranged<Type, Lanes>([&](unsigned i) { return i < by ? v[0] : v[i - by]; }, v);
}
template <typename Type, unsigned Lanes>
vector<Type, Lanes> shuffle_down_replicate(const vector<Type, Lanes> &v, unsigned by) {
    return sim::arranged<Type, Lanes>([&](unsigned i) { return i + by < Lanes ? v[i + by] : v[Lanes - 1]; }, v);
}

// Chunks of `step` lanes: the even-numbered or the odd-numbered ones.
template <typename Type, unsigned Lanes>
vector<Type, Lanes / 2> filter_even(const vector<Type, Lanes> &v, unsigned step = 1) {
    return sim::arranged<Type, Lanes / 2>([&](unsigned i) { return v[i / step * 2 * step + i % step]; }, v);
}
template <typename Type, unsigned Lanes>
vector<Type, Lanes / 2> filter_odd(const vector<Type, Lanes> &v, unsigned step = 1) {
    return sim::arranged<Type, Lanes / 2>([&](unsigned i) { return v[i / step * 2 * step + step + i % step]; }, v);
}

// Chunks of `step` lanes taken from both vectors in turn: the first and the second half of that.
template <typename Type, unsigned Lanes>
std::pair<vector<Type, Lanes>, vector<Type, Lanes>> interleave_zip(const vector<Type, Lanes> &a,
                                                                   const vector<Type, Lanes> &b, unsigned step = 1) {
    const auto all = sim::arranged<Type, 2 * Lanes>([&](unsigned i) {
        const unsigned from = i / (2 * step) * step + i % step;
        return i / step % 2 == 0 ? a[from] : b[from];
    }, a, b);
    return {all.template extract<Lanes>(0), all.template extract<Lanes>(1)};
}
// Undoes interleave_zip: the even chunks of both vectors, and the odd ones.
template <typename Type, unsigned Lanes>
std::pair<vector<Type, Lanes>, vector<Type, Lanes>> interleave_unzip(const vector<Type, Lanes> &a,
                                                                     const vector<Type, Lanes> &b, unsigned step = 1) {
    const vector<Type, 2 * Lanes> all = concat(a, b);
    return {filter_even(all, step), filter_odd(all, step)};
}

// A matrix of `rows` by `columns`, row after row, becomes its transpose.
template <typename Type, unsigned Lanes>
vector<Type, Lanes> transpose(const vector<Type, Lanes> &v, unsigned rows, unsigned columns) {
    return sim::arranged<Type, Lanes>([&](unsigned i) { return v[i % rows * columns + i / rows]; }, v);
}

template <typename Type, unsigned Lanes>
auto real(const vector<Type, Lanes> &v) {
    return sim::arranged<sim::part_t<Type>, Lanes>([&](unsigned i) { return sim::real_of(v[i]); }, v);
}
template <typename Type, unsigned Lanes>
auto imag(const vector<Type, Lanes> &v) {
    return sim::arranged<sim::part_t<Type>, Lanes>([&](unsigned i) { return sim::imag_of(v[i]); }, v);
}
template <typename Part>
Part real(const adf::sim::complex<Part> &x) { return x.real; }
template <typename Part>
Part imag(const adf::sim::complex<Part> &x) { return x.imag; }

} // namespace aie
