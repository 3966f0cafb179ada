design d
device toy
vitis "2023.2"
ports buffer
kernel scale(in x: window int16[64], out y: window int16[64]) { source "scale.cc" }
kernel late(in x: window int16[64], out y: window int16[64]) { source "late.cc" }
kernel worker[2](in x: window int32[32]) { source "worker.cc" }
reduce total over worker { op sum data int32[32] window int32[16] cycles int64[2] }
broadcast back over worker { data int32[32] shape flat buffer single }
input samples from plio(64, "samples.txt")
input lanes[2] from gmio("lanes_{}.txt")
output scaled to plio(64, "scaled.txt")
output sum to gmio
output cycles to gmio
connect samples -> scale.x
connect async scale.y -> async late.x buffer single
connect late.y -> scaled
connect lanes -> worker.x
connect total.result -> sum
connect total.cycles -> cycles
