//$ check
// One window too large for a module, in the text of a component that has three instances.
design filters
device toy

component half(SIZE = 16)(in x: window int32[SIZE], out y: window int32[SIZE]) {
    kernel k(in x: window int32[SIZE], out y: window int32[SIZE]) { source "k.cc" }
    connect x -> k.x
    connect k.y -> y
}

instance bank[3] of half(SIZE = 65536)
input a[3] from plio(32, "a_{}.txt")
output b[3] to plio(32, "b_{}.txt")
connect a -> bank.x
connect bank.y -> b
