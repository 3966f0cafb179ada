// GESUMMV of BLAS, the application of the SMI paper: y = alpha * A * x + beta * B * x, with matrices of SIZE x SIZE. ROWS kernels
// hold the columns of both matrices. Each adds its share to every element of y when the element passes on the channel, so all of
// them work at once. Any ROWS that divides QUARTERS will do: -D ROWS=1. With -D WINDOWS=1 a reduction in windows adds the shares.
design gesummv
device xcvc1902

const SIZE = 32
const ROWS = 4
const WINDOWS = 0
const QUARTERS = 4 // blocks of SIZE / QUARTERS columns, as the files have them
const BLOCK = 2 * SIZE * SIZE / QUARTERS // elements of A, then those of B
assert QUARTERS % ROWS == 0 "each kernel has whole blocks"

kernel part[r: ROWS](in x: window float[SIZE], in block[QUARTERS / ROWS]: window float[BLOCK]) {
    source "kernels/gesummv.cc"
}
kernel last(out y: window float[SIZE]) { source "kernels/gesummv_last.cc" }

if WINDOWS {
    reduce sums over part, last {
        op   sum
        data float[SIZE]
        root last
    }
} else {
    channel sums over part, last {
        data float[SIZE]
        to   rank + 1
    }
}

input x from plio(64, "data/gesummv_x.txt")
input blocks[QUARTERS] from plio(64, "data/gesummv_in_{}.txt")
output result to plio(64, "data/gesummv_out.txt") golden "data/gesummv_golden.txt"

connect x -> part.x
for q in 0..QUARTERS {
    connect blocks[q] -> part[q * ROWS / QUARTERS].block[q % (QUARTERS / ROWS)]
}
connect last.y -> result
