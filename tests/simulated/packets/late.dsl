design late_window
device xcvc1902

kernel deal(in x: window int32[16], out y: packets int32[2000], out last: window int32[4]) { source "late.cc" }
kernel sink[2](in x: packets int32[1000], in last: window int32[4], out y: window int32[4]) { source "late.cc" }
input i from plio(32, "in.txt")
output o[2] to plio(32, "out_{}.txt")
connect i -> deal.x
connect deal.y -> split sink[..].x
connect deal.last -> sink[..].last
connect sink.y -> o
