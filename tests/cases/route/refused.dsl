//$ route
// All kernels have places. 24 nets must cross column 2 eastwards, between whose rows there are 5
// times 4 wires; the net from `c` to `d` crosses nothing.
design refused
device toy
kernel a[6](out w: window int32[16], out x: window int32[16], out y: stream int32, out z: stream int32) {
    source "a.cc"
}
kernel b[6](in w: window int32[16], in x: window int32[16], in y: stream int32, in z: stream int32) {
    source "b.cc"
}
kernel c(out s: stream int32) { source "c.cc" }
kernel d(in s: stream int32) { source "d.cc" }
connect a.w -> b.w
connect a.x -> b.x
connect a.y -> b.y
connect a.z -> b.z
connect c.s -> d.s
for k in 0..6 {
    place a[k] at (k / 4, k % 4)
    place b[k] at (4 + k / 4, k % 4)
}
place c at (1, 3)
place d at (1, 2)
