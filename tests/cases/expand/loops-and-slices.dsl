//$ build --emit=expanded
design d
device toy
kernel stage[3](in x: window int16[64], out y: window int16[64]) { source "stage.cc" }
input src from plio(64, "data/in.txt")
output dst to plio(64, "data/out.txt")
connect src -> stage[0].x
for i in 0..2 { connect stage[i].y -> stage[i + 1].x }
connect stage[2].y -> dst
