//$ build --emit=expanded
design d
device toy
kernel a[4] { source "a.cc" }
reduce total over a { op sum data int32[16] root a[1] }
output sum to gmio
connect total.result -> sum
