//$ check
// Branches share wires, and a FIFO in memory loses the TLAST of packets.
design fan
device toy

kernel worker[4](in x: window int32[16], out y: window int32[16]) { source "worker.cc" }
input  requests from plio(32, "requests.txt")
output answers to plio(32, "answers.txt")

connect requests -> split worker.x fifo 64
connect worker.y -> merge answers fifo 16 at switch (3, 1) number 0
