// y = x A for a vector of 32 elements and a matrix of 32 x 32, over 8 x 4 kernels: pe[r][c] has 4 rows and 8 columns of A. Row r of
// kernels gets its part of x at once, over a stream that the switches copy; the partial results of a column are summed by a reduction
// along it, from neighbour to neighbour.
design matvec
device xcvc1902

const ROWS = 8
const COLUMNS = 4
const X = 4 // elements of x for each row
const Y = 8 // elements of y from each column

kernel pe[ROWS][COLUMNS](in x: window float[X], in block: window float[X * Y]) {
    source "kernels/matvec.cc"
}

reduce y0 over pe[..][0] {
    op    sum
    data  float[Y]
    shape chain
}
reduce y1 over pe[..][1] {
    op    sum
    data  float[Y]
    shape chain
}
reduce y2 over pe[..][2] {
    op    sum
    data  float[Y]
    shape chain
}
reduce y3 over pe[..][3] {
    op    sum
    data  float[Y]
    shape chain
}

input x[ROWS] from plio(64, "data/matvec_x_{}.txt")
input blocks[ROWS * COLUMNS] from plio(64, "data/matvec_in_{}.txt")
output y[COLUMNS] to plio(64, "data/matvec_out_{}.txt") golden "data/matvec_golden_{}.txt"

for r in 0..ROWS {
    connect x[r] -> pe[r][..].x
}
connect blocks -> pe.block
connect y0.result -> y[0]
connect y1.result -> y[1]
connect y2.result -> y[2]
connect y3.result -> y[3]
