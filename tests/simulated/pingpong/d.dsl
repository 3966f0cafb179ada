design d
device toy
ports window
kernel a(in back: window int32[4], out ball: window int32[4], out seen: window int32[4]) { source "a.cc" }
kernel b(in ball: window int32[4], out back: window int32[4]) { source "b.cc" }
output seen to plio(32, "seen.txt")
connect async a.ball -> async b.ball
connect async b.back -> async a.back
connect a.seen -> seen
