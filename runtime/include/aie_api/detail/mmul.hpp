// Products of small matrices (UG1529, "Matrix Multiplication"): A of M by K, B of K by N, C of M by
// N, each in a vector, row after row.
#pragma once

#include "multiply.hpp"
#include "shapes.hpp"

// The API's own names of the sizes. Users have macros of these names, which are restored at the end
// of this file.
#pragma push_macro("M")
#pragma push_macro("K")
#pragma push_macro("N")
#undef M
#undef K
#undef N

namespace aie {

template <unsigned M_Elems, unsigned K_Elems, unsigned N_Elems, typename TypeA, typename TypeB = TypeA,
          typename AccumTag = accauto>
class mmul {
    static_assert(__AIE_ARCH__ != 10 || sim::has_mmul(sim::operand_kind_v<TypeA>, sim::operand_kind_v<TypeB>, M_Elems, K_Elems, N_Elems),
                  "AIE does not multiply matrices of these types in this shape (UG1529, Matrix Multiplication)");

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
    template <typename Type>
    mmul(const vector<Type, size_C> &v, int shift = 0) : data(v, shift) {}
    mmul &operator=(const accum_type &acc) {
        data = acc;
        return *this;
    }

    template <typename Left, typename Right>
    void mul(const Left &a, const Right &b) {
        adf::sim::counts::quiet whole;
        data = product(a, b);
        whole.end();
        sim::count_products<TypeA, TypeB>(M * K * N, data, a, b);
    }
    template <typename Left, typename Right>
    void mac(const Left &a, const Right &b) {
        adf::sim::counts::quiet whole;
        data = add(data, product(a, b));
        whole.end();
        sim::count_sums<TypeA, TypeB>(M * K * N, data, data, a, b);
    }
    template <typename Left, typename Right>
    void negmul(const Left &a, const Right &b) {
        adf::sim::counts::quiet whole;
        data = neg(product(a, b));
        whole.end();
        sim::count_products<TypeA, TypeB>(M * K * N, data, a, b);
    }
    template <typename Left, typename Right>
    void msc(const Left &a, const Right &b) {
        adf::sim::counts::quiet whole;
        data = sub(data, product(a, b));
        whole.end();
        sim::count_sums<TypeA, TypeB>(M * K * N, data, data, a, b);
    }

    accum_type to_accum() const { return data; }
    operator accum_type() const { return data; }
    template <typename Type>
    vector<Type, size_C> to_vector(int shift = 0) const {
        return data.template to_vector<Type>(shift);
    }
    template <typename Type>
    vector<Type, size_C> to_vector_sign(bool is_signed_value, int shift = 0) const {
        return data.template to_vector_sign<Type>(is_signed_value, shift);
    }

    accum_type data;

private:
    // Element (row, column) of an operand; a transposed one holds its columns one after the other.
    template <unsigned Rows, unsigned Columns, typename Type>
    static Type at(const vector<Type, Rows * Columns> &v, unsigned row, unsigned column) {
        return v.data()[row * Columns + column];
    }
    template <unsigned Rows, unsigned Columns, operation Op, typename Type>
    static auto at(const sim::lazy_vector<Op, Type, Rows * Columns> &v, unsigned row, unsigned column) {
        const unsigned i = Op == operation::transpose ? column * Rows + row : row * Columns + column;
        return sim::operand<sim::lazy_vector<Op, Type, Rows * Columns>>::lane(v, i);
    }

    template <typename Left, typename Right>
    static accum_type product(const Left &a, const Right &b) {
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

#pragma pop_macro("M")
#pragma pop_macro("K")
#pragma pop_macro("N")
