//$ check
// A stream that nothing feeds holds its kernel up at the first read, not before it starts.
design d
device toy

kernel add(in a: stream int32[16], in b: stream int32[16], out y: stream int32[16], out log: packets int32) { source "add.cc" }
input a from plio(32, "a.txt")
output y to plio(32, "y.txt")
connect a -> add.a
connect add.y -> y
