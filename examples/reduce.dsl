// The reduction of the thesis, section 4.5: N kernels each contribute int32[1024], and the root, rank 0, ends up with the
// element-wise sum. The tree is binary; with N = 2^L - 1 kernels it has L full levels.
//
//     aiec build reduce.dsl
//     aiec sim reduce.dsl -D N=7
design reduce63
device xcvc1902

const N = 63 // ranks
const WINDOW = 1024 // elements that travel at once: 4096 bytes
const DATA = 1024 // elements of each rank; a multiple of WINDOW

kernel worker[N] {
    source "kernels/worker.cc"
    stack  8 KiB // holds the rank's data
    heap   1 KiB
}

reduce total over worker {
    op        sum
    data      int32[DATA]
    window    int32[WINDOW]
    root      worker[0]
    shape     tree arity 2
    style     scalar // the loops that were measured for the thesis; without this line they are vectorised
    cycles    int64[512] // element c is the duration of call c
    reference i + 1
}

output sum to gmio
output cycles to gmio

connect total.result -> sum
connect total.cycles -> cycles
