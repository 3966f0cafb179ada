//$ build --emit=expanded
// Rank 0 folds into rank 1, which exchanges with rank 2.
design clocks
device xcvc1902

kernel w[3] { source "w.cc" }
clock time over w {}
