//$ check -D N=0
design d
device toy
const N = 4
const M = 64 / N
kernel a(out y: window int32[M]) { source "a.cc" }
