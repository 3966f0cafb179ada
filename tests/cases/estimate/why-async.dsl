//$ report --effort 1 --why
design own
device toy

kernel talk(in x: window int32[16], out y: window int32[16]) { source "worker.cc" }
kernel hear(in x: window int32[16], out y: window int32[16]) { source "worker.cc" }

input samples from plio(32, "samples.txt")
output spoken to plio(32, "spoken.txt")
connect samples -> talk.x
connect talk.y -> async hear.x
connect hear.y -> spoken
