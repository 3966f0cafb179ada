// Projection of a vector on another one: p = (x . y / y . y) y, with x and y in slices over N kernels.
// Every kernel needs both dot products to scale its slice, so their partial sums are combined by an allreduce.
design dot
device xcvc1902

const N = 4
const SLICE = 32

kernel worker[N](in x: window float[SLICE], in y: window float[SLICE], out p: window float[SLICE]) {
    source "kernels/dot.cc"
}

allreduce products over worker {
    op    sum
    data  float[4] // x . y, y . y, and two more to fill a vector of 16 bytes
    shape butterfly
}

input x[N] from plio(64, "data/dot_x_{}.txt")
input y[N] from plio(64, "data/dot_y_{}.txt")
output p[N] to plio(64, "data/dot_p_{}.txt") golden "data/dot_golden_{}.txt"

connect x -> worker.x
connect y -> worker.y
connect worker.p -> p
