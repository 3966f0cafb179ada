//$ build --emit=design -D ROWS=2
design d
device toy

const ROWS  = 1
const TABLE = [2 * ROWS, 1 << 4, -3]

if ROWS > 1 {
    kernel k[r: ROWS][c: TABLE[0]][1](out y: window int32[TABLE[1]]) { source "k.cc" }
    allreduce all over k {
        op        max
        data      int32[4]
        reference TABLE[c % len(TABLE)] * (r != rank) + i
    }
} else {
    kernel k(out y: window int32[8]) { source "k.cc" }
}
output y[8] to plio(32, "y_{}.txt")
connect k[..][.. step 2][0].y -> y[..4]
connect k[..][1.. step 2][0].y -> y[4..]
