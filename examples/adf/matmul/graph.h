#pragma once
#include <adf.h>
#include "kernels.h"

template <unsigned ROWS, unsigned INNER, unsigned COLS>
class MatMul : public adf::graph {
    adf::kernel mmult;

public:
    adf::port<adf::input> a, b;
    adf::port<adf::output> c;
    MatMul() {
        mmult = adf::kernel::create(matrix_mul<ROWS, INNER, COLS>);
        adf::source(mmult) = "kernels/matrix_mul.cc";
        adf::runtime<adf::ratio>(mmult) = 0.9;
        adf::connect(a, mmult.in[0]);
        adf::connect(b, mmult.in[1]);
        adf::connect(mmult.out[0], c);
    }
};

class Top : public adf::graph {
public:
    adf::input_plio matA = adf::input_plio::create("A", adf::plio_128_bits, "data/a.txt");
    adf::input_plio matB = adf::input_plio::create("B", adf::plio_128_bits, "data/b.txt");
    adf::output_plio matC = adf::output_plio::create("C", adf::plio_128_bits, "data/c.txt");
    MatMul<M, K, N> product;
    Top() {
        adf::connect<>(matA.out[0], product.a);
        adf::connect<>(matB.out[0], product.b);
        adf::connect<>(product.c, matC.in[0]);
    }
};
