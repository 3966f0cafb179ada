design everything
device xcvc1902
iterations 2 * 2
const N = 0x10
const M = 1_000
kernel worker[N] {
    source "kernels/worker.cc"
    stack  8 KiB
    heap   1 KiB
}
kernel pe[4][8](in a: window int32[64], out b: window int32[64 B]) { source "kernels/pe.cc" }
reduce total over worker[0..8], tail, pe[0][..] {
    op        sum
    data      int32[1024]
    window    int32[4 KiB]
    root      worker[0]
    shape     tree arity 2
    buffer    single
    calls     3
    cycles    int64[512]
    reference rank * 100 + i
}
input samples[4] from plio(64, "data/in_{}.txt")
output sum to gmio
output log to gmio("data/log.txt")
connect samples -> async pe[0][..4].a buffer single
kernel slow {
    source  "s.cc"
    runtime 0.40
    program 4 KiB
}
place worker[0] at (24, 0)
place worker[1] at worker[0] + (0, -1)
place worker[2] at worker[3]
region worker, tail in (0, 0) to (3, N)
together worker[4], tail
apart pe
keepout (9, 9)
for i in 0..N - 1 {
    connect stage[i].y -> stage[i + 1].x
    place stage[i] at (i, 0)
    for j in 0..2 {
    }
}
import "lib.dsl"
component fir(TAPS = 16, GAIN = 2 * 3)(in x: window int16[256], out y: stream int16) {
    const N = TAPS / 2
    kernel mac[N](in x: window int16[256]) { source "m.cc" }
    connect x -> mac[0].x
    instance inner of mac2
}
component none() {
}
instance bank[i: 4][2] of fir(TAPS = i)
connect a -> bank[2][0].mac[1].x[1..3]
