// aie::vector on the host: lanes in an array (UG1529, "aie::vector"), and the native names of the
// registers.
//
// A vector is exactly T[N], so memory can be seen as vectors and the other way round. Vectors of
// 256 bits and more are aligned to 32 bytes, which suits the whole family, and through which a
// compiler's alignment check recognises them. New vectors hold zeros, where the device leaves them
// undefined.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../../adf/counts.h"
#include "scalar.hpp"

namespace aie {

// Default number of lanes: 512 bits (Xilinx/aie_api, detail/aie1/vector.hpp).
template <typename Type>
inline constexpr unsigned native_vector_length_v = 64 / sizeof(Type);

// Bytes to which memory touched by vector loads and stores must be aligned (UG1529, "Memory").
inline constexpr unsigned vector_decl_align = 32;
// Bytes to which memory must be aligned for one vector (UG1079, "Alignment").
template <typename Type, unsigned Lanes>
inline constexpr unsigned vector_ldst_align_v = Lanes * sizeof(Type) < 16 ? unsigned(alignof(Type)) : 16;

// Bytes to which the vectors themselves are aligned.
template <typename Type, unsigned Lanes>
inline constexpr std::size_t own_alignment_v =
    Lanes * sizeof(Type) < 16 ? alignof(Type) : sim::alignment_anywhere(Lanes * sizeof(Type));

template <typename Type, unsigned Lanes = native_vector_length_v<Type>>
class vector;

// A reference to one lane of a vector: the result of `elem_ref`.
template <typename Type, unsigned Lanes>
class vector_elem_ref {
public:
    using value_type = Type;
    vector_elem_ref(vector<Type, Lanes> &parent, unsigned offset) : parent(parent), offset(offset) {}
    Type get() const { return parent.get(offset); }
    operator Type() const { return get(); }
    vector_elem_ref &operator=(const Type &value) {
        parent.set(value, offset);
        return *this;
    }
    vector_elem_ref &operator=(const vector_elem_ref &o) { return *this = o.get(); }

    vector<Type, Lanes> &parent;
    unsigned offset;
};
template <typename Type, unsigned Lanes>
class vector_elem_const_ref {
public:
    using value_type = Type;
    vector_elem_const_ref(const vector<Type, Lanes> &parent, unsigned offset) : parent(parent), offset(offset) {}
    vector_elem_const_ref(const vector_elem_ref<Type, Lanes> &r) : parent(r.parent), offset(r.offset) {}
    Type get() const { return parent.get(offset); }
    operator Type() const { return get(); }

    const vector<Type, Lanes> &parent;
    unsigned offset;
};

template <typename Type, unsigned Lanes>
class alignas(own_alignment_v<Type, Lanes>) vector {
    static_assert(sim::is_element_v<Type>, "this type is no element of a vector");
    static_assert(sim::has_lanes_v<Type>,
                  "AIE has vectors of int8, uint8, int16, int32, float, cint16, cint32 and cfloat only (UG1529, aie::vector)");
    static_assert(__AIE_ARCH__ != 10 || Lanes * sizeof(Type) >= 16, "a vector has at least 128 bits (UG1529, aie::vector)");
    static_assert(Lanes > 0 && (Lanes & (Lanes - 1)) == 0, "a vector has a power of two of lanes");

public:
    using value_type = Type;
    using native_type = vector;

    vector() = default;
#ifdef AIEC_SIM_TIMING
    vector(const vector &o) { *this = o; }
    vector &operator=(const vector &o) {
        adf::sim::counts::copied(this, &o, sizeof lanes_);
        std::memcpy(static_cast<void *>(lanes_), o.lanes_, sizeof lanes_);
        return *this;
    }
#endif
    // From all lanes.
    template <typename... More, std::enable_if_t<sizeof...(More) + 1 == Lanes && (Lanes > 1), int> = 0>
    vector(Type first, More... more) : lanes_{first, Type(more)...} {}
    // From the lowest lanes; the device leaves the others undefined.
    template <typename... More, std::enable_if_t<(sizeof...(More) + 1 < Lanes), int> = 0>
    explicit vector(Type first, More... more) : lanes_{first, Type(more)...} {}

    static constexpr unsigned size() { return Lanes; }
    static constexpr unsigned type_bits() { return sim::bits_v<Type>; }
    static constexpr unsigned bits() { return Lanes * type_bits(); }
    static constexpr bool is_signed() { return sim::is_signed_v<Type>; }
    static constexpr bool is_complex() { return sim::is_complex_v<Type>; }
    static constexpr bool is_real() { return !is_complex(); }
    static constexpr bool is_floating_point() { return sim::is_float_v<Type>; }
    static constexpr bool is_integral() { return !is_floating_point(); }

    Type *data() { return lanes_; }
    const Type *data() const { return lanes_; }
    vector to_native() const { return *this; }

