// From 48 kHz to 32 kHz, and the peak of every 16 samples: kernels that run at different rates. In one iteration `up`
// runs three times, `low` twice and `peak` eight times. aiec solves the balance equations.
design multirate
device xcvc1902
iterations 3

const TAPS = 9

kernel up(in x: window int32[64], out y: window int32[128]) { source "kernels/up.cc" }
kernel low(in x: window int32[192] margin TAPS - 1, out y: stream int32[64]) {
    source "kernels/low.cc"
}
kernel peak(in x: stream int32[16], out y: window int32[4]) { source "kernels/peak.cc" }

input samples from plio(32, "data/multirate_in.txt")
output peaks to plio(32, "data/multirate_out.txt") golden "data/multirate_golden.txt"

connect samples -> up.x
connect up.y -> low.x // 3 x 128 elements into 2 x 192
connect low.y -> peak.x // 2 x 64 elements into 8 x 16
connect peak.y -> peaks
