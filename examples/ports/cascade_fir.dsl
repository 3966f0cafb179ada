// A FIR filter of 32 taps over four cores in a row. All get the samples; each multiplies with eight taps and adds what
// comes along the cascade.
design cascade_fir
device xcvc1902
iterations 4

const SAMPLES = 64 // in one run

kernel first(in x: stream int16[SAMPLES], out sums: cascade acc48) { source "kernels/fir.cc" }
kernel second(in x: stream int16[SAMPLES], in older: cascade acc48, out sums: cascade acc48) {
    source "kernels/fir.cc"
}
kernel third(in x: stream int16[SAMPLES], in older: cascade acc48, out sums: cascade acc48) {
    source "kernels/fir.cc"
}
kernel last(in x: stream int16[SAMPLES], in older: cascade acc48, out y: stream int16[SAMPLES]) {
    source "kernels/fir.cc"
}

input samples from plio(64, "data/fir_in.txt")
output filtered to plio(64, "data/fir_out.txt") // compare with data/fir_golden.txt

connect samples -> first.x fifo 16
connect samples -> second.x fifo 16
connect samples -> third.x fifo 16
connect samples -> last.x fifo 16
connect first.sums -> second.older
connect second.sums -> third.older
connect third.sums -> last.older
connect last.y -> filtered
