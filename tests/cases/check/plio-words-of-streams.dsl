//$ check
// The data of streams that end within a word of their ports.
design d
device toy
iterations 3
kernel a[2](in x: stream int32[5], out y: packets int32[3]) { source "a.cc" }
input i[2] from plio(128, "i_{}.txt")
output o[2] to plio(64, "o_{}.txt")
connect i -> a.x
connect a.y -> o
