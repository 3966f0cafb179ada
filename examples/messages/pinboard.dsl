// A pinboard: N kernels put SIZE numbers each to a buffer of one kernel, then get those of all others, and sum them. While
// numbers of one kernel are on their way, those of the kernel before are summed. A barrier lies in between.
design pinboard
device xcvc1902
iterations 2

const N = 4
const SIZE = 16

kernel reader[N](in mine: window int32[SIZE], out sums: window int32[SIZE]) {
    source "kernels/reader.cc"
}
kernel keeper {
    source "kernels/pinboard.cc"
    stack  2 KiB
}

active pins on keeper from reader {
    buffer notes: int32[N * SIZE]
}
barrier written over reader {
}

input mine[N] from plio(64, "data/pinboard_in_{}.txt")
output sums[N] to plio(64, "data/pinboard_out_{}.txt") golden "data/pinboard_golden_{}.txt"

connect mine -> reader.mine
connect reader.sums -> sums
