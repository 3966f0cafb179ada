design many
device xcvc1902
iterations 3

kernel lane[3](
    in x: window int32[8],
    in gain: parameter int32,
    in mode: parameter int16 async,
    in table: parameter cint16[4] async,
    out y: window int32[8],
    inout count: parameter int32,
    out sum: parameter int64,
) {
    source "lane.cc"
}
kernel tail(
    in x: window int32[8],
    in base: parameter int64 async,
    in bias: parameter uint8 async,
    out y: window int32[8],
    out bins: parameter float[2],
) {
    source "tail.cc"
}

input xs[3] from gmio("x_{}.txt") burst 128 bandwidth 500
input gain[3] from host("gain_{}.txt")
input mode from host initial 2
input table from host initial [1, -2, 3, -4, 5, -6, 7, -8]
input bias from host initial 200
output ys to gmio("y.txt")
output heads[2] to plio(64, "h_{}.txt") frequency 312.5
output count[3] to host
output sum[2] to host("sum_{}.txt")
output bins to host

connect xs -> lane.x
connect gain -> lane.gain
connect mode -> lane.mode
connect table -> lane.table buffer single
connect bias -> tail.bias
connect lane[0].y -> tail.x
connect lane[1..3].y -> heads
connect tail.y -> ys
connect lane[0].sum -> tail.base
connect lane[1..3].sum -> sum
connect lane.count -> count
connect tail.bins -> bins
