// One input of packets, eight workers, one output. The id in the header of a packet names its worker. DMAs strip the
// headers in front of the workers and put new ones before their answers, whose id is again that of the worker.
design packets
device xcvc1902
iterations 3

const WORKERS = 8
const WORDS = 16

kernel worker[WORKERS](in x: window int32[WORDS], out y: window int32[WORDS]) {
    source "kernels/worker.cc"
}

input requests from plio(32, "data/packets_in.txt")
output answers to plio(32, "data/packets_out.txt") golden "data/packets_golden.txt"

connect requests -> split worker[..].x
connect worker[..].y -> merge answers
