// The plate of collectives/stencil.dsl, whose strips exchange their borders over channels: elements go out and come in one by
// one, without windows, and no kernel holds a copy of what it sends. The first and the last strip have one neighbour only.
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

channel down over strip {
    data  float[COLUMNS]
    to    rank + 1 // the last one sends to nobody
    calls STEPS
}
channel up over strip {
    data  float[COLUMNS]
    to    rank - 1
    calls STEPS
}

input plate[N] from plio(64, "data/stencil_in_{}.txt")
output heated[N] to plio(64, "data/stencil_out_{}.txt") golden "data/stencil_golden_{}.txt"

connect plate -> strip.before
connect strip.after -> heated
