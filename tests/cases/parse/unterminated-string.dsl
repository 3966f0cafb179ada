//$ check
design d
device toy
kernel a { source "a.cc }
