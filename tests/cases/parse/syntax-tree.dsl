//$ build --emit=ast
design d
device toy
const N = 2 * (3 + 1)
kernel a[N](out y: window int32[1 KiB]) { source "a.cc" }
connect a[0..2].y -> async a[1].x buffer single
