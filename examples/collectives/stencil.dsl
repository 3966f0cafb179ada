// Heat on a plate of 16 x 16 cells, cut into N strips of rows: STEPS steps of Jacobi's method, each cell becoming the mean of its
// four neighbours. Before each step, neighbouring strips exchange the rows at their borders: one sendrecv in each direction. The
// cells at the edge of the plate keep their temperature; the first and the last strip have one neighbour only.
design stencil
device xcvc1902

const N = 4
const COLUMNS = 16
const ROWS = 4 // of a strip
const STEPS = 5

kernel strip[N](in before: window float[ROWS * COLUMNS], out after: window float[ROWS * COLUMNS]) {
    source "kernels/stencil.cc"
    stack  2 KiB
}

sendrecv down over strip {
    data  float[COLUMNS]
    to    rank + 1 // the last one sends to nobody
    calls STEPS
}
sendrecv up over strip {
    data  float[COLUMNS]
    to    rank - 1
    calls STEPS
}

input plate[N] from plio(64, "data/stencil_in_{}.txt")
output heated[N] to plio(64, "data/stencil_out_{}.txt") golden "data/stencil_golden_{}.txt"

connect plate -> strip.before
connect strip.after -> heated
