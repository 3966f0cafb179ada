// The latency benchmark of the thesis, listing 3.3: kernel a sends four integers to b, which adds one to each and sends
// them back, 1024 times in one firing. a notes the cycles of every round trip, and sends what came back last.
//
// Windows form a cycle here, so they must be asynchronous; pingpong_sync.dsl shows what happens otherwise.
design pingpong
device xcvc1902

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
output check to plio(64, "data/pingpong_check.txt") // four times 1024

connect async a.there -> async b.there
connect async b.back -> async a.back
connect a.cycles -> cycles
connect a.check -> check

place a at (24, 0)
place b at (24, 1) // the neighbour above: both reach the same memory
