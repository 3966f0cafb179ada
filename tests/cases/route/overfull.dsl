//$ route --placement {dir}/overfull.placement.json
// 24 nets from the left half of the array to the right half, between which there are 5 rows of 4 wires.
design across
device toy
kernel a[12](out y: window int32[16], out z: window int32[16]) { source "a.cc" }
kernel b[12](in y: window int32[16], in z: window int32[16]) { source "b.cc" }
connect a.y -> b.y
connect a.z -> b.z
for k in 0..12 {
    place a[k] at (k / 4, k % 4)
    place b[k] at (3 + k / 4, k % 4)
}
