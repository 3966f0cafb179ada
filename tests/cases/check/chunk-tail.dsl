//$ check
design d
device toy
kernel a[3] { source "a.cc" }
reduce total over a { op sum data int32[100] window int32[32] }
output sum to gmio
connect total.result -> sum
