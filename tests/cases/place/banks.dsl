//$ build --emit=placement --effort 1
design banks
device toy
kernel mix(in a: window int32[16], in b: window int32[16], out y: window int32[16]) { source "mix.cc" }
input a from plio(32, "a.txt")
input b from plio(32, "b.txt")
output y to plio(32, "y.txt")
connect a -> mix.a
connect b -> mix.b
connect mix.y -> y
place mix.a at (2, 1) bank 0, 1
place mix.stack at (2, 1) bank 3
apart mix.a, mix.b
