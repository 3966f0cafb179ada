design d
device toy
ports window
kernel worker[3] { source "worker.cc" }
reduce total over worker { op sum data int32[16] calls 2 reference 10 * rank + i + 100 * call }
output sum to gmio
connect total.result -> sum
