//$ check
// One fault in the text of a component, which four instances show.
design filters
device toy

component pair(N = 2, SIZE = 16)(in x[N]: window int32[SIZE], out y[N]: window int32[SIZE]) {
    kernel k[N](in x: window int32[SIZE], out y: window int32[SIZE]) { source "k.cc" }
    connect x -> k.x
    connect k[0..N].y -> y[0..N]
    connect k[2].y -> y[0]
}

component outer(in x[2]: window int32[16], out y[2]: window int32[16]) {
    instance inner of pair
    connect x -> inner.x
    connect inner.y -> y
}

instance bank[4] of outer
input a[8] from plio(32, "a_{}.txt")
output b[8] to plio(32, "b_{}.txt")
connect a -> bank.x
connect bank.y -> b
