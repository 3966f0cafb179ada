//$ check
// The receiver starts when the sender has returned, which waits for room in the channel.
design channels
device toy

kernel early[2](out y: window int32[4]) { source "early.cc" }
kernel late[2](in x: window int32[4]) { source "late.cc" }
channel ahead over early, late { data int32[300] to rank + 2 }
connect early.y -> late.x
