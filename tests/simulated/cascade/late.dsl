design d
device xcvc1902
kernel a(in x: window int32[64], out c: cascade acc48, out s: stream int32[64]) { source "kernels.cc" function give }
kernel b(in c: cascade acc48, out w: window int32[64]) { source "kernels.cc" function fill }
kernel e(in w: window int32[64], in s: stream int32[64], out y: window int32[64]) { source "kernels.cc" function add }
input x from plio(32, "in.txt")
output y to plio(32, "out.txt")
connect x -> a.x
connect a.c -> b.c
connect b.w -> e.w
connect a.s -> e.s
connect e.y -> y
