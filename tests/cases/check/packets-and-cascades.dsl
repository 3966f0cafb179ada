//$ check
design d
device xcvc1902
kernel a[3](in x: window int32[16], out c: cascade acc48) { source "a.cc" }
kernel b[3](in c: cascade acc80, out y: stream int32[16]) { source "b.cc" }
kernel w[40](in x: window int32[16], out y: window int32[16]) { source "w.cc" }
kernel s[2](in x: stream int32, out y: window int32[16]) { source "s.cc" }
input i[3] from plio(32, "i_{}.txt")
input r from plio(32, "r.txt")
input q from plio(32, "q.txt")
output o[3] to plio(32, "o_{}.txt")
output p to plio(32, "p.txt")
output t[2] to plio(32, "t_{}.txt")
connect i -> a.x
connect a.c -> b.c
connect b.y -> o
connect r -> split w[..].x
connect w[..].y -> merge p
connect q -> split s[..].x
connect s.y -> t
place a[0] at (7, 0)
place b[0] at (6, 0)
