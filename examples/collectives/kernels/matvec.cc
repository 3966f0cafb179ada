// Part of a vector times a block of a matrix, row by row; then the sum over the kernels of the column.
#include <adf.h>

template <typename Comm>
void pe(Comm &comm, input_window<float> *x, input_window<float> *block) {
    constexpr unsigned rows = 4, columns = 8;
    alignas(32) float y[columns] = {};
    for (unsigned r = 0; r < rows; ++r) {
        const float factor = window_readincr(x);
        for (unsigned c = 0; c < columns; ++c) y[c] += factor * window_readincr(block);
    }
    // A kernel is in the group of its own column; in the others its call does nothing.
    comm.y0.reduce(y);
    comm.y1.reduce(y);
    comm.y2.reduce(y);
    comm.y3.reduce(y);
}
