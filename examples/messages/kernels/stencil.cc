// A strip of a plate, with a row of each neighbouring strip above and below it.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void heated(Comm &comm, const float *__restrict before, float *__restrict after) {
    constexpr unsigned rows = design::ROWS, columns = design::COLUMNS, steps = design::STEPS;
    alignas(32) float cells[rows + 2][columns] = {}, next[rows + 2][columns] = {};
    for (unsigned r = 1; r <= rows; ++r)
        for (unsigned c = 0; c < columns; ++c) next[r][c] = cells[r][c] = *before++;
    // The rows at the edge of the plate do not change.
    const unsigned first = comm.rank() == 0 ? 2 : 1;
    const unsigned last = comm.rank() == comm.size() - 1 ? rows - 1 : rows;
    for (unsigned step = 0; step < steps; ++step) {
        auto below = comm.down.open_send();
        auto above = comm.up.open_send();
        auto from_above = comm.down.open_receive();
        auto from_below = comm.up.open_receive();
        for (unsigned c = 0; c < columns; ++c) {
            below.push(cells[rows][c]); // my last row goes down
            above.push(cells[1][c]);    // my first row goes up
            cells[0][c] = from_above.pop();
            cells[rows + 1][c] = from_below.pop();
        }
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
void strip(Comm &comm, adf::input_buffer<float> &before, adf::output_buffer<float> &after) {
    heated(comm, before.data(), after.data());
}
#else
void strip(Comm &comm, input_window<float> *before, output_window<float> *after) {
    heated(comm, before->ptr, after->ptr);
}
#endif
