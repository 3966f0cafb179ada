// A blur of images of 32 x 32 pixels with the 3 x 3 mask 1 2 1, 2 4 2, 1 2 1. Each of N cores has a strip of rows, and
// sends its first and last row to its neighbours over streams. A FIFO holds one row, so that all cores can send first.
design blur
device xcvc1902
iterations 3 // images

const N = 4
const COLUMNS = 32
const ROWS = 32 / N // of a strip

assert N >= 3 "a core between two others needs both"

kernel top(
    in x: window int16[ROWS * COLUMNS],
    in below: stream int16[COLUMNS],
    out y: window int16[ROWS * COLUMNS],
    out down: stream int16[COLUMNS],
) {
    source "kernels/blur.cc"
    stack  2 KiB
}
kernel inner[N - 2](
    in x: window int16[ROWS * COLUMNS],
    in above: stream int16[COLUMNS],
    in below: stream int16[COLUMNS],
    out y: window int16[ROWS * COLUMNS],
    out up: stream int16[COLUMNS],
    out down: stream int16[COLUMNS],
) {
    source "kernels/blur.cc"
    stack  2 KiB
}
kernel bottom(
    in x: window int16[ROWS * COLUMNS],
    in above: stream int16[COLUMNS],
    out y: window int16[ROWS * COLUMNS],
    out up: stream int16[COLUMNS],
) {
    source "kernels/blur.cc"
    stack  2 KiB
}

input image[N] from plio(64, "data/blur_in_{}.txt")
output blurred[N] to plio(64, "data/blur_out_{}.txt") golden "data/blur_golden_{}.txt"

connect image[0] -> top.x
connect image[1..N - 1] -> inner[..].x
connect image[N - 1] -> bottom.x
connect top.y -> blurred[0]
connect inner[..].y -> blurred[1..N - 1]
connect bottom.y -> blurred[N - 1]

connect top.down -> inner[0].above fifo COLUMNS / 2
connect inner[0..N - 3].down -> inner[1..N - 2].above fifo COLUMNS / 2
connect inner[N - 3].down -> bottom.above fifo COLUMNS / 2
connect bottom.up -> inner[N - 3].below fifo COLUMNS / 2
connect inner[1..N - 2].up -> inner[0..N - 3].below fifo COLUMNS / 2
connect inner[0].up -> top.below fifo COLUMNS / 2
