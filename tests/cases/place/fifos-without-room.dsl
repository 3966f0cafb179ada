//$ place --effort 1
// Two open tiles serve four FIFOs in memory, and six are asked for.
design crowded
device toy

kernel a(in x: stream int32[16], in y: stream int32[16], out z: stream int32[16], out w: stream int32[16]) {
    source "a.cc"
}
kernel b(in x: stream int32[16], in y: stream int32[16], out z: stream int32[16], out w: stream int32[16]) {
    source "b.cc"
}
input  i[2] from plio(32, "i{}.txt")
output o[2] to plio(32, "o{}.txt")

keepout (0, 0) to (5, 2)
keepout (2, 3) to (5, 3)
connect i[0] -> a.x fifo 64
connect i[1] -> a.y fifo 64
connect a.z -> b.x fifo 64
connect a.w -> b.y fifo 64
connect b.z -> o[0] fifo 64
connect b.w -> o[1] fifo 64
