design d
device xcvc1902
kernel a(in x: window int32[16], out c: cascade acc48, out w: window int32[16]) {
    source "kernels.cc"
    function give_run
}
kernel t(in w: window int32[64], out y: window int32[64]) { source "kernels.cc" function hold }
kernel b(in c: cascade acc48, in w: window int32[16], out y: window int32[16]) {
    source "kernels.cc"
    function take_run
}
input x from plio(32, "in.txt")
output y to plio(32, "out.txt")
connect x -> a.x
connect a.c -> b.c
connect a.w -> t.w
connect t.y -> b.w
connect b.y -> y
