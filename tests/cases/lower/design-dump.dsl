//$ build --emit=design -D N=4
design d
device toy
const N = 2
kernel a[N](in x: window int32[16]) { source "a.cc" stack 2 KiB }
input src from plio(64, "data/in.txt")
reduce total over a { op max data int32[64] window int32[16] }
output best to gmio
connect src -> a[0..N].x
connect total.result -> best
place a[0] at (2, 1)
