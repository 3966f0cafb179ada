//$ check
// One FIFO serves one sender, and the statement gives its place to three.
design range
device toy

kernel a[3](in x: window int32[64], out y: stream int32[64]) { source "a.cc" }
kernel b[3](in x: stream int32[64], out y: window int32[64]) { source "b.cc" }
input  x[3] from plio(32, "x_{}.txt")
output y[3] to plio(32, "y_{}.txt")

connect x -> a.x
connect a.y -> b.x fifo 16 at switch (3, 1) number 0
connect b.y -> y
