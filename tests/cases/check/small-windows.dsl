//$ check
design d
device toy
kernel a(out y: window int16[1], out z: window int8[19]) { source "a.cc" }
output o to plio(32, "o.txt")
output p to plio(32, "p.txt")
connect a.y -> o
connect a.z -> p
