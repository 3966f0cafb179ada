//$ build --emit=expanded
// Two levels of components: ports, constants, a collective inside, and tiles.
design nested
device toy

const SIZE = 16

component pair(N = 2, FIRST = 0)(in x[N]: window int32[SIZE], out sum: window int32[SIZE]) {
    kernel k[i: N](in x: window int32[SIZE]) { source "k.cc" }
    reduce total over k {
        op        sum
        data      int32[SIZE]
        reference FIRST + rank
    }
    connect x -> k.x
    connect total.result -> sum
    place k[0] at (0, 0)
    place k[1] at (0, 1)
}

component two(in x[4]: window int32[SIZE], out sums[2]: window int32[SIZE]) {
    instance one[i: 2] of pair(FIRST = 10 * i)
    connect x[0..2] -> one[0].x
    connect x[2..4] -> one[1].x
    connect one.sum -> sums
    place one[0] at (0, 0)
    place one[1] at one[0] + (1, 0)
}

instance all of two
input a[4] from plio(32, "a_{}.txt")
output b[2] to plio(32, "b_{}.txt")
connect a -> all.x
connect all.sums -> b buffer single
place all at (1, 0)
