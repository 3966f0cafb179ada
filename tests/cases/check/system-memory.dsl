//$ check
design d
device toy
kernel a(out y: window int32[16]) { source "a.cc" stack 31 KiB heap 1 KiB }
output o to plio(32, "o.txt")
connect a.y -> o
