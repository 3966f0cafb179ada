// How often each of 32 buckets is met: every kernel counts its own samples in buckets of 8 values, and a reduction adds the counts up. They
// reach the root as packets of one stream, in any order, which does not show in a sum of integers: it takes two windows of a kernel, and one
// step, however many kernels count.
design buckets
device xcvc1902

const N = 4
const SAMPLES = 256
const BUCKETS = 32

kernel counter[N](in samples: window int16[SAMPLES]) { source "kernels/histogram.cc" }

reduce counts over counter {
    op    sum
    data  int32[BUCKETS]
    root  counter[0]
    shape flat merge
}

input lanes[N] from plio(64, "data/histogram_in_{}.txt")
output histogram to gmio("data/histogram_out.txt") golden "data/histogram_golden.txt"

connect lanes -> counter.samples
connect counts.result -> histogram
