// Collectives inside of nested instances, and one over the ranks of several instances.
design nested
device xcvc1902
component inner(N = 3)(out y: window int32[16], out c: window int64[8]) {
    kernel w[N] { source "w.cc" }
    reduce all over w { op sum data int32[16] cycles int64[8] }
    gather parts over w { data int32[16] }
    barrier meet over w { }
    scan up over w { op sum data int32[16] }
    sendrecv right over w { data int32[16] to rank + 1 }
    connect all.result -> y
    connect all.cycles -> c
}
component outer(M = 2)(out y[M]: window int32[16], out c[M]: window int64[8]) {
    instance sub[i: M] of inner(N = i + 2)
    reduce every over sub[0].w, sub[1].w { op max data int32[16] }
    connect sub.y -> y
    connect sub.c -> c
}
instance top[2] of outer
output y[4] to plio(32, "y_{}.txt")
output c[4] to plio(64, "c_{}.txt")
connect top.y -> y
connect top.c -> c
