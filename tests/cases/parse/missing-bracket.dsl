//$ check
design d
device toy
kernel a(out y: window int32[16) { source "a.cc" }
