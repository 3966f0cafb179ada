//$ check
design d
device toy
const N = 5000000000
iterations N
kernel a[2](in x: window int32[N], out y: window int32[N / 2]) {
    source "a.cc"
    stack  N * 1 B
    heap   -N * 1 B
}
input i[2] from plio(N, "i_{}.txt")
output o[2] to plio(32, "o_{}.txt")
connect i -> a.x
connect a.y -> o
