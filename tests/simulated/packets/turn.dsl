design in_turn
device xcvc1902

kernel stage[2](in x: window int32[16], out y: window int32[16], out next: window int32[4]) { source "turn.cc" }
kernel collect(in x: packets int32[80], out y: window int32[80]) { source "turn.cc" }
input j from plio(32, "in.txt")
output o to plio(32, "out.txt")
output p to plio(32, "rest.txt")
connect j -> stage[1].x
connect stage[1].next -> stage[0].x
connect stage[0].next -> p
connect stage[..].y -> merge ordered collect.x
connect collect.y -> o
