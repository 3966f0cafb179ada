//$ check
design d
device toy
kernel a[2](out y: window int32[16]) { source "a.cc" }
kernel b(in x: window int32[16], in w: window int32[16]) { source "b.cc" }
connect a[0].y -> b.x
connect a[1].y -> b.x
