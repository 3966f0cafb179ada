design d
device xcvc1902
kernel deal(in x: window int32[16], out y: window int32[4]) { source "kernels.cc" runtime 0.4 }
kernel scale(in x: window int32[4], out y: window int32[4]) { source "kernels.cc" runtime 0.4 }
iterations 3
input x from plio(32, "in.txt")
output y to plio(32, "out.txt")
connect x -> deal.x
connect async deal.y windows COUNT -> scale.x
connect scale.y -> y
place deal at (3, 2)
place scale at (3, 2)
allow "check/core-wait" because "a run locks as many windows as there are buffers"
