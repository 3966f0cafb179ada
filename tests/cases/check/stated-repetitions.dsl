//$ check
// A stated number of runs for which the other kernel has no whole number.
design runs
device xcvc1902
kernel wide(in x: window int32[48], out y: stream int32[48]) { source "k.cc" }
kernel narrow(in x: stream int32[32], out y: window int32[8]) { source "k.cc" repetitions 4 }
input  x from gmio
output y to gmio
connect x -> wide.x
connect wide.y -> narrow.x
connect narrow.y -> y
