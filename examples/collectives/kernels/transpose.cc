// A strip of 8 rows of a matrix in, a strip of 8 rows of its transpose out.
#include <adf.h>

template <typename Comm>
void turn(Comm &comm, input_window<int16> *rows, output_window<int16> *columns) {
    constexpr unsigned n = 8;
    constexpr unsigned blocks = decltype(comm.blocks)::size();
    alignas(32) int16 send[blocks][n][n]; // block b: my rows, the columns of rank b
    alignas(32) int16 recv[blocks][n][n]; // block b: the rows of rank b, my columns
    for (unsigned r = 0; r < n; ++r)
        for (unsigned b = 0; b < blocks; ++b)
            for (unsigned c = 0; c < n; ++c) send[b][r][c] = window_readincr(rows);
    comm.blocks.alltoall(&send[0][0][0], &recv[0][0][0]);
    for (unsigned c = 0; c < n; ++c)
        for (unsigned b = 0; b < blocks; ++b)
            for (unsigned r = 0; r < n; ++r) window_writeincr(columns, recv[b][r][c]);
}
