// Limits of the modelled device's registers and multipliers: lanes of accumulators, and shapes of
// aie::mmul.
//
// Sources: UG1529 "Basic Types" (supported vector and accumulator types and sizes) and "Matrix
// Multiplication" (supported matrix multiplication modes), rows "AIE". Both tables are also in the
// open sources of the API (Xilinx/aie_api, aie_doc.hpp and detail/mmul.hpp). For AIE-ML every shape
// is accepted.
#pragma once

#include "scalar.hpp"

namespace aie {
namespace sim {

// Lanes of the smallest accumulator of this width.
constexpr unsigned least_lanes(unsigned bits, bool complex) {
    if (__AIE_ARCH__ != 10) return 1;
    return (bits == 48 ? 8 : 4) / (complex ? 2 : 1);
}

// Sizes of A (rows), of A and B (inner), and of B (columns).
struct mmul_shape {
    unsigned m, k, n;
};

template <std::size_t Count>
constexpr bool is_one_of(const mmul_shape (&shapes)[Count], unsigned m, unsigned k, unsigned n) {
    for (const mmul_shape &shape : shapes)
        if (shape.m == m && shape.k == k && shape.n == n) return true;
    return false;
}

// Kinds of operands: 8, 16, 32 and 64 bits, of real or complex, whole or floating numbers.
enum class operand_kind { none, byte, half, word, complex_half, complex_word, single, complex_single };

template <typename Type>
constexpr operand_kind operand_kind_v = std::is_same<Type, int8>::value || std::is_same<Type, uint8>::value ? operand_kind::byte
    : std::is_same<Type, int16>::value  ? operand_kind::half
    : std::is_same<Type, int32>::value  ? operand_kind::word
    : std::is_same<Type, cint16>::value ? operand_kind::complex_half
    : std::is_same<Type, cint32>::value ? operand_kind::complex_word
    : std::is_same<Type, float>::value  ? operand_kind::single
    : std::is_same<Type, cfloat>::value ? operand_kind::complex_single
                                        : operand_kind::none;

constexpr mmul_shape mmul_8_8[] = {{4, 8, 4}, {8, 8, 4}, {4, 8, 8}, {2, 8, 8}, {1, 16, 8}, {2, 16, 8}, {4, 16, 4}, {4, 16, 8}};
constexpr mmul_shape mmul_16_8[] = {{4, 4, 4}, {4, 8, 4}, {4, 4, 8}, {8, 4, 4}};
constexpr mmul_shape mmul_8_16[] = {{4, 4, 4}, {4, 4, 8}, {8, 8, 1}};
constexpr mmul_shape mmul_16_16[] = {{4, 4, 4}, {2, 4, 8}, {4, 4, 8}, {4, 2, 8}, {8, 8, 1}};
constexpr mmul_shape mmul_16_32[] = {{4, 4, 4}, {2, 4, 8}, {4, 2, 2}};
constexpr mmul_shape mmul_16_c16[] = {{4, 4, 4}, {4, 2, 2}, {4, 4, 1}};
constexpr mmul_shape mmul_16_c32[] = {{2, 4, 2}, {2, 8, 2}, {4, 4, 2}, {2, 4, 4}, {4, 4, 1}};
constexpr mmul_shape mmul_32_16[] = {{2, 2, 4}, {2, 4, 4}, {4, 2, 4}, {4, 4, 2}, {4, 4, 4}, {2, 2, 8}, {2, 4, 8}};
constexpr mmul_shape mmul_32_32[] = {{2, 2, 2}, {2, 4, 2}, {2, 8, 2}, {4, 2, 2}, {4, 4, 2}, {4, 2, 4}, {2, 4, 4}, {4, 4, 1}};
constexpr mmul_shape mmul_32_64[] = {{2, 2, 2}, {2, 4, 2}, {4, 2, 1}};
constexpr mmul_shape mmul_64_16[] = {{2, 4, 2}, {2, 8, 2}, {4, 4, 2}, {2, 4, 4}};
constexpr mmul_shape mmul_64_32[] = {{2, 2, 2}, {2, 4, 2}, {4, 4, 1}};
constexpr mmul_shape mmul_c32_32[] = {{1, 2, 2}, {2, 2, 2}, {2, 4, 2}, {4, 4, 1}};
constexpr mmul_shape mmul_cfloat_float[] = {{2, 4, 1}, {2, 2, 2}, {2, 4, 2}, {4, 4, 1}};
constexpr mmul_shape mmul_c32_c32[] = {{2, 2, 1}, {1, 2, 2}, {2, 2, 2}};
constexpr mmul_shape mmul_cfloat_cfloat[] = {{2, 2, 2}, {2, 4, 2}, {2, 2, 4}, {4, 2, 2}, {4, 2, 1}};

// Does AIE multiply matrices of these kinds and sizes?
constexpr bool has_mmul(operand_kind a, operand_kind b, unsigned m, unsigned k, unsigned n) {
    using kind = operand_kind;
    const bool a_word = a == kind::word || a == kind::complex_half, b_word = b == kind::word || b == kind::complex_half;
    if (a == kind::byte) return b == kind::byte ? is_one_of(mmul_8_8, m, k, n) : b == kind::half && is_one_of(mmul_8_16, m, k, n);
    if (a == kind::half && b == kind::byte) return is_one_of(mmul_16_8, m, k, n);
    if (a == kind::half && b == kind::half) return is_one_of(mmul_16_16, m, k, n);
    if (a == kind::half && b == kind::word) return is_one_of(mmul_16_32, m, k, n);
    if (a == kind::half && b == kind::complex_half) return is_one_of(mmul_16_c16, m, k, n);
    if (a == kind::half && b == kind::complex_word) return is_one_of(mmul_16_c32, m, k, n);
    if (a_word && b == kind::half) return is_one_of(mmul_32_16, m, k, n);
    if (a_word && b_word) return is_one_of(mmul_32_32, m, k, n);
    if (a_word && b == kind::complex_word) return is_one_of(mmul_32_64, m, k, n);
    if (a == kind::complex_word && b == kind::half) return is_one_of(mmul_64_16, m, k, n);
    if (a == kind::complex_word && b == kind::word) return is_one_of(mmul_c32_32, m, k, n);
    if (a == kind::complex_word && b == kind::complex_half) return is_one_of(mmul_64_32, m, k, n);
    if (a == kind::complex_word && b == kind::complex_word) return is_one_of(mmul_c32_c32, m, k, n);
    if (a == kind::single && b == kind::single) return is_one_of(mmul_32_32, m, k, n);
    if (a == kind::single && b == kind::complex_single) return is_one_of(mmul_32_64, m, k, n);
    if (a == kind::complex_single && b == kind::single) return is_one_of(mmul_cfloat_float, m, k, n);
    return a == kind::complex_single && b == kind::complex_single && is_one_of(mmul_cfloat_cfloat, m, k, n);
}

} // namespace sim
} // namespace aie
