//$ check
design d
device toy
kernel a(out y: window int32[16]) { source "a.cc" }
output o to plio(48, "o.txt")
connect a.y -> o
