// Four lanes: a filter with state, an object of a C++ class with taps from a table, and behind it one of two functions.
design classes
device xcvc1902
iterations 3

const LANES = 4
const TAPS = from "data/classes_taps.txt"

assert len(TAPS) % 2 == 0 "the taps come in pairs"

kernel fir[lane: LANES](in x: window int32[64], out y: window int32[64]) {
    source    "kernels/fir.cc"
    header    "kernels/fir.h"
    template  (len(TAPS))
    arguments (TAPS, 2 * lane + 1)
    init      "start_fir"
}

kernel finish[lane: LANES](in x: window int32[64], out y: window int32[64]) {
    source "kernels/finish.cc"
    if lane % 2 == 0 {
        function clamp
        stack    2 KiB
    } else {
        function mirror
    }
}

input x[LANES] from plio(32, "data/classes_in_{}.txt")
output y[LANES] to plio(32, "data/classes_out_{}.txt") golden "data/classes_golden_{}.txt"

connect x -> fir.x
connect fir.y -> finish.x
connect finish.y -> y
