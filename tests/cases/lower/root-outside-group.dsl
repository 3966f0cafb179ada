//$ check
design d
device toy
kernel a[4] { source "a.cc" }
reduce total over a[0..3] { op sum data int32[16] root a[3] }
