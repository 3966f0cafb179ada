//$ check
// A hypercube of 128 ranks has seven dimensions: two windows each, and none is left for the kernel's own port.
design clocks
device xcvc1902

kernel w[128](in x: window int32[4]) { source "w.cc" }
clock time over w { shape butterfly }

input x from plio(64, "x.txt")
connect x -> w.x
