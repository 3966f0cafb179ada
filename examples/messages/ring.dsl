// All pairs: N kernels hold BLOCK numbers each, and every number gets the sum of its distances to all numbers. The blocks travel
// around a ring of kernels. Each kernel sends a block on while the next one comes in, vector by vector.
design ring
device xcvc1902

const N = 5
const BLOCK = 16

kernel holder[N](in own: window int32[BLOCK], out distances: window int32[BLOCK]) {
    source "kernels/ring.cc"
}

channel around over holder {
    data  int32[BLOCK]
    shift 1
    depth 16
    calls N - 1
}

input numbers[N] from plio(64, "data/ring_in_{}.txt")
output sums[N] to plio(64, "data/ring_out_{}.txt") golden "data/ring_golden_{}.txt"

connect numbers -> holder.own
connect holder.distances -> sums
