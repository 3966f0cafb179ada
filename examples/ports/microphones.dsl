// Eight microphones in four pairs: the even ones face the speaker, the odd ones the room. Each kernel subtracts what came
// from behind a few samples ago, and `mean` averages the pairs. Two kernels share a core.
design microphones
device xcvc1902
iterations 2

const PAIRS = 4
const SAMPLES = 128 // in one block
const DELAY = 16 // samples that sound needs from the back to the front

kernel cardioid[PAIRS](
    in front: window int16[SAMPLES],
    in back: window int16[SAMPLES] margin DELAY,
    out y: window int16[SAMPLES],
) {
    source  "kernels/microphones.cc"
    runtime 0.4
    program 4 KiB
}
kernel mean(in x[PAIRS]: window int16[SAMPLES], out y: window int16[SAMPLES]) {
    source "kernels/microphones.cc"
}

input microphones[2 * PAIRS] from plio(64, "data/microphones_in_{}.txt") frequency 312.5 // MHz
output beam to gmio("data/microphones_out.txt") burst 256 bandwidth 500 golden "data/microphones_golden.txt"

connect microphones[.. step 2] -> cardioid.front
connect microphones[1.. step 2] -> cardioid.back
connect cardioid.y -> mean.x
connect mean.y -> beam

// A kernel loads from both of its blocks in one cycle, so they lie in different banks.
for i in 0..PAIRS {
    apart cardioid[i].front, cardioid[i].back
}
region cardioid in (24, 0) to (24, 1) // four kernels on two cores
together mean, cardioid // no DMA between them
place mean.y at (24, 1) bank 2, 3
place mean.stack at (24, 1) bank 1
