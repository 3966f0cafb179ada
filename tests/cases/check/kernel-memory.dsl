//$ check
// A root with 16 KiB windows: two children, the result and the cycle counts, all ping-pong, fill everything a core reaches.
design d
device xcvc1902
kernel worker[7] { source "worker.cc" stack 18 KiB }
reduce total over worker { op sum data int32[16 KiB] cycles int64[16 KiB] }
output sum to gmio
output cycles to gmio
connect total.result -> sum
connect total.cycles -> cycles
