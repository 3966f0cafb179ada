//$ check
// The device is a part; the board that carries it has a line of its own.
design d
device vck190

kernel k(in x: window int32[64], out y: window int32[64]) { source "k.cc" }
input  x from gmio
output y to gmio
connect x -> k.x
connect k.y -> y
