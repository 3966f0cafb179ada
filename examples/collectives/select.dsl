// The samples above a threshold, of all lanes, lane after lane. How many a kernel finds depends on its data, so nobody else can know it
// when the design is compiled: the gather sends a header window ahead of each kernel's samples.
design above
device xcvc1902

const N = 6
const SAMPLES = 64

kernel filter[N](in samples: window int16[SAMPLES]) { source "kernels/select_filter.cc" }
kernel collector(out found: window int16[8 + N * SAMPLES]) {
    source "kernels/select_collector.cc"
    stack  3 KiB
}

// Rank 0 is the collector, which has no samples of its own. In windows of 16 samples, four at most from each kernel.
gather peaks over collector, filter {
    data   int16[SAMPLES]
    window int16[16]
    root   collector
    shape  tree arity 2
    headed
}

input lanes[N] from plio(64, "data/select_in_{}.txt")
output found to gmio("data/select_out.txt") golden "data/select_golden.txt"

connect lanes -> filter.samples
connect collector.found -> found
