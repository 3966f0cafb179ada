//$ check
// The ping-pong of two kernels: with synchronous windows each waits for the other before it can start.
design pingpong
device xcvc1902
kernel a(in back: window int32[4], out ball: window int32[4]) { source "a.cc" }
kernel b(in ball: window int32[4], out back: window int32[4]) { source "b.cc" }
connect a.ball -> b.ball
connect b.back -> a.back
