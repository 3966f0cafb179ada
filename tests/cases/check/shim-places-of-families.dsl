//$ check
// Each statement has one message for all instances that it places.
design d
device xcvc1902
kernel a[3](in x: window int32[16], out y: window int32[16]) { source "a.cc" }
input i[3] from plio(64, "i_{}.txt")
output o[3] to gmio
connect i -> a.x
connect a.y -> o
place i at shim 5
place o at shim 8
place i at shim 6 channel 9
for n in 0..2 { place o[n] at shim 60 + n }
