design packet_ring
device xcvc1902

kernel deal(in x: window int32[16], in back: window int32[4], out y: packets int32[32]) { source "ring.cc" }
kernel worker[2](in x: window int32[16], out y: window int32[16]) { source "ring.cc" }
kernel collect(in x: packets int32[32], out back: window int32[4], out y: window int32[32]) { source "ring.cc" }
input i from plio(32, "in.txt")
output o to plio(32, "out.txt")
connect i -> deal.x
connect deal.y -> split worker[..].x
connect worker[..].y -> merge collect.x
connect collect.y -> o
connect collect.back -> deal.back
