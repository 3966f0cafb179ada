//$ check
design d
device toy
const N = 4
const N = 5
kernel a[N](in x: window int32[16], out y: window int31[16]) { source "a.cc" }
kernel b(in x: window int32[1 B], out y: window int32[16]) { stack 1 KiB stack 2 KiB }
connect a[7].y -> b.x
connect a.z -> b.x
connect b.x -> a[0].x
connect c.y -> a[1].x
connect a[0..2].y -> b.x
