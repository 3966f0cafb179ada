//$ check
design d
device toy
kernel w[3](in x: window int[16], in z: window double[4], in u: window uint16_t[4]) { source "w.cc" }
reduce total over w { op add data int32[16] }
reduce most over w { op maximun data int32[16] }
input i[3] from plio(32, "i_{}.txt")
connect i -> w.x
