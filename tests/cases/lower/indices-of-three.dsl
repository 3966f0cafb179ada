//$ check
// A family of three extents wants three indices or none.
design three
device toy

kernel w[2][2][2](out y: window int32[16]) { source "w.cc" }
output o[8] to plio(32, "o_{}.txt")
connect w.y -> o
region w[0] in (0, 0) to (3, 3)
