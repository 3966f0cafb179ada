// An FIR filter of 16 taps. The host loads its taps anew before each run and reads the peak of each run back.
design fir_taps
device xcvc1902
iterations 2

const SAMPLES = 256
const TAPS = 16

kernel fir(
    in x: window int16[SAMPLES] margin TAPS,
    in taps: parameter int16[TAPS] async,
    out y: window int16[SAMPLES],
    out peak: parameter int32,
) {
    source "kernels/fir.cc"
    stack  4 KiB
}

input samples from plio(64, "data/in.txt")
input taps from host("data/taps.txt") // a low pass for the first run, a high pass for the second
output filtered to plio(64, "data/out.txt") golden "data/golden.txt"
output peak to host("data/peak.txt") golden "data/golden_peak.txt"

connect samples -> fir.x
connect taps -> fir.taps
connect fir.y -> filtered
connect fir.peak -> peak