    Type &operator[](unsigned i) { return lanes_[i % Lanes]; }
    const Type &operator[](unsigned i) const { return lanes_[i % Lanes]; }
    Type get(unsigned i) const {
        adf::sim::counts::quiet whole;
        const Type value = lanes_[i % Lanes];
        whole.end();
        adf::sim::counts::moved(value, 1, *this);
        return value;
    }
    void set(const Type &value, unsigned i) {
        lanes_[i % Lanes] = value;
        adf::sim::counts::moved(*this, 1, *this);
    }
    vector_elem_ref<Type, Lanes> elem_ref(unsigned i) { return {*this, i}; }
    vector_elem_const_ref<Type, Lanes> elem_ref(unsigned i) const { return {*this, i}; }
    vector_elem_const_ref<Type, Lanes> elem_const_ref(unsigned i) const { return {*this, i}; }

    // Moves every lane one up and puts `value` into lane 0.
    void push(const Type &value) {
        for (unsigned i = Lanes - 1; i > 0; --i) lanes_[i] = lanes_[i - 1];
        lanes_[0] = value;
        adf::sim::counts::moved(*this, 1, *this);
    }

    // The `part`-th group of `PartLanes` lanes; groups count modulo the vector, as register halves
    // do.
    template <unsigned PartLanes>
    vector<Type, PartLanes> extract(unsigned part) const {
        static_assert(PartLanes <= Lanes, "more lanes are extracted than there are");
        adf::sim::counts::quiet whole;
        vector<Type, PartLanes> v;
        for (unsigned i = 0; i < PartLanes; ++i) v[i] = lanes_[(part * PartLanes + i) % Lanes];
        whole.end();
        adf::sim::counts::renamed(v, *this);
        return v;
    }
    template <unsigned PartLanes>
    vector &insert(unsigned part, const vector<Type, PartLanes> &v) {
        static_assert(PartLanes <= Lanes, "more lanes are inserted than there are");
        adf::sim::counts::quiet whole;
        for (unsigned i = 0; i < PartLanes; ++i) lanes_[(part * PartLanes + i) % Lanes] = v[i];
        whole.end();
        adf::sim::counts::inserted(*this, v);
        return *this;
    }
    // All groups of `PartLanes` lanes.
    template <unsigned PartLanes>
    std::array<vector<Type, PartLanes>, Lanes / PartLanes> split() const {
        std::array<vector<Type, PartLanes>, Lanes / PartLanes> parts;
        for (unsigned i = 0; i < Lanes / PartLanes; ++i) parts[i] = extract<PartLanes>(i);
        return parts;
    }
    // A larger vector that has this one as its `part`-th group.
    template <unsigned PartLanes>
    vector<Type, PartLanes> grow(unsigned part = 0) const {
        vector<Type, PartLanes> v;
        v.insert(part, *this);
        return v;
    }
    // A larger vector that has this one as every group.
    template <unsigned PartLanes>
    vector<Type, PartLanes> grow_replicate() const {
        adf::sim::counts::quiet whole;
        vector<Type, PartLanes> v;
        for (unsigned i = 0; i < PartLanes; ++i) v[i] = lanes_[i % Lanes];
        whole.end();
        adf::sim::counts::renamed(v, *this);
        return v;
    }

    // Reinterprets the bits as lanes of another type.
    template <typename To>
    auto cast_to() const {
        vector<To, unsigned(Lanes * sizeof(Type) / sizeof(To))> v;
        static_assert(sizeof v == sizeof *this, "the bits do not fill whole lanes");
        std::memcpy(static_cast<void *>(v.data()), lanes_, sizeof lanes_);
        adf::sim::counts::renamed(v, *this);
        return v;
    }

    // Lanes of half the width, by the saturation mode of the core (UG1529, "pack").
    template <typename To = Type>
    auto pack() const {
        using half = std::conditional_t<std::is_same<To, Type>::value, typename sim::widths<Type>::half, To>;
        const saturation_mode mode = sim::running_core()->saturation;
        adf::sim::counts::quiet whole;
        vector<half, Lanes> v;
        for (unsigned i = 0; i < Lanes; ++i) {
            if constexpr (sim::is_complex_v<Type>)
                v[i] = half(sim::narrowed<sim::part_t<half>>(lanes_[i].real, mode),
                            sim::narrowed<sim::part_t<half>>(lanes_[i].imag, mode));
            else v[i] = sim::narrowed<half>(lanes_[i], mode);
        }
        whole.end();
        adf::sim::counts::moved(v, 1, *this);
        return v;
    }
    // Lanes of twice the width with equal values.
    template <typename To = Type>
    auto unpack() const {
        using twice = std::conditional_t<std::is_same<To, Type>::value, typename sim::widths<Type>::twice, To>;
        adf::sim::counts::quiet whole;
        vector<twice, Lanes> v;
        for (unsigned i = 0; i < Lanes; ++i) v[i] = sim::converted<twice>(lanes_[i]);
        whole.end();
        adf::sim::counts::moved(v, 1, *this);
        return v;
    }
    // The operation with the sign as an argument: lanes are read as signed or unsigned, whatever
    // their type.
    auto unpack_sign(bool is_signed_value) const {
        using twice = typename sim::widths<Type>::twice;
        adf::sim::counts::quiet whole;
        vector<twice, Lanes> v;
        for (unsigned i = 0; i < Lanes; ++i)
            v[i] = is_signed_value ? twice(std::make_signed_t<Type>(lanes_[i]))
                : twice(std::make_unsigned_t<Type>(lanes_[i]));
        whole.end();
        adf::sim::counts::moved(v, 1, *this);
        return v;
    }

