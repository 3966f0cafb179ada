//$ build --emit=expanded
design d
device toy

const TAPS = [3, -9]

kernel k[r: 2](in x: window int32[8], out y: window int32[8]) {
    source    "k.cc"
    header    "k.h"
    template  (int32, r + 1)
    arguments (TAPS as int16, TAPS[r])
    cycles    300 + 20 * r
    if r > 0 {
        function other
        init     "go"
        stack    2 KiB
    }
}
input x[2] from plio(32, "x_{}.txt")
output y[2] to plio(32, "y_{}.txt")
connect x -> k.x
connect k.y -> y
