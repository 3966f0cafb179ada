//$ check
design d
device toy
kernel stage[25](in x: window int32[16], out y: window int32[16]) { source "stage.cc" }
input src from plio(32, "i.txt")
output dst to plio(32, "o.txt")
connect src -> stage[0].x
for i in 0..24 { connect stage[i].y -> stage[i + 1].x }
connect stage[24].y -> dst
