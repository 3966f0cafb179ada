//$ check
design d
device toy
kernel a[3](in x: window int32[16], out y: window int32[16]) { source "a.cc" }
input i[3] from plio(32, "i_{}.txt")
output o[3] to plio(32, "o_{}.txt")
connect i -> a.x
connect a.y -> o
apart a, a[1]                           // two neighbours, and a[1] twice
apart a[2], a[2] by core
apart a[..2].x, a[0].x
place a[0] at (1, 1)
place a[1] at (1, 2)
