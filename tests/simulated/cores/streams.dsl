design d
device xcvc1902
kernel last(in x: stream int32[64], out y: window int32[64]) { source "kernels.cc" runtime 0.4 }
kernel first(in x: window int32[64], out y: stream int32[64]) { source "kernels.cc" runtime 0.4 }
kernel middle(in x: KIND int32[64], out y: KIND int32[64]) { source "kernels.cc" function MIDDLE }
iterations 3
input x from plio(32, "in.txt")
output y to plio(32, "out.txt")
connect x -> first.x
connect first.y -> middle.x
connect middle.y -> last.x
connect last.y -> y
place last at first
