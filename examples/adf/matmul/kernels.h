#pragma once
#include <adf.h>

constexpr unsigned M = 16, K = 24, N = 16; // C[M][N] = A[M][K] * B[K][N]

template <unsigned ROWS, unsigned INNER, unsigned COLS>
void matrix_mul(adf::input_buffer<int16, adf::extents<ROWS * INNER>> &a, adf::input_buffer<int16, adf::extents<INNER * COLS>> &b,
                adf::output_buffer<int32, adf::extents<ROWS * COLS>> &c);
