// Products of small matrices (UG1529, "Matrix Multiplication"): A of M by K, B of K by N, C of M by N, each in a
// vector, row after row.
#pragma once

#include "multiply.hpp"

namespace aie {

template <unsigned M_Elems, unsigned K_Elems, unsigned N_Elems, typename TypeA, typename TypeB = TypeA, typename AccumTag = accauto>
class mmul {
public:
    static constexpr unsigned M = M_Elems;
    static constexpr unsigned K = K_Elems;
    static constexpr unsigned N = N_Elems;
    static constexpr unsigned size_A = M * K;
    static constexpr unsigned size_B = K * N;
    static constexpr unsigned size_C = M * N;

    using tag = sim::tag_or_default_t<AccumTag, TypeA, TypeB>;
    using accum_type = accum<tag, size_C>;
    using vector_A_type = vector<TypeA, size_A>;
    using vector_B_type = vector<TypeB, size_B>;
    using mmul_type = mmul;

    mmul() = default;
    mmul(const accum_type &acc) : data(acc) {}
    template <typename T>
    mmul(const vector<T, size_C> &v, int shift = 0) : data(v, shift) {}
    mmul &operator=(const accum_type &acc) {
        data = acc;
        return *this;
    }

    template <typename A, typename B>
    void mul(const A &a, const B &b) {
        data = accum_type();
        mac(a, b);
    }
    template <typename A, typename B>
    void mac(const A &a, const B &b) {
        data = add(data, product(a, b));
    }
    template <typename A, typename B>
    void negmul(const A &a, const B &b) {
        data = neg(product(a, b));
    }
    template <typename A, typename B>
    void msc(const A &a, const B &b) {
        data = sub(data, product(a, b));
    }

    accum_type to_accum() const { return data; }
    operator accum_type() const { return data; }
    template <typename T>
    vector<T, size_C> to_vector(int shift = 0) const {
        return data.template to_vector<T>(shift);
    }
    template <typename T>
    vector<T, size_C> to_vector_sign(bool is_signed_value, int shift = 0) const {
        return data.template to_vector_sign<T>(is_signed_value, shift);
    }

    accum_type data;

private:
    // Element (row, column) of an operand; a transposed one holds its columns one after the other.
    template <unsigned Rows, unsigned Columns, typename T>
    static T at(const vector<T, Rows * Columns> &v, unsigned row, unsigned column) {
        return v.data()[row * Columns + column];
    }
    template <unsigned Rows, unsigned Columns, operation Op, typename T>
    static auto at(const sim::lazy_vector<Op, T, Rows * Columns> &v, unsigned row, unsigned column) {
        const unsigned i = Op == operation::transpose ? column * Rows + row : row * Columns + column;
        return sim::operand<sim::lazy_vector<Op, T, Rows * Columns>>::lane(v, i);
    }

    template <typename A, typename B>
    static accum_type product(const A &a, const B &b) {
        accum_type c;
        for (unsigned row = 0; row < M; ++row)
            for (unsigned column = 0; column < N; ++column) {
                sim::summing<tag> sum;
                for (unsigned k = 0; k < K; ++k) sum.take(at<M, K>(a, row, k), at<K, N>(b, k, column));
                c.lane_at(row * N + column) = sum.total();
            }
        return c;
    }
};

} // namespace aie
