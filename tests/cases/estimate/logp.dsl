//$ report --effort 1 --logp
// One connection of each kind, and a stream of unknown amount.
design costs
device toy
iterations 4

kernel near(in x: window int32[64], out y: window int32[64], out s: stream int32[8]) { source "worker.cc" }
kernel far(in x: window int32[64], in s: stream int32[8], out c: cascade acc48, out t: stream int32) {
    source "worker.cc"
}
kernel last(in c: cascade acc48, in t: stream int32, out y: window int32[64]) { source "worker.cc" }

input samples from plio(32, "samples.txt")
output results to plio(32, "results.txt")
connect samples -> near.x
connect near.y -> far.x
connect near.s -> far.s
connect far.c -> last.c
connect far.t -> last.t
connect last.y -> results
