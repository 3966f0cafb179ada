//$ check
// Channels to any peer with what they cannot have.
design peers
device xcvc1902

kernel w[3] { source "w.cc" }
kernel post { source "post.cc" }

channel rootless over w, post { data int32[4] peers any }
channel open over w, post { data int32[4] peers any root any }
channel both over w, post { data int32[4] peers any root post to rank + 1 }
channel nothing over w, post { data int32[4] peers any root post packet 0 }
channel some over w, post { data int32[4] peers some root post }
channel counted over w, post { data int32[4] peers any root post calls 2 }
channel named over w { data int32[4] shift 1 packet 7 }
channel shaped over w { data int32[4] shift 1 shape relay }
reduce total over w { op sum data int32[4] peers any }
