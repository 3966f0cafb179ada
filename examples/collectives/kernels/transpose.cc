// A strip of 8 rows of a matrix in, a strip of 8 rows of its transpose out.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void turned(Comm &comm, const int16 *__restrict rows, int16 *__restrict columns) {
    constexpr unsigned n = design::BLOCK, blocks = design::N;
    alignas(32) int16 send[blocks][n][n]; // block b: my rows, the columns of rank b
    alignas(32) int16 recv[blocks][n][n]; // block b: the rows of rank b, my columns
    for (unsigned r = 0; r < n; ++r)
        for (unsigned b = 0; b < blocks; ++b)
            for (unsigned c = 0; c < n; ++c) send[b][r][c] = *rows++;
    comm.blocks.alltoall(&send[0][0][0], &recv[0][0][0]);
    for (unsigned c = 0; c < n; ++c)
        for (unsigned b = 0; b < blocks; ++b)
            for (unsigned r = 0; r < n; ++r) *columns++ = recv[b][r][c];
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void turn(Comm &comm, adf::input_buffer<int16> &rows, adf::output_buffer<int16> &columns) {
    turned(comm, rows.data(), columns.data());
}
#else
void turn(Comm &comm, input_window<int16> *rows, output_window<int16> *columns) {
    turned(comm, rows->ptr, columns->ptr);
}
#endif
