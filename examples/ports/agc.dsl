// Automatic gain control. `meter` looks at a whole block before it gives the gain, for which `amplify` waits. A FIFO
// holds the block meanwhile. The host sets a limit once, names the noise floor of each block, and reads the level.
design agc
device xcvc1902
iterations 4

const SAMPLES = 128 // of 16 bits: 64 words

kernel meter(
    in x: stream int16[SAMPLES],
    in floor: parameter int32, // the meter waits for a new one in every run
    inout level: parameter int32, // stays from run to run
    out gain: parameter int32 sync,
) {
    source "kernels/agc.cc"
}
kernel amplify(
    in x: stream int16[SAMPLES],
    in gain: parameter int32,
    in limits: parameter int16[2] async,
    out y: stream int16[SAMPLES],
) {
    source "kernels/agc.cc"
}

input samples from plio(64, "data/agc_in.txt")
input floor from host("data/agc_floor.txt")
input limits from host initial [-20000, 20000]
output louder to plio(64, "data/agc_out.txt") golden "data/agc_golden.txt"
output level to host("data/agc_level.txt") golden "data/agc_level_golden.txt"

connect samples -> meter.x
connect samples -> amplify.x fifo SAMPLES / 2 at (25, 1) offset 16384
connect floor -> meter.floor
connect meter.gain -> amplify.gain
connect limits -> amplify.limits
connect amplify.y -> louder
connect meter.level -> level

place meter at (24, 0)
place amplify at meter + (1, 0)
place amplify.limits at (25, 0) bank 2, 3