    template <typename Pointer>
    void load(const Pointer *from) {
        std::memcpy(static_cast<void *>(lanes_), from, sizeof lanes_);
        adf::sim::counts::copied(this, from, sizeof lanes_);
    }
    template <typename Pointer>
    void store(Pointer *to) const {
        std::memcpy(static_cast<void *>(to), lanes_, sizeof lanes_);
        adf::sim::counts::copied(to, this, sizeof lanes_);
    }
    template <typename Pointer>
    void load_unaligned(const Pointer *from, unsigned /*aligned_elements*/ = 1) {
        load(from);
    }
    template <typename Pointer>
    void store_unaligned(Pointer *to, unsigned /*aligned_elements*/ = 1) const {
        store(to);
    }

    // Native vectors add and subtract without `aie::operators` (UG1078).
    friend vector operator+(const vector &a, const vector &b) { return zip(a, b, sim::wrap::add<Type>); }
    friend vector operator-(const vector &a, const vector &b) { return zip(a, b, sim::wrap::sub<Type>); }
    vector &operator+=(const vector &o) { return *this = *this + o; }
    vector &operator-=(const vector &o) { return *this = *this - o; }

    template <typename Combine>
    static vector zip(const vector &a, const vector &b, Combine combine) {
        adf::sim::counts::quiet whole;
        vector v;
        for (unsigned i = 0; i < Lanes; ++i) v.lanes_[i] = combine(a.lanes_[i], b.lanes_[i]);
        whole.end();
        adf::sim::counts::worked(v, (bits() + 511) / 512, is_floating_point(), a, b);
        return v;
    }
    // Every lane through a function.
    template <typename Change>
    static vector map(const vector &a, Change change) {
        adf::sim::counts::quiet whole;
        vector v;
        for (unsigned i = 0; i < Lanes; ++i) v.lanes_[i] = change(a.lanes_[i]);
        whole.end();
        adf::sim::counts::renamed(v, a);
        return v;
    }

private:
    Type lanes_[Lanes] = {};
};

} // namespace aie

// The native vector types of the AI Engine intrinsics, as kernels name them (UG1078, "Vector
// Data-types").
#define AIE_SIM_NATIVE(Type, Lanes)                                          \
    using v##Lanes##Type = aie::vector<Type, Lanes>;                         \
    inline v##Lanes##Type null_v##Lanes##Type() { return v##Lanes##Type(); } \
    inline v##Lanes##Type undef_v##Lanes##Type() { return v##Lanes##Type(); }
#define AIE_SIM_NATIVE_WIDTHS(Type, First, Second, Third, Fourth) \
    AIE_SIM_NATIVE(Type, First)                                   \
    AIE_SIM_NATIVE(Type, Second)                                  \
    AIE_SIM_NATIVE(Type, Third)                                   \
    AIE_SIM_NATIVE(Type, Fourth)
AIE_SIM_NATIVE_WIDTHS(int8, 16, 32, 64, 128)
AIE_SIM_NATIVE_WIDTHS(uint8, 16, 32, 64, 128)
AIE_SIM_NATIVE_WIDTHS(int16, 8, 16, 32, 64)
AIE_SIM_NATIVE_WIDTHS(int32, 4, 8, 16, 32)
AIE_SIM_NATIVE_WIDTHS(float, 4, 8, 16, 32)
AIE_SIM_NATIVE_WIDTHS(cint16, 4, 8, 16, 32)
AIE_SIM_NATIVE_WIDTHS(cint32, 2, 4, 8, 16)
AIE_SIM_NATIVE_WIDTHS(cfloat, 2, 4, 8, 16)
#if __AIE_ARCH__ != 10
AIE_SIM_NATIVE_WIDTHS(uint16, 8, 16, 32, 64)
AIE_SIM_NATIVE_WIDTHS(uint32, 4, 8, 16, 32)
AIE_SIM_NATIVE_WIDTHS(bfloat16, 8, 16, 32, 64)
#endif
#undef AIE_SIM_NATIVE_WIDTHS
#undef AIE_SIM_NATIVE

// The vector with lane `i` replaced.
template <typename Type, unsigned Lanes>
aie::vector<Type, Lanes> upd_elem(aie::vector<Type, Lanes> v, unsigned i, const aie::sim::same_type_t<Type> &value) {
    v.set(value, i);
    return v;
}

// Lane `i`.
template <typename Type, unsigned Lanes>
Type ext_elem(const aie::vector<Type, Lanes> &v, unsigned i) {
    return v.get(i);
}
