//$ check
design d
device toy
kernel a[3](out y: window int32[16]) { source "a.cc" }
output o[3] to plio(32, "o_{}.txt")
connect a.y -> o
place a[0] at (1, 1)
place a[1] at (1, 1)
place a[2] at (6, 0)
place a[0] at (2, 1)
