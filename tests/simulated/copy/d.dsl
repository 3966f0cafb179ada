design d
device toy
ports window
kernel k(in x: window int32[16], out y: window int32[16]) { source "k.cc" }
input i from plio(32, "i.txt")
output o to plio(32, "o.txt")
connect i -> k.x
connect k.y -> o
