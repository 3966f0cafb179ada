// Counts samples by value: N kernels count BLOCK samples each, and send how many they have of which value to one kernel
// that adds all up. A kernel has few of the values, so it sends only those, and messages have different lengths.
design histogram
device xcvc1902
iterations 2

const N = 4
const BLOCK = 32
const VALUES = 64

kernel counter[N](in samples: window int32[BLOCK]) { source "kernels/counter.cc" }
kernel adder(out totals: window int32[VALUES]) { source "kernels/adder.cc" }

mailbox inbox over counter {
    root adder
    max  BLOCK * 8 B // a value and its number, for no more values than there are samples
}

input samples[N] from plio(64, "data/histogram_in_{}.txt")
output totals to plio(64, "data/histogram_out.txt") golden "data/histogram_golden.txt"

connect samples -> counter.samples
connect adder.totals -> totals
