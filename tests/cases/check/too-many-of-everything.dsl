//$ check
// More kernels than tiles need more PLIO than there are, too. The cause is one.
design wide
device xcvc1902
vitis "2023.1"

const N = 1000

kernel worker[N](in x: window int32[64], out y: window int32[64]) {
    source "kernels/worker.cc"
}

input data[N] from plio(64, "data_{}.txt")
output results[N] to plio(64, "results_{}.txt")

connect data -> worker.x
connect worker.y -> results
