// aie::vector on the host: N lanes in an array, with the wrapping arithmetic of the AIE API (UG1079, "AIE API overview").
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../../adf/types.h"

namespace aie {

// Bytes to which memory touched by vector loads and stores must be aligned.
inline constexpr unsigned vector_decl_align = 32;

template <typename T, unsigned N>
class vector {
public:
    using value_type = T;

    vector() = default;

    static constexpr unsigned size() { return N; }
    static constexpr unsigned bits() { return N * sizeof(T) * 8; }
    T *data() { return lanes_; }
    const T *data() const { return lanes_; }

    T &operator[](unsigned i) { return lanes_[i]; }
    const T &operator[](unsigned i) const { return lanes_[i]; }
    T get(unsigned i) const { return lanes_[i]; }
    void set(const T &value, unsigned i) { lanes_[i] = value; }

    // Moves every lane one up and puts `value` into lane 0.
    void push(const T &value) {
        for (unsigned i = N - 1; i > 0; --i) lanes_[i] = lanes_[i - 1];
        lanes_[0] = value;
    }

    // The `part`-th group of K lanes.
    template <unsigned K>
    vector<T, K> extract(unsigned part) const {
        vector<T, K> v;
        for (unsigned i = 0; i < K; ++i) v[i] = lanes_[part * K + i];
        return v;
    }
    template <unsigned K>
    vector &insert(unsigned part, const vector<T, K> &v) {
        for (unsigned i = 0; i < K; ++i) lanes_[part * K + i] = v[i];
        return *this;
    }

    template <typename Pointer>
    void load(const Pointer *from) {
        std::memcpy(static_cast<void *>(lanes_), from, sizeof lanes_);
    }
    template <typename Pointer>
    void store(Pointer *to) const {
        std::memcpy(static_cast<void *>(to), lanes_, sizeof lanes_);
    }

    friend vector operator+(const vector &a, const vector &b) { return zip(a, b, math::add); }
    friend vector operator-(const vector &a, const vector &b) { return zip(a, b, math::sub); }
    vector &operator+=(const vector &o) { return *this = *this + o; }
    vector &operator-=(const vector &o) { return *this = *this - o; }

    template <typename Combine>
    static vector zip(const vector &a, const vector &b, Combine combine) {
        vector v;
        for (unsigned i = 0; i < N; ++i) v[i] = combine(a[i], b[i]);
        return v;
    }

private:
    // Complex types bring their own operators.
    template <typename Value>
    struct arithmetic_of : adf::sim::arithmetic<Value> {};
    template <typename Part>
    struct arithmetic_of<adf::sim::complex<Part>> {
        using value = adf::sim::complex<Part>;
        static value add(const value &a, const value &b) { return a + b; }
        static value sub(const value &a, const value &b) { return a - b; }
    };
    using math = arithmetic_of<T>;

    T lanes_[N] = {};
};

} // namespace aie

// The native vector types of the AI Engine intrinsics that code written for windows uses (thesis listing 3.3).
#define ADF_SIM_NATIVE(T, N)                                       \
    using v##N##T = aie::vector<T, N>;                             \
    inline v##N##T null_v##N##T() { return v##N##T(); }
ADF_SIM_NATIVE(int8, 16)
ADF_SIM_NATIVE(int8, 32)
ADF_SIM_NATIVE(uint8, 16)
ADF_SIM_NATIVE(uint8, 32)
ADF_SIM_NATIVE(int16, 8)
ADF_SIM_NATIVE(int16, 16)
ADF_SIM_NATIVE(int32, 4)
ADF_SIM_NATIVE(int32, 8)
ADF_SIM_NATIVE(int32, 16)
ADF_SIM_NATIVE(float, 4)
ADF_SIM_NATIVE(float, 8)
ADF_SIM_NATIVE(float, 16)
ADF_SIM_NATIVE(cint16, 4)
ADF_SIM_NATIVE(cint16, 8)
ADF_SIM_NATIVE(cint32, 2)
ADF_SIM_NATIVE(cint32, 4)
ADF_SIM_NATIVE(cfloat, 2)
ADF_SIM_NATIVE(cfloat, 4)
#undef ADF_SIM_NATIVE

// The vector with lane `i` replaced.
template <typename T, unsigned N>
aie::vector<T, N> upd_elem(aie::vector<T, N> v, unsigned i, const T &value) {
    v.set(value, i);
    return v;
}

// Lane `i`.
template <typename T, unsigned N>
T ext_elem(const aie::vector<T, N> &v, unsigned i) {
    return v.get(i);
}
