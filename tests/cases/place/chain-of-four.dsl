//$ place --effort 1
design chain
device toy

kernel stage[4](in x: window int32[8], out y: window int32[8]) { source "stage.cc" }

input numbers from plio(32, "in.txt")
output result to plio(32, "out.txt")
connect numbers -> stage[0].x
for i in 1..4 { connect stage[i - 1].y -> stage[i].x }
connect stage[3].y -> result
