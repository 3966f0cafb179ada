// aie::vector on the host: N lanes in an array (UG1529, "aie::vector"), and the native names of the same registers.
//
// A vector is exactly T[N], so memory can be seen as vectors and the other way round. Vectors of 256 bits and more are aligned to
// 32 bytes, as all of the family like it, which is how a compiler's check of alignment knows them. New vectors hold zeros, where
// the device leaves them undefined.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "scalar.hpp"

namespace aie {

// Bytes to which memory touched by vector loads and stores must be aligned (UG1529, "Memory").
inline constexpr unsigned vector_decl_align = 32;
// Bytes to which memory must be aligned for one vector (UG1079, "Alignment").
template <typename T, unsigned N>
inline constexpr unsigned vector_ldst_align_v = N * sizeof(T) < 16 ? unsigned(alignof(T)) : 16;

// Bytes to which the vectors themselves are aligned.
template <typename T, unsigned N>
inline constexpr std::size_t own_alignment_v =
    N * sizeof(T) < 16 ? alignof(T) : sim::alignment_anywhere(N * sizeof(T));

template <typename T, unsigned N>
class vector;

// One lane of a vector, by reference: what `elem_ref` gives.
template <typename T, unsigned N>
class vector_elem_ref {
public:
    using value_type = T;
    vector_elem_ref(vector<T, N> &parent, unsigned offset) : parent(parent), offset(offset) {}
    T get() const { return parent.get(offset); }
    operator T() const { return get(); }
    vector_elem_ref &operator=(const T &value) {
        parent.set(value, offset);
        return *this;
    }
    vector_elem_ref &operator=(const vector_elem_ref &o) { return *this = o.get(); }

    vector<T, N> &parent;
    unsigned offset;
};
template <typename T, unsigned N>
class vector_elem_const_ref {
public:
    using value_type = T;
    vector_elem_const_ref(const vector<T, N> &parent, unsigned offset) : parent(parent), offset(offset) {}
    vector_elem_const_ref(const vector_elem_ref<T, N> &r) : parent(r.parent), offset(r.offset) {}
    T get() const { return parent.get(offset); }
    operator T() const { return get(); }

    const vector<T, N> &parent;
    unsigned offset;
};

template <typename T, unsigned N>
class alignas(own_alignment_v<T, N>) vector {
    static_assert(sim::is_element_v<T>, "this type is no element of a vector");
    static_assert(N > 0 && (N & (N - 1)) == 0, "a vector has a power of two of lanes");

public:
    using value_type = T;
    using native_type = vector;

    vector() = default;
    // From all N lanes.
    template <typename... More, typename = std::enable_if_t<sizeof...(More) + 1 == N && (N > 1)>>
    vector(T first, More... more) : lanes_{first, T(more)...} {}

    static constexpr unsigned size() { return N; }
    static constexpr unsigned type_bits() { return sim::bits_v<T>; }
    static constexpr unsigned bits() { return N * type_bits(); }
    static constexpr bool is_signed() { return sim::is_signed_v<T>; }
    static constexpr bool is_complex() { return sim::is_complex_v<T>; }
    static constexpr bool is_real() { return !is_complex(); }
    static constexpr bool is_floating_point() { return sim::is_float_v<T>; }
    static constexpr bool is_integral() { return !is_floating_point(); }

    T *data() { return lanes_; }
    const T *data() const { return lanes_; }
    vector to_native() const { return *this; }

    T &operator[](unsigned i) { return lanes_[i % N]; }
    const T &operator[](unsigned i) const { return lanes_[i % N]; }
    T get(unsigned i) const { return lanes_[i % N]; }
    void set(const T &value, unsigned i) { lanes_[i % N] = value; }
    vector_elem_ref<T, N> elem_ref(unsigned i) { return {*this, i}; }
    vector_elem_const_ref<T, N> elem_ref(unsigned i) const { return {*this, i}; }
    vector_elem_const_ref<T, N> elem_const_ref(unsigned i) const { return {*this, i}; }

    // Moves every lane one up and puts `value` into lane 0.
    void push(const T &value) {
        for (unsigned i = N - 1; i > 0; --i) lanes_[i] = lanes_[i - 1];
        lanes_[0] = value;
    }

    // The `part`-th group of K lanes; groups count modulo the vector, as register halves do.
    template <unsigned K>
    vector<T, K> extract(unsigned part) const {
        static_assert(K <= N, "more lanes are extracted than there are");
        vector<T, K> v;
        for (unsigned i = 0; i < K; ++i) v[i] = lanes_[(part * K + i) % N];
        return v;
    }
    template <unsigned K>
    vector &insert(unsigned part, const vector<T, K> &v) {
        static_assert(K <= N, "more lanes are inserted than there are");
        for (unsigned i = 0; i < K; ++i) lanes_[(part * K + i) % N] = v[i];
        return *this;
    }
    // All groups of K lanes.
    template <unsigned K>
    std::array<vector<T, K>, N / K> split() const {
        std::array<vector<T, K>, N / K> parts;
        for (unsigned i = 0; i < N / K; ++i) parts[i] = extract<K>(i);
        return parts;
    }
    // A larger vector that has this one as its `part`-th group.
    template <unsigned K>
    vector<T, K> grow(unsigned part = 0) const {
        vector<T, K> v;
        v.insert(part, *this);
        return v;
    }
    // A larger vector that has this one as every group.
    template <unsigned K>
    vector<T, K> grow_replicate() const {
        vector<T, K> v;
        for (unsigned i = 0; i < K; ++i) v[i] = lanes_[i % N];
        return v;
    }

