//$ check
// A channel with more ranks than a release merges.
design peers
device xcvc1902
vitis "2022.2"

kernel w[5] { source "w.cc" }
kernel post { source "post.cc" }
channel mail over w, post { data int32[4] peers any root post }
