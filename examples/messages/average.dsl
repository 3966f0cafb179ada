// Common average reference: from every sample of N signals goes the mean of all signals at that time. Each kernel has a signal.
// A reduction collects the sums and a broadcast spreads the means, both element by element, in one loop.
design average
device xcvc1902

const N = 4
const SAMPLES = 64

kernel probe[N](in x: window float[SAMPLES], out y: window float[SAMPLES]) {
    source "kernels/average.cc"
}

reduce sums over probe {
    op    sum
    data  float[SAMPLES]
    root  probe[N - 1]
    shape stream
}

broadcast means over probe {
    data  float[SAMPLES]
    root  probe[N - 1]
    shape stream
}

input signals[N] from plio(64, "data/average_in_{}.txt")
output clean[N] to plio(64, "data/average_out_{}.txt") golden "data/average_golden_{}.txt"

connect signals -> probe.x
connect probe.y -> clean
