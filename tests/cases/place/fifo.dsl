//$ place --effort 1
// The FIFO in memory lies on the way, beside the windows of `b`.
design delayed
device toy

kernel a(in x: window int32[64], out y: stream int32[64]) { source "a.cc" }
kernel b(in x: stream int32[64], out y: window int32[64]) { source "b.cc" }
input  x from plio(32, "x.txt")
output y to plio(32, "y.txt")

connect x -> a.x
connect a.y -> b.x fifo 64
connect b.y -> y
place a at (1, 1)
place b at (4, 2)
