// GESUMMV of BLAS, the application of the SMI paper: y = alpha * A * x + beta * B * x, with matrices of 32 x 32.
// pe[0] holds A and pe[1] holds B, N columns in each kernel; a further kernel has x and hands every column of kernels its
// part. All partial results, scaled, are summed by one reduction over both rows.
design gesummv
device xcvc1902
vitis "2023.2" // the first release with buffer ports is 2023.1
ports buffer

const K = 4
const SIZE = 32
const COLUMNS = SIZE / K

kernel loader(in x: window float[SIZE]) { source "kernels/gesummv_loader.cc" }
kernel pe[2][K](in block: window float[SIZE * COLUMNS]) {
    source "kernels/gesummv.cc"
    stack  2 KiB
}

// Both kernels of a column get the same elements. Rank 0 is the loader, which has no use for its own.
scatter parts over loader, pe {
    data   float[COLUMNS]
    root   loader
    shape  tree arity 8
    base   max(rank - 1, 0) % K * COLUMNS
    size   COLUMNS
    num    1
    stride COLUMNS
}
reduce y over pe {
    op    sum
    data  float[SIZE]
    root  pe[0][0]
    shape flat
}

input x from plio(64, "data/gesummv_x.txt")
input blocks[2 * K] from plio(64, "data/gesummv_in_{}.txt")
output result to gmio("data/gesummv_out.txt") golden "data/gesummv_golden.txt"

connect x -> loader.x
connect blocks -> pe.block
connect y.result -> result
