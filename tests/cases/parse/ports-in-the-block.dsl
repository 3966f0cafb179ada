//$ check
design t
device toy
kernel k { in a: window int32[16] }
