//$ check
design d
device toy
kernel a(out y: window int32[16], out z: window int32[16]) { source "a.cc" }
kernel b(in x: window float[16], in w: window int32[32]) { source "b.cc" }
connect a.y -> b.x
connect a.z -> b.w
