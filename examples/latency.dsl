// The ping-pong of the thesis (section 3.3) at a Manhattan distance of D tiles: a sends four integers to b and gets them
// back, 1024 times. The latency is half of a round trip.
design latency
device xcvc1902

const D = 1 // tiles between a and b
const UP = max(0, D - 49) // rows of it: the array has 50 columns

kernel a(
    in back: window int32[4],
    out there: window int32[4],
    out cycles: window int64[1024],
    out check: window int32[4],
) {
    source "kernels/a.cc"
}
kernel b(in there: window int32[4], out back: window int32[4]) { source "kernels/b.cc" }

output cycles to gmio
output check to gmio

connect async a.there -> async b.there
connect async b.back -> async a.back
connect a.cycles -> cycles
connect a.check -> check

place a at (0, 0)
place b at (D - UP, UP)
