design again
device xcvc1902
kernel a(in x: window int32[64], out y: stream int32[64]) { source "kernels.cc" }
kernel b(in x: stream int32[64], out y: window int32[64]) { source "kernels.cc" }
kernel c(in late: window int32[64], in s: stream int32[64], out y: window int32[64]) { source "kernels.cc" }
input i from plio(32, "in.txt")
output o to plio(32, "out.txt")
connect i -> a.x
connect a.y -> b.x
connect a.y -> c.s FIFO
connect b.y -> c.late
connect c.y -> o
