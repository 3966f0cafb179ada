//$ check
// The class takes both parts in turn, and pairs them itself.
design d
device toy
const TWIDDLES = [1, 0, 0, -1]
kernel a(in x: window cint16[16], out y: window cint16[16]) {
    source    "a.cc"
    header    "a.h"
    arguments (TWIDDLES as cint16, 3 as cfloat)
}
input i from plio(32, "i.txt")
output o to plio(32, "o.txt")
connect i -> a.x
connect a.y -> o
