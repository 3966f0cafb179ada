//$ check
// Misused instances of a component.
design filters
device toy

component half(GAIN = 1)(in x: window int32[16], out y: window int32[16]) {
    kernel k(in x: window int32[16], out y: window int32[16]) { source "k.cc" }
    connect x -> k.x
    connect k.y -> y
}

instance bank[2] of half(GAINS = 3)
instance left of haf
instance pairs[2] of half
input a from plio(32, "a.txt")
output b to plio(32, "b.txt")
connect pairs[0].x -> b
connect a -> pairs
connect a -> async pairs[0].x
connect a -> pairs[2].x
connect a -> pairs[0].k[1].x
connect pairs[0].why -> b
connect pairs[0].yy -> b
place pairs at (0, 0)
connect pairs[0].kk -> b
place pairs[1].kk at (0, 1)
