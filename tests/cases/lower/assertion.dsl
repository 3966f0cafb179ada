//$ check
design d
device toy

const SIZES = [4, 6]

assert SIZES[0] * 2 == SIZES[1] + len(SIZES) "sizes fit"
for i in 0..2 { assert SIZES[i] > 4 "every size is larger than 4" }
assert SIZES[1] % 4 == 0 "the last size is a multiple of 4"

kernel k[SIZES[0]](out y: window int32[16]) { source "k.cc" }
output y[4] to plio(32, "y_{}.txt")
connect k.y -> y
