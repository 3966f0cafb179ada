// The vectors of AIE, the first generation, as in the open sources of the AI Engine API (aie_api,
// detail/aie1): its element types, and the number of vector unit operations of each function. There
// are no vectors of unsigned integers of 16 or 32 bits, none of 64-bit integers, and no functions
// for bits.
#pragma once

#include <type_traits>

#include "../adf.h"

namespace aie {

template <typename Type>
inline constexpr bool has_vectors = std::is_same_v<Type, int8> || std::is_same_v<Type, uint8>
    || std::is_same_v<Type, int16> || std::is_same_v<Type, int32> || std::is_same_v<Type, float>
    || std::is_same_v<Type, cint16> || std::is_same_v<Type, cint32> || std::is_same_v<Type, cfloat>;
template <typename Type>
inline constexpr bool is_float = std::is_same_v<Type, float> || std::is_same_v<Type, cfloat>;

template <typename Type, unsigned Lanes>
class vector {
    static_assert(has_vectors<Type>, "AIE has no vectors of this type");
    static constexpr unsigned bits = Lanes * sizeof(Type) * 8;
    static_assert(bits == 128 || bits == 256 || bits == 512 || bits == 1024);

public:
    using value_type = Type;
    static constexpr unsigned size() { return Lanes; }
    template <typename Other>
    vector<Other, bits / 8 / sizeof(Other)> cast_to() const { return {}; }
};

template <unsigned Lanes, typename Type>
vector<Type, Lanes> load_v(const Type *) {
    counting::now->loads += counting::pieces(Lanes * sizeof(Type) * 8, 256);
    return {};
}
template <unsigned Lanes, typename Type>
vector<Type, Lanes> load_unaligned_v(const Type *at) { return load_v<Lanes>(at); }
template <typename Type, unsigned Lanes>
void store_v(Type *, const vector<Type, Lanes> &) {
    counting::now->stores += counting::pieces(Lanes * sizeof(Type) * 8, 256);
}
template <typename Type, unsigned Lanes>
void store_unaligned_v(Type *to, const vector<Type, Lanes> &value) { store_v(to, value); }
template <typename Type, unsigned Lanes>
vector<Type, Lanes> zeros() { return {}; }
template <typename Type, unsigned Lanes>
vector<Type, 2 * Lanes> concat(const vector<Type, Lanes> &, const vector<Type, Lanes> &) { return {}; }

// add.hpp, max_min.hpp: bytes are unpacked to 16 bits, both operands, and packed again.
template <typename Type, unsigned Lanes>
vector<Type, Lanes> add(const vector<Type, Lanes> &, const vector<Type, Lanes> &) {
    const unsigned bits = Lanes * sizeof(Type) * 8;
    if (sizeof(Type) == 1) counting::now->operations += 4 * counting::pieces(bits, 256);
    else counting::now->operations += counting::pieces(bits, is_float<Type> ? 256 : 512);
    return {};
}
template <typename Type, unsigned Lanes>
vector<Type, Lanes> min(const vector<Type, Lanes> &a, const vector<Type, Lanes> &b) {
    static_assert(std::is_arithmetic_v<Type>, "complex numbers have no order");
    return add(a, b);
}
template <typename Type, unsigned Lanes>
vector<Type, Lanes> max(const vector<Type, Lanes> &a, const vector<Type, Lanes> &b) { return min(a, b); }

// Products. One operation shifts, rounds and saturates an accumulator's value, except for floats.
template <typename Type, unsigned Lanes>
struct accum {
    template <typename To>
    vector<To, Lanes> to_vector(int) const {
        // At once.
        const unsigned lanes = sizeof(Type) <= 2 ? 16 : std::is_same_v<Type, cint32> ? 4 : 8;
        if (!is_float<Type>) counting::now->operations += counting::pieces(Lanes, lanes);
        return {};
    }
};
// mul_acc48.hpp, mul_acc80.hpp, mul_acc32_fp.hpp: lanes_per_mul.
template <typename Type, unsigned Lanes>
accum<Type, Lanes> mul(const vector<Type, Lanes> &, const vector<Type, Lanes> &) {
    const unsigned lanes = sizeof(Type) <= 2 ? 16 : std::is_same_v<Type, cint32> ? 2 : std::is_same_v<Type, cfloat> ? 4 : 8;
    // Unpacking.
    if (sizeof(Type) == 1) counting::now->operations += 2 * counting::pieces(Lanes, 32);
    counting::now->operations += counting::pieces(Lanes, lanes);
    return {};
}

// Vectors over streams ("AI Engine-ADF Interoperability").
} // namespace aie
template <unsigned Lanes, typename Type>
aie::vector<Type, Lanes> readincr_v(input_stream<Type> *) {
    ++counting::streams.reads;
    counting::streams.words += Lanes * sizeof(Type) / 4;
    return {};
}
template <typename Type, unsigned Lanes>
void writeincr(output_stream<Type> *, const aie::vector<Type, Lanes> &) {
    ++counting::streams.writes;
    counting::streams.words += Lanes * sizeof(Type) / 4;
}
namespace aie {

enum class saturation_mode { none, saturate };
inline saturation_mode get_saturation() { return saturation_mode::none; }
inline void set_saturation(saturation_mode) {}

} // namespace aie
