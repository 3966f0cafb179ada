// Element-wise operations and reductions on vectors. Integers wrap; sums of floats go from lane 0 upwards, which the
// hardware does not promise.
#pragma once

#include "vector.hpp"

namespace aie {

// Keeps the scalar operand out of template deduction, so that literals convert.
template <typename T>
struct same_type {
    using type = T;
};
template <typename T>
using same_type_t = typename same_type<T>::type;

template <typename T, unsigned N>
vector<T, N> zeros() {
    return vector<T, N>();
}

template <typename T, unsigned N>
vector<T, N> broadcast(same_type_t<T> value) {
    vector<T, N> v;
    for (unsigned i = 0; i < N; ++i) v[i] = value;
    return v;
}

template <unsigned N, typename T>
vector<T, N> load_v(const T *from) {
    vector<T, N> v;
    v.load(from);
    return v;
}
template <unsigned N, typename T>
vector<T, N> load_unaligned_v(const T *from, unsigned /*aligned_elements*/ = 1) {
    return load_v<N>(from);
}
template <typename T, unsigned N>
void store_v(same_type_t<T> *to, const vector<T, N> &v) {
    v.store(to);
}
template <typename T, unsigned N>
void store_unaligned_v(same_type_t<T> *to, const vector<T, N> &v, unsigned /*aligned_elements*/ = 1) {
    v.store(to);
}

// The lanes of all arguments behind each other.
template <typename T, unsigned N>
vector<T, 2 * N> concat(const vector<T, N> &a, const vector<T, N> &b) {
    vector<T, 2 * N> v;
    v.insert(0, a);
    v.insert(1, b);
    return v;
}

template <typename T, unsigned N>
vector<T, N> add(const vector<T, N> &a, const vector<T, N> &b) {
    return a + b;
}
template <typename T, unsigned N>
vector<T, N> sub(const vector<T, N> &a, const vector<T, N> &b) {
    return a - b;
}
template <typename T, unsigned N>
vector<T, N> neg(const vector<T, N> &a) {
    return vector<T, N>() - a;
}

template <typename T, unsigned N>
vector<T, N> min(const vector<T, N> &a, const vector<T, N> &b) {
    return vector<T, N>::zip(a, b, [](T x, T y) { return y < x ? y : x; });
}
template <typename T, unsigned N>
vector<T, N> max(const vector<T, N> &a, const vector<T, N> &b) {
    return vector<T, N>::zip(a, b, [](T x, T y) { return x < y ? y : x; });
}
template <typename T, unsigned N>
vector<T, N> abs(const vector<T, N> &a) {
    return vector<T, N>::zip(a, neg(a), [](T x, T y) { return x < T(0) ? y : x; });
}

// Either side of an element-wise operation may be a scalar.
#define AIE_SIM_SCALAR_FORMS(name)                                              \
    template <typename T, unsigned N>                                           \
    vector<T, N> name(const vector<T, N> &a, same_type_t<T> b) {                \
        return name(a, broadcast<T, N>(b));                                     \
    }                                                                           \
    template <typename T, unsigned N>                                           \
    vector<T, N> name(same_type_t<T> a, const vector<T, N> &b) {                \
        return name(broadcast<T, N>(a), b);                                     \
    }
AIE_SIM_SCALAR_FORMS(add)
AIE_SIM_SCALAR_FORMS(sub)
AIE_SIM_SCALAR_FORMS(min)
AIE_SIM_SCALAR_FORMS(max)
#undef AIE_SIM_SCALAR_FORMS

template <typename T, unsigned N, typename Combine>
T fold(const vector<T, N> &v, Combine combine) {
    vector<T, 1> total = v.template extract<1>(0);
    for (unsigned i = 1; i < N; ++i) total = combine(total, v.template extract<1>(i));
    return total[0];
}
template <typename T, unsigned N>
T reduce_add(const vector<T, N> &v) {
    return fold(v, [](const vector<T, 1> &a, const vector<T, 1> &b) { return a + b; });
}
template <typename T, unsigned N>
T reduce_min(const vector<T, N> &v) {
    return fold(v, [](const vector<T, 1> &a, const vector<T, 1> &b) { return b[0] < a[0] ? b : a; });
}
template <typename T, unsigned N>
T reduce_max(const vector<T, N> &v) {
    return fold(v, [](const vector<T, 1> &a, const vector<T, 1> &b) { return a[0] < b[0] ? b : a; });
}

template <unsigned N>
class mask {
public:
    bool test(unsigned i) const { return set_[i]; }
    void set(unsigned i, bool on = true) { set_[i] = on; }
    unsigned count() const {
        unsigned n = 0;
        for (const bool on : set_) n += on;
        return n;
    }
    bool empty() const { return count() == 0; }
    bool full() const { return count() == N; }

private:
    bool set_[N] = {};
};

template <typename T, unsigned N, typename Test>
mask<N> compare(const vector<T, N> &a, const vector<T, N> &b, Test test) {
    mask<N> m;
    for (unsigned i = 0; i < N; ++i) m.set(i, test(a[i], b[i]));
    return m;
}

#define AIE_SIM_COMPARISON(name, op)                                            \
    template <typename T, unsigned N>                                           \
    mask<N> name(const vector<T, N> &a, const vector<T, N> &b) {                \
        return compare(a, b, [](T x, T y) { return x op y; });                  \
    }                                                                           \
    template <typename T, unsigned N>                                           \
    mask<N> name(const vector<T, N> &a, same_type_t<T> b) {                     \
        return name(a, broadcast<T, N>(b));                                     \
    }
AIE_SIM_COMPARISON(lt, <)
AIE_SIM_COMPARISON(le, <=)
AIE_SIM_COMPARISON(gt, >)
AIE_SIM_COMPARISON(ge, >=)
AIE_SIM_COMPARISON(eq, ==)
AIE_SIM_COMPARISON(neq, !=)
#undef AIE_SIM_COMPARISON

// Lane by lane: `if_set` where the mask is set, `if_clear` elsewhere (the second operand is the one that is chosen).
template <typename T, unsigned N>
vector<T, N> select(const vector<T, N> &if_clear, const vector<T, N> &if_set, const mask<N> &m) {
    vector<T, N> v;
    for (unsigned i = 0; i < N; ++i) v[i] = m.test(i) ? if_set[i] : if_clear[i];
    return v;
}

template <typename T, unsigned N>
bool equal(const vector<T, N> &a, const vector<T, N> &b) {
    return eq(a, b).full();
}
template <typename T, unsigned N>
bool not_equal(const vector<T, N> &a, const vector<T, N> &b) {
    return !equal(a, b);
}

} // namespace aie
