//$ check
// A channel whose packets need 33 ids.
design peers
device xcvc1902

kernel w[33] { source "w.cc" }
kernel post { source "post.cc" }
channel crowd over w, post { data int32[4] peers any root post }
