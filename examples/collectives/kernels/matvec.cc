// Part of a vector times a block of a matrix, row by row; then the sum over the kernels of the
// column.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void multiplied(Comm &comm, const float *__restrict x, const float *__restrict block) {
    constexpr unsigned rows = design::X, columns = design::Y;
    alignas(32) float y[columns] = {};
    for (unsigned r = 0; r < rows; ++r) {
        for (unsigned c = 0; c < columns; ++c) y[c] += x[r] * block[r * columns + c];
    }
    // A kernel is in the group of its own column; in the others its call does nothing.
    comm.y0.reduce(y);
    comm.y1.reduce(y);
    comm.y2.reduce(y);
    comm.y3.reduce(y);
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void pe(Comm &comm, adf::input_buffer<float> &x, adf::input_buffer<float> &block) {
    multiplied(comm, x.data(), block.data());
}
#else
void pe(Comm &comm, input_window<float> *x, input_window<float> *block) { multiplied(comm, x->ptr, block->ptr); }
#endif
