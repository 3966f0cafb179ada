//$ check
// 24 parameters of the host on one core. Each has two buffers and a selector word, with three locks.
design parameters
device xcvc1902

kernel k[2](in x: window int32[8], in p[12]: parameter int32 async, out y: window int32[8]) {
    source  "k.cc"
    runtime 0.4
}

input  x[2] from plio(32, "data/x_{}.txt")
input  h[12] from host
output y[2] to plio(32, "data/y_{}.txt")

connect x -> k.x
connect h -> k[0].p
connect h -> k[1].p
connect k.y -> y

place k[1] at k[0]