    // The same bits as lanes of another type.
    template <typename To>
    auto cast_to() const {
        vector<To, unsigned(N * sizeof(T) / sizeof(To))> v;
        static_assert(sizeof v == sizeof *this, "the bits do not fill whole lanes");
        std::memcpy(static_cast<void *>(v.data()), lanes_, sizeof lanes_);
        return v;
    }

    // Lanes of half the width, by the saturation mode of the core (UG1529, "pack").
    template <typename To = T>
    auto pack() const {
        using half = std::conditional_t<std::is_same<To, T>::value, typename sim::widths<T>::half, To>;
        const saturation_mode mode = sim::running_core()->saturation;
        vector<half, N> v;
        for (unsigned i = 0; i < N; ++i) {
            if constexpr (sim::is_complex_v<T>)
                v[i] = half(sim::narrowed<sim::part_t<half>>(lanes_[i].real, mode),
                            sim::narrowed<sim::part_t<half>>(lanes_[i].imag, mode));
            else v[i] = sim::narrowed<half>(lanes_[i], mode);
        }
        return v;
    }
    // Lanes of twice the width with the same values.
    template <typename To = T>
    auto unpack() const {
        using twice = std::conditional_t<std::is_same<To, T>::value, typename sim::widths<T>::twice, To>;
        vector<twice, N> v;
        for (unsigned i = 0; i < N; ++i) v[i] = sim::converted<twice>(lanes_[i]);
        return v;
    }
    // The same with the sign as an argument: lanes are read as signed or unsigned, whatever their type.
    auto unpack_sign(bool is_signed_value) const {
        using twice = typename sim::widths<T>::twice;
        vector<twice, N> v;
        for (unsigned i = 0; i < N; ++i)
            v[i] = is_signed_value ? twice(std::make_signed_t<T>(lanes_[i])) : twice(std::make_unsigned_t<T>(lanes_[i]));
        return v;
    }

    template <typename Pointer>
    void load(const Pointer *from) {
        std::memcpy(static_cast<void *>(lanes_), from, sizeof lanes_);
    }
    template <typename Pointer>
    void store(Pointer *to) const {
        std::memcpy(static_cast<void *>(to), lanes_, sizeof lanes_);
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
    friend vector operator+(const vector &a, const vector &b) { return zip(a, b, sim::wrap::add<T>); }
    friend vector operator-(const vector &a, const vector &b) { return zip(a, b, sim::wrap::sub<T>); }
    vector &operator+=(const vector &o) { return *this = *this + o; }
    vector &operator-=(const vector &o) { return *this = *this - o; }

    template <typename Combine>
    static vector zip(const vector &a, const vector &b, Combine combine) {
        vector v;
        for (unsigned i = 0; i < N; ++i) v.lanes_[i] = combine(a.lanes_[i], b.lanes_[i]);
        return v;
    }
    // Every lane through a function.
    template <typename Change>
    static vector map(const vector &a, Change change) {
        vector v;
        for (unsigned i = 0; i < N; ++i) v.lanes_[i] = change(a.lanes_[i]);
        return v;
    }

private:
    T lanes_[N] = {};
};

} // namespace aie

// The native vector types of the AI Engine intrinsics, as kernels name them (UG1078, "Vector Data-types").
#define AIE_SIM_NATIVE(T, N)                                       \
    using v##N##T = aie::vector<T, N>;                             \
    inline v##N##T null_v##N##T() { return v##N##T(); }            \
    inline v##N##T undef_v##N##T() { return v##N##T(); }
#define AIE_SIM_NATIVE_WIDTHS(T, A, B, C, D)                       \
    AIE_SIM_NATIVE(T, A)                                           \
    AIE_SIM_NATIVE(T, B)                                           \
    AIE_SIM_NATIVE(T, C)                                           \
    AIE_SIM_NATIVE(T, D)
AIE_SIM_NATIVE_WIDTHS(int8, 16, 32, 64, 128)
AIE_SIM_NATIVE_WIDTHS(uint8, 16, 32, 64, 128)
AIE_SIM_NATIVE_WIDTHS(int16, 8, 16, 32, 64)
AIE_SIM_NATIVE_WIDTHS(uint16, 8, 16, 32, 64)
AIE_SIM_NATIVE_WIDTHS(int32, 4, 8, 16, 32)
AIE_SIM_NATIVE_WIDTHS(uint32, 4, 8, 16, 32)
AIE_SIM_NATIVE_WIDTHS(int64, 2, 4, 8, 16)
AIE_SIM_NATIVE_WIDTHS(float, 4, 8, 16, 32)
AIE_SIM_NATIVE_WIDTHS(bfloat16, 8, 16, 32, 64)
AIE_SIM_NATIVE_WIDTHS(cint16, 4, 8, 16, 32)
AIE_SIM_NATIVE_WIDTHS(cint32, 2, 4, 8, 16)
AIE_SIM_NATIVE_WIDTHS(cfloat, 2, 4, 8, 16)
#undef AIE_SIM_NATIVE_WIDTHS
#undef AIE_SIM_NATIVE

// The vector with lane `i` replaced.
template <typename T, unsigned N>
aie::vector<T, N> upd_elem(aie::vector<T, N> v, unsigned i, const aie::sim::same_type_t<T> &value) {
    v.set(value, i);
    return v;
}

// Lane `i`.
template <typename T, unsigned N>
T ext_elem(const aie::vector<T, N> &v, unsigned i) {
    return v.get(i);
}
