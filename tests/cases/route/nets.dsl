//$ route --placement {dir}/nets.placement.json
// Six nets, one of them to two kernels.
design nets
device toy
kernel a[3](out y: window int32[16], out z: window int32[16]) { source "a.cc" }
kernel b[3](in y: window int32[16], in z: window int32[16]) { source "b.cc" }
kernel c(in y: window int32[16]) { source "c.cc" }
connect a.y -> b.y
connect a.z -> b.z
connect a[0].y -> c.y
for k in 0..3 {
    place a[k] at (0, k)
    place b[k] at (4, k)
}
place c at (5, 3)
