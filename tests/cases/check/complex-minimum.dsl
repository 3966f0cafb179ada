//$ check
design d
device toy
kernel a[3] { source "a.cc" }
reduce least over a { op min data cint16[16] }
