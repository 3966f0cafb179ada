design in_step
device xcvc1902
iterations 3

kernel scale(
    in x: window int32[4],
    in gain: parameter int32 sync,
    out y: window int32[4],
    out sum: parameter int32 sync,
    out last: parameter int32[2] async,
) {
    source "readers.cc"
}
kernel shift(
    in x: window int32[4],
    in by: parameter int32,
    out y: window int32[4],
    out step: parameter int32 sync,
) {
    source "readers.cc"
}
kernel after(in x: window int32[4], in by: parameter int32, out y: window int32[4]) {
    source "readers.cc"
}
input x[3] from plio(32, "x_{}.txt")
output y[3] to plio(32, "y_{}.txt")
output sums to host("sums.txt")
output last to host("last.txt")
input gain from host("gain.txt")
connect x[0] -> scale.x
connect x[1] -> shift.x
connect x[2] -> after.x
connect gain -> scale.gain
connect gain -> shift.by
connect scale.sum -> sums
connect scale.last -> last
connect shift.step -> after.by
connect scale.y -> y[0]
connect shift.y -> y[1]
connect after.y -> y[2]
