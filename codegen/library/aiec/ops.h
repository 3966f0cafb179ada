// Operators of collectives: `apply` for two elements, `apply_vector` for two vectors of elements,
// with equal results.
//
// Integers wrap at the width of their type, signed or not, real or complex, in both forms. Floats
// are rounded once for each operation; a complex product makes its two parts of two products each.
// min and max need an order, which complex numbers do not have; their result for NaN is open. Bits
// are those of integers.
//
// An operator without `apply_vector` goes element by element: AIE has no vector operations for bits
// (those of the API are loops over elements there, aie_api/detail/bit.hpp; AIE-ML has them).
//
// A design may supply its own operators: a struct with `apply`, and with `apply_vector` for
// vectorised loops.
#pragma once

#include <type_traits>
#include <utility>

#include <adf.h>
#include <aie_api/aie.hpp>

#include "element.h"

namespace aiec {

// The unsigned type in which integers of this type wrap without overflow.
template <typename Element>
using wrapping = std::common_type_t<unsigned, std::make_unsigned_t<Element>>;

template <typename Element>
Element plus(Element a, Element b) {
    if constexpr (std::is_integral_v<Element>) {
        return static_cast<Element>(static_cast<wrapping<Element>>(a) + static_cast<wrapping<Element>>(b));
    } else {
        return a + b;
    }
}

template <typename Element>
Element minus(Element a, Element b) {
    if constexpr (std::is_integral_v<Element>) {
        return static_cast<Element>(static_cast<wrapping<Element>>(a) - static_cast<wrapping<Element>>(b));
    } else {
        return a - b;
    }
}

template <typename Element>
Element times(Element a, Element b) {
    if constexpr (std::is_integral_v<Element>) {
        return static_cast<Element>(static_cast<wrapping<Element>>(a) * static_cast<wrapping<Element>>(b));
    } else {
        return a * b;
    }
}

struct sum {
    static constexpr bool ignores_signs = true;

    template <typename Element>
    static Element apply(Element a, Element b) {
        if constexpr (is_complex<Element>) {
            Element both = a;
            both.real = plus(a.real, b.real);
            both.imag = plus(a.imag, b.imag);
            return both;
        } else {
            return plus(a, b);
        }
    }
    template <typename Vector>
    static Vector apply_vector(Vector a, Vector b) { return aie::add(a, b); }
};

struct prod {
    // Products of vectors come out of accumulators, which must wrap on their way, too.
    static constexpr bool narrows = true;
    static constexpr bool ignores_signs = true;

    template <typename Element>
    static Element apply(Element a, Element b) {
        if constexpr (is_complex<Element>) {
            Element both = a;
            both.real = minus(times(a.real, b.real), times(a.imag, b.imag));
            both.imag = plus(times(a.real, b.imag), times(a.imag, b.real));
            return both;
        } else {
            return times(a, b);
        }
    }
    // The lower half of a product does not depend on signs, and the multipliers take signed
    // numbers.
    template <typename Vector>
    static Vector apply_vector(Vector a, Vector b) {
        using Element = typename Vector::value_type;
        if constexpr (std::is_unsigned_v<Element>) {
            using Signed = std::make_signed_t<Element>;
            return product(a.template cast_to<Signed>(), b.template cast_to<Signed>()).template cast_to<Element>();
        } else {
            return product(a, b);
        }
    }

private:
    template <typename Vector>
    static Vector product(Vector a, Vector b) {
        return aie::mul(a, b).template to_vector<typename Vector::value_type>(0);
    }
};

struct min {
    template <typename Element>
    static Element apply(Element a, Element b) {
        static_assert(!is_complex<Element>, "there is no smallest complex number");
        return b < a ? b : a;
    }
    template <typename Vector>
    static Vector apply_vector(Vector a, Vector b) {
        static_assert(!is_complex<typename Vector::value_type>, "there is no smallest complex number");
        return aie::min(a, b);
    }
};

struct max {
    template <typename Element>
    static Element apply(Element a, Element b) {
        static_assert(!is_complex<Element>, "there is no largest complex number");
        return a < b ? b : a;
    }
    template <typename Vector>
    static Vector apply_vector(Vector a, Vector b) {
        static_assert(!is_complex<typename Vector::value_type>, "there is no largest complex number");
        return aie::max(a, b);
    }
};

struct bit_and {
    template <typename Element>
    static Element apply(Element a, Element b) {
        static_assert(std::is_integral_v<Element>, "only integers are combined bit by bit");
        return static_cast<Element>(a & b);
    }
};

struct bit_or {
    template <typename Element>
    static Element apply(Element a, Element b) {
        static_assert(std::is_integral_v<Element>, "only integers are combined bit by bit");
        return static_cast<Element>(a | b);
    }
};

struct bit_xor {
    template <typename Element>
    static Element apply(Element a, Element b) {
        static_assert(std::is_integral_v<Element>, "only integers are combined bit by bit");
        return static_cast<Element>(a ^ b);
    }
};

// Does the operator combine vectors, too?
template <typename Op, typename Vector, typename = void>
inline constexpr bool has_vector_form = false;
template <typename Op, typename Vector>
inline constexpr bool
    has_vector_form<Op, Vector,
                    std::void_t<decltype(Op::apply_vector(std::declval<Vector>(), std::declval<Vector>()))>> =
        true;

// Does its vector form narrow accumulators to elements?
template <typename Op, typename = void>
inline constexpr bool narrows = false;
template <typename Op>
inline constexpr bool narrows<Op, std::void_t<decltype(Op::narrows)>> = Op::narrows;

// Do the bits of its results not depend on whether integers are signed?
template <typename Op, typename = void>
inline constexpr bool ignores_signs = false;
template <typename Op>
inline constexpr bool ignores_signs<Op, std::void_t<decltype(Op::ignores_signs)>> = Op::ignores_signs;

// True if one operation of the vector unit combines 512 bits. It adds and compares integers of 16
// and 32 bits, and pairs of these, 512 bits at a time; floats 256 bits at a time. Bytes go through
// 16 bits (aie_api/detail/aie1/add.hpp, max_min.hpp).
template <typename Op, typename Element>
inline constexpr bool is_wide = (std::is_same_v<Op, sum> || std::is_same_v<Op, min> || std::is_same_v<Op, max>)
    && (std::is_integral_v<Element> || std::is_same_v<Element, cint16> || std::is_same_v<Element, cint32>)
    && sizeof(Element) > 1;

} // namespace aiec
