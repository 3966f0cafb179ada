design gathering
device xcvc1902
kernel a(in x: window int32[16], out y: window int32[16], out z: window int32[16]) { source "kernels.cc" }
kernel m(in y: window int32[GATHERED], out w: window int32[GATHERED]) { source "kernels.cc" }
kernel b(in w: window int32[16], in z: window int32[16], out o: window int32[16]) { source "kernels.cc" }
input x from plio(32, "in.txt")
output o to plio(32, "out.txt")
connect x -> a.x
connect a.y -> m.y
connect m.w -> b.w
connect a.z -> b.z
connect b.o -> o
