// Vectors, masks and matrices as text on standard output, for debugging (UG1529, "Debugging").
#pragma once

#include <cstdio>

#include "operand.hpp"

namespace aie {
namespace sim {

template <typename Part>
void print_part(Part value) {
    if constexpr (is_float_v<Part>) std::printf("%f", double(float(value)));
    else if constexpr (std::is_unsigned<Part>::value) std::printf("%llu", static_cast<unsigned long long>(value));
    else std::printf("%lld", static_cast<long long>(value));
}
template <typename Type>
void print_element(const Type &x) {
    print_part(real_of(x));
    if constexpr (is_complex_v<Type>) {
        std::printf("%s", x.imag < 0 ? " - " : " + ");
        print_part(x.imag < 0 ? wrap::neg(x.imag) : x.imag);
        std::printf("i");
    }
    std::printf(" ");
}

} // namespace sim

// Prints all lanes in one line, after a prefix, with an optional line end.
template <typename Type, unsigned Lanes>
void print(const vector<Type, Lanes> &v, bool new_line = false, const char *prefix = nullptr) {
    if (prefix) std::printf("%s", prefix);
    for (unsigned i = 0; i < Lanes; ++i) sim::print_element(v[i]);
    if (new_line) std::printf("\n");
}
template <unsigned Lanes>
void print(const mask<Lanes> &m, bool new_line = false, const char *prefix = nullptr) {
    if (prefix) std::printf("%s", prefix);
    for (unsigned i = 0; i < Lanes; ++i) std::printf("%u ", unsigned(m.test(i)));
    if (new_line) std::printf("\n");
}
template <typename Tag, unsigned Lanes>
void print(const accum<Tag, Lanes> &a, bool new_line = false, const char *prefix = nullptr) {
    if (prefix) std::printf("%s", prefix);
    for (unsigned i = 0; i < Lanes; ++i) {
        if constexpr (Tag::floating) std::printf("%f ", double(a.lane_at(i).real));
        else std::printf("%lld ", static_cast<long long>(a.lane_at(i).real));
        if constexpr (Tag::complex) std::printf("%lldi ", static_cast<long long>(a.lane_at(i).imag));
    }
    if (new_line) std::printf("\n");
}
// Integers with `fraction_bits` bits behind the point.
template <typename Type, unsigned Lanes>
void print_fixed(const vector<Type, Lanes> &v, int fraction_bits, bool new_line = false, const char *prefix = nullptr) {
    if (prefix) std::printf("%s", prefix);
    for (unsigned i = 0; i < Lanes; ++i) std::printf("%f ", double(v[i]) / double(std::int64_t(1) << fraction_bits));
    if (new_line) std::printf("\n");
}
// A vector as a matrix with this number of columns.
template <typename Type, unsigned Lanes>
void print_matrix(const vector<Type, Lanes> &v, unsigned columns, const char *prefix = nullptr) {
    for (unsigned i = 0; i < Lanes; ++i) {
        if (i % columns == 0 && prefix) std::printf("%s", prefix);
        sim::print_element(v[i]);
        if ((i + 1) % columns == 0) std::printf("\n");
    }
}

} // namespace aie
