// A FIR filter of 32 taps over four cores in a row. All get the samples; each multiplies with eight taps and adds what
// comes along the cascade. The host loads the taps before each run.
design cascade_fir
device xcvc1902
iterations 4

const SAMPLES = 64 // in one run
const TAPS = 8 // of one core

kernel first(
    in x: stream int16[SAMPLES],
    in taps: parameter int16[TAPS] async,
    out sums: cascade acc48,
) {
    source "kernels/fir.cc"
}
kernel middle[s: 2](
    in x: stream int16[SAMPLES],
    in taps: parameter int16[TAPS] async,
    in older: cascade acc48,
    out sums: cascade acc48,
) {
    source "kernels/fir.cc"
    if s == 0 {
        function second
    } else {
        function third
    }
}
kernel last(
    in x: stream int16[SAMPLES],
    in taps: parameter int16[TAPS] async,
    in older: cascade acc48,
    out y: stream int16[SAMPLES],
) {
    source "kernels/fir.cc"
}

input samples from plio(64, "data/fir_in.txt")
input taps[4] from host("data/fir_taps_{}.txt")
output filtered to plio(64, "data/fir_out.txt") golden "data/fir_golden.txt"

connect samples -> first.x fifo 16
connect samples -> middle[..].x fifo 16
connect samples -> last.x fifo 16
connect taps[0] -> first.taps
connect taps[1..3] -> middle[..].taps
connect taps[3] -> last.taps
connect first.sums -> middle[0].older
connect middle[0].sums -> middle[1].older
connect middle[1].sums -> last.older
connect last.y -> filtered
