//$ check
design d
device toy
kernal a { source "a.cc" }
