//$ report --effort 1 --why
// Without collectives: the loop of `scale`, one buffer at each end, and small windows.
design pipeline
device toy
iterations 4

kernel scale(in x: window int32[16], out y: window int32[16]) {
    source "worker.cc"
    cycles 320
}
kernel clip(in x: window int32[16], out y: window int32[16]) { source "worker.cc" }

input samples from plio(32, "samples.txt")
output clipped to plio(32, "clipped.txt")
connect samples -> scale.x
connect scale.y -> clip.x buffer single
connect clip.y -> clipped
