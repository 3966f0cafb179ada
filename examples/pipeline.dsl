// Three kernels in a row on int16 samples: scale by 3/4, subtract a bias, clip to 12 bits. Data comes from and goes to
// programmable logic through 64-bit PLIO, 256 samples at a time.
design pipeline
device xcvc1902
iterations 4

const SAMPLES = 256

kernel scale(in x: window int16[SAMPLES], out y: window int16[SAMPLES]) {
    source "kernels/scale.cc"
}
kernel bias(in x: window int16[SAMPLES], out y: window int16[SAMPLES]) { source "kernels/bias.cc" }
kernel clip(in x: window int16[SAMPLES], out y: window int16[SAMPLES]) { source "kernels/clip.cc" }

input samples from plio(64, "data/pipeline_in.txt")
output clipped to plio(64, "data/pipeline_out.txt") golden "data/pipeline_golden.txt"

connect samples -> scale.x
connect scale.y -> bias.x
connect bias.y -> clip.x buffer single
connect clip.y -> clipped
