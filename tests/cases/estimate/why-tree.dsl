//$ report --effort 1 --why
design tree
device toy

kernel worker[4] { source "worker.cc" }

reduce total over worker {
    op sum
    data int32[64]
    root worker[0]
    shape tree arity 2
    style scalar
}

output sum to plio(32, "sum.txt")
connect total.result -> sum
