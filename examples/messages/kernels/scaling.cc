// A strip of a plate, with a row of each neighbouring strip above and below it.
#include <adf.h>
#include <aiec/design.h>

constexpr unsigned rows = design::ROWS, columns = design::COLUMNS;

// Each strip sends its borders and takes those of its neighbours.
template <typename Comm>
static void exchange(Comm &comm, float (&cells)[rows + 2][columns]) {
    if constexpr (design::WINDOWS) {
        comm.down.sendrecv(cells[rows], cells[0]);
        comm.up.sendrecv(cells[1], cells[rows + 1]);
    } else {
        auto below = comm.down.open_send();
        auto above = comm.up.open_send();
        auto from_above = comm.down.open_receive();
        auto from_below = comm.up.open_receive();
        for (unsigned c = 0; c < columns; ++c) {
            below.push(cells[rows][c]);
            above.push(cells[1][c]);
            cells[0][c] = from_above.pop();
            cells[rows + 1][c] = from_below.pop();
        }
    }
}

template <typename Comm>
static void heated(Comm &comm, float *__restrict after) {
    alignas(32) float cells[rows + 2][columns] = {}, next[rows + 2][columns] = {};
    for (unsigned r = 1; r <= rows; ++r)
        for (unsigned c = 0; c < columns; ++c) next[r][c] = cells[r][c] = float((comm.rank() * rows + r) * c % 7);
    // The rows at the edge of the plate do not change.
    const unsigned first = comm.rank() == 0 ? 2 : 1;
    const unsigned last = comm.rank() == comm.size() - 1 ? rows - 1 : rows;
    for (unsigned step = 0; step < design::STEPS; ++step) {
        exchange(comm, cells);
        for (unsigned r = first; r <= last; ++r)
            for (unsigned c = 1; c + 1 < columns; ++c)
                next[r][c] = 0.25f * (cells[r - 1][c] + cells[r + 1][c] + cells[r][c - 1] + cells[r][c + 1]);
        for (unsigned r = 1; r <= rows; ++r)
            for (unsigned c = 0; c < columns; ++c) cells[r][c] = next[r][c];
    }
    for (unsigned r = 1; r <= rows; ++r)
        for (unsigned c = 0; c < columns; ++c) *after++ = cells[r][c];
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void strip(Comm &comm, adf::output_buffer<float> &after) { heated(comm, after.data()); }
#else
void strip(Comm &comm, output_window<float> *after) { heated(comm, after->ptr); }
#endif
