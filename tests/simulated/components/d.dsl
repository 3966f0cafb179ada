// Components in components, and all ways over their borders.
design nested
device xcvc1902
iterations 2
ports window

const N = 16

component scale(GAIN = 1)(in x: window int32[N], in bias: parameter int32 async, out y: window int32[N]) {
    kernel gain(in x: window int32[N], in bias: parameter int32 async, out y: window int32[N]) {
        source    "gain.cc"
        header    "gain.h"
        arguments (GAIN)
    }
    connect x -> gain.x
    connect bias -> gain.bias
    connect gain.y -> y
}

component pair(FIRST = 1)(
    in x: window int32[N],
    in bias[2]: parameter int32 async,
    out y[2]: window int32[N],
    out same: window int32[N],
) {
    instance part[i: 2] of scale(GAIN = FIRST + i)
    kernel copy(in x: window int32[N], out y: window int32[N]) { source "copy.cc" }
    connect x -> part.x
    connect x -> copy.x
    connect bias -> part.bias
    connect part.y -> y
    connect copy.y -> same
}

// A split and a merge inside.
component fan(in p: packets int32, out q: packets int32) {
    kernel worker[2](in x: window int32[N], out y: window int32[N]) {
        source   "copy.cc"
        function copy
    }
    connect p -> split worker.x
    connect worker.y -> merge q
}

// A cascade from instance to instance.
component head(in x: stream int32[N], out sums: cascade acc48) {
    kernel first(in x: stream int32[N], out sums: cascade acc48) { source "first.cc" }
    connect x -> first.x fifo 32
    connect first.sums -> sums
}
component tail(in sums: cascade acc48, out y: stream int32[N]) {
    kernel last(in sums: cascade acc48, out y: stream int32[N]) { source "last.cc" }
    connect sums -> last.sums
    connect last.y -> y
}

// A stream into a window, a window into a stream: ports carry what those of the kernels inside do.
component send(in x: window int32[N / 2], out y: stream int32[N / 2]) {
    kernel half(in x: window int32[N / 2], out y: stream int32[N / 2]) { source "half.cc" }
    connect x -> half.x
    connect half.y -> y
}
component sender(in x: window int32[N / 2], out y: stream int32[N / 2]) {
    instance inner of send
    connect x -> inner.x
    connect inner.y -> y
}
component keep(in x: window int32[N], out y: window int32[N]) {
    kernel kept(in x: window int32[N], out y: window int32[N]) {
        source   "copy.cc"
        function copy
    }
    connect x -> kept.x
    connect kept.y -> y
}
component take(in x: stream int32[N], out y: window int32[N]) {
    kernel taken(in x: stream int32[N], out y: window int32[N]) { source "taken.cc" }
    connect x -> taken.x
    connect taken.y -> y
}
component taker(in x: window int32[N], out y: window int32[N]) {
    instance first of keep
    instance second of take
    connect x -> first.x
    connect first.y -> second.x
    connect second.y -> y
}

// Ranks of a collective around the instances.
component member(in x: window int32[N]) {
    kernel rank(in x: window int32[N]) { source "rank.cc" }
    connect x -> rank.x
}

instance two[r: 2][c: 2] of pair(FIRST = 10 * r + c)
instance packed of fan
instance front of head
instance back of tail
instance way[2] of sender
instance home[2] of taker
instance group[3] of member

reduce total over group.rank {
    op    sum
    data  int32[N]
    root  group[0].rank
    shape flat
}

input  x from plio(32, "x.txt")
input  bias[2] from host initial 3
input  packets from plio(32, "packets.txt")
input  samples from plio(32, "x.txt")
output y[8] to plio(32, "y_{}.txt")
output same[4] to plio(32, "same_{}.txt")
output spy to plio(32, "spy.txt")
output q to plio(32, "q.txt")
output z to plio(32, "z.txt")
output sum to plio(32, "sum.txt")
output mixed[2] to plio(32, "mixed_{}.txt")

connect x -> two.x
for r in 0..2 { for c in 0..2 { connect bias -> two[r][c].bias } }
connect two.y -> y
connect two.same -> same
connect two[1][1].copy.y -> spy // past the border
connect packets -> packed.p
connect packed.q -> q
connect samples -> front.x
connect front.sums -> back.sums
connect back.y -> z
connect x -> way.x // in windows of half the size
connect way.y -> home.x
connect home.y -> mixed
connect x -> group.x
connect total.result -> sum
