// Vectors, masks and matrices as text on standard output, for looking at values while debugging (UG1529, "Debugging").
#pragma once

#include <cstdio>

#include "operand.hpp"

namespace aie {
namespace sim {

template <typename P>
void print_part(P value) {
    if constexpr (is_float_v<P>) std::printf("%f", double(float(value)));
    else if constexpr (std::is_unsigned<P>::value) std::printf("%llu", static_cast<unsigned long long>(value));
    else std::printf("%lld", static_cast<long long>(value));
}
template <typename T>
void print_element(const T &x) {
    print_part(real_of(x));
    if constexpr (is_complex_v<T>) {
        std::printf("%s", x.imag < 0 ? " - " : " + ");
        print_part(x.imag < 0 ? wrap::neg(x.imag) : x.imag);
        std::printf("i");
    }
    std::printf(" ");
}

} // namespace sim

// All lanes in one line, after a prefix, with a line end when asked for.
template <typename T, unsigned N>
void print(const vector<T, N> &v, bool new_line = false, const char *prefix = nullptr) {
    if (prefix) std::printf("%s", prefix);
    for (unsigned i = 0; i < N; ++i) sim::print_element(v[i]);
    if (new_line) std::printf("\n");
}
template <unsigned N>
void print(const mask<N> &m, bool new_line = false, const char *prefix = nullptr) {
    if (prefix) std::printf("%s", prefix);
    for (unsigned i = 0; i < N; ++i) std::printf("%u ", unsigned(m.test(i)));
    if (new_line) std::printf("\n");
}
template <typename Tag, unsigned N>
void print(const accum<Tag, N> &a, bool new_line = false, const char *prefix = nullptr) {
    if (prefix) std::printf("%s", prefix);
    for (unsigned i = 0; i < N; ++i) {
        if constexpr (Tag::floating) std::printf("%f ", double(a.lane_at(i).real));
        else std::printf("%lld ", static_cast<long long>(a.lane_at(i).real));
        if constexpr (Tag::complex) std::printf("%lldi ", static_cast<long long>(a.lane_at(i).imag));
    }
    if (new_line) std::printf("\n");
}
// Integers with `fraction_bits` bits behind the point.
template <typename T, unsigned N>
void print_fixed(const vector<T, N> &v, int fraction_bits, bool new_line = false, const char *prefix = nullptr) {
    if (prefix) std::printf("%s", prefix);
    for (unsigned i = 0; i < N; ++i) std::printf("%f ", double(v[i]) / double(std::int64_t(1) << fraction_bits));
    if (new_line) std::printf("\n");
}
// A vector as a matrix with so many columns.
template <typename T, unsigned N>
void print_matrix(const vector<T, N> &v, unsigned columns, const char *prefix = nullptr) {
    for (unsigned i = 0; i < N; ++i) {
        if (i % columns == 0 && prefix) std::printf("%s", prefix);
        sim::print_element(v[i]);
        if ((i + 1) % columns == 0) std::printf("\n");
    }
}

} // namespace aie
