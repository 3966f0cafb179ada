// pingpong.dsl without `async`: a waits for b before it starts, and b for a. aiec rejects it.
design pingpong_sync
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
output check to plio(64, "data/pingpong_check.txt")

connect a.there -> b.there
connect b.back -> a.back
connect a.cycles -> cycles
connect a.check -> check
