//$ route --placement {dir}/fifo.placement.json
// The file gives no place of the FIFO in memory: it gets one before the routes are made.
design delayed
device toy

kernel a(in x: window int32[64], out y: stream int32[64]) { source "a.cc" }
kernel b(in x: stream int32[64], out y: window int32[64]) { source "b.cc" }
input  x from plio(32, "x.txt")
output y to plio(32, "y.txt")

connect x -> a.x
connect a.y -> b.x fifo 64
connect b.y -> y
