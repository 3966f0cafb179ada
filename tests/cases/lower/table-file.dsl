//$ check
design d
device toy

const GOOD   = from "table-file.good.txt"
const BAD    = from "table-file.bad.txt"
const ABSENT = from "table-file.none.txt"

kernel k[len(GOOD)](out y: window int32[GOOD[1]]) { source "k.cc" }
output y[3] to plio(32, "y_{}.txt")
connect k.y -> y
