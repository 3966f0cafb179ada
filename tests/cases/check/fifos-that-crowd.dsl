//$ check
// FIFOs at stated places leave too little for what else the design puts around them.
design crowd
device toy

kernel a[3](in x: window int32[1024], out y: stream int32[1024]) { source "a.cc" }
kernel b[3](in x: stream int32[1024], out y: window int32[1024]) { source "b.cc" }
input  x[3] from plio(32, "x_{}.txt")
output y[3] to plio(32, "y_{}.txt")

connect x -> a.x
connect a[0].y -> b[0].x fifo 7000 at (3, 1) offset 0                       // of 8192 words
connect a[1].y -> b[1].x fifo 64 at (3, 2) offset 4096
connect a[2].y -> b[2].x fifo 16000 at (0, 0) offset 0, (0, 1) offset 0     // all that b[2] reaches
connect b.y -> y

place a[0].x at (3, 1) bank 3
place a[1].x at (3, 2) offset 0, 4160
place b[2] at (0, 0)
