// Frames are decoded by three cores in turn. The file of frames has a header in front of each and TLAST at its end. The
// ordered merge takes one frame of each core after the other, so `join` gets them in the order in which they came.
design turns
device xcvc1902
iterations 2

const CORES = 3
const WORDS = 8 // of a frame, without its header

kernel decode[CORES](in x: packets int32[WORDS], out y: packets int32[WORDS]) {
    source "kernels/turns.cc"
}
kernel join(in x: window int32[WORDS], out y: window int32[WORDS]) {
    source      "kernels/turns.cc"
    repetitions CORES
}

input frames from plio(32, "data/turns_in.txt")
output words to plio(32, "data/turns_out.txt") golden "data/turns_golden.txt"

connect frames -> split decode[..].x
connect decode[..].y -> merge ordered join.x
connect join.y -> words
