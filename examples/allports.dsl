// Seven workers that have everything at once: a user input and output each, and two reductions with trees of their own.
// User ports come first in a kernel's ports and never collide with those of the collectives.
design allports
device xcvc1902

const N = 7
const SAMPLES = 64

kernel worker[N](in x: window int32[SAMPLES], out y: window int32[SAMPLES]) {
    source "kernels/allports.cc"
    stack  2 KiB
}

reduce total over worker {
    op        sum
    data      int32[SAMPLES]
    root      worker[0]
    shape     tree arity 2
    reference 100 * rank + i
}

reduce peak over worker {
    op        max
    data      int32[SAMPLES]
    window    int32[SAMPLES / 2] // two chunks a call
    root      worker[N - 1]
    shape     tree arity 3
    buffer    single
    calls     2
    reference (100 * rank + i) * (1 - 2 * call)
}

input lanes[N] from plio(64, "data/allports_in_{}.txt")
output doubled[N] to plio(64, "data/allports_out_{}.txt")
output sum to gmio("data/allports_sum.txt") golden "data/allports_sum_golden.txt"
output highest to gmio("data/allports_highest.txt") golden "data/allports_highest_golden.txt"

connect lanes -> worker.x
connect worker.y -> doubled
connect total.result -> sum
connect peak.result -> highest
