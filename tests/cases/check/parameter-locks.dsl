//$ check
// A parameter of the host takes three locks: two buffers and a selector word. A core reaches four modules of 16 locks.
design locks
device xcvc1902
iterations 2
kernel k(in g[22]: parameter int32 async, out y: stream int32[4]) { source "k.cc" }
input gains[22] from host initial 1
output y to plio(32, "data/y.txt")
connect gains -> k.g
connect k.y -> y
