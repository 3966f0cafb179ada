design d
device toy
ports window
iterations 2
kernel k(in x: window int32[4], out y: window int32[4]) { source "k.cc" }
input i from ENDPOINT
output o to gmio("o.txt")
connect i -> async k.x WINDOWS
connect k.y -> o
