// The reduction of the thesis (section 4.5) as it was measured: a perfect binary tree of L levels, windows of WS bytes,
// and 1024 calls in one run, of which the first one fills the tree.
design thesis
device xcvc1902

const L = 3 // levels
const WS = 16 // bytes of a window
const N = (1 << L) - 1 // ranks
const WINDOW = WS / 4 // elements
const CALLS = 1024

kernel worker[N] {
    source "kernels/worker.cc"
    stack  9 KiB // holds the rank's data: 8 KiB at most
}

reduce total over worker {
    op        sum
    data      int32[WINDOW]
    window    int32[WINDOW]
    root      worker[0]
    shape     tree arity 2
    style     scalar // the loops that were measured
    calls     CALLS
    cycles    int64[CALLS]
    reference i + 1
}

output sum to gmio
output cycles to gmio

connect total.result -> sum
connect total.cycles -> cycles
