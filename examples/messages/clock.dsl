// Who keeps the others waiting: kernels work for as long as their input says, four times, and write how many of the
// others were done before. The counters of their tiles start at different numbers, so they agree on a clock first.
design arrivals
device xcvc1902
iterations 2

const N = 6

kernel worker[N](in cycles: window int32[4], out before: window int32[4]) {
    source "kernels/worker.cc"
}

clock time over worker {
}
allgather all over worker {
    data  int64[2]
    calls 4
}

input cycles[N] from plio(64, "data/clock_in_{}.txt")
output before[N] to plio(64, "data/clock_out_{}.txt") golden "data/clock_golden_{}.txt"

connect cycles -> worker.cycles
connect worker.before -> before
