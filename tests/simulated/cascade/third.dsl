design d
device xcvc1902
kernel a(in x: window int32[64], out c: cascade acc48, out s: stream int32[64]) { source "kernels.cc" function give }
kernel t(in s: stream int32[64], out y: stream int32[64]) { source "kernels.cc" function pass }
kernel b(in c: cascade acc48, in s: stream int32[64], out y: window int32[64]) { source "kernels.cc" function take }
input x from plio(32, "in.txt")
output y to plio(32, "out.txt")
connect x -> a.x
connect a.c -> b.c
connect a.s -> t.s
connect t.y -> b.s
connect b.y -> y
