//$ check
// Two kernels on one core, in the text of a component that has four instances: one message.
design lanes
device xcvc1902

component lane(in x: window int32[16], out y: window int32[16]) {
    kernel k(in x: window int32[16], out y: window int32[16]) { source "k.cc" }
    kernel m(in x: window int32[16], out y: window int32[16]) { source "m.cc" }
    connect x -> k.x
    connect k.y -> m.x
    connect m.y -> y
    place k at (0, 0)
    place m at (0, 0)
}

instance bank[3] of lane
instance other of lane
place bank[0] at (10, 0)
place bank[1] at (14, 0)
place bank[2] at (18, 0)
place other at (22, 0)
input a[4] from plio(32, "a_{}.txt")
output b[4] to plio(32, "b_{}.txt")
connect a[..3] -> bank.x
connect bank.y -> b[..3]
connect a[3] -> other.x
connect other.y -> b[3]
