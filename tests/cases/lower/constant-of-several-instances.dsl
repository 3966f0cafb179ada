//$ check
// A constant of a component without a value is one fault, whatever instances there are.
design t
device toy
component c(N = 16, DIV = 0)(in x: window int32[N], out y: window int32[N]) {
    const H = N / DIV
    kernel k(in a: window int32[H], out b: window int32[H]) { source "k.cc" }
    connect x -> k.a
    connect k.b -> y
}
instance i[4] of c
instance j of c(N = 32)
input p from gmio
output q to gmio
connect p -> i[0].x
connect i[0..3].y -> i[1..4].x
connect i[3].y -> j.x
connect j.y -> q
