//$ check
// A channel to any peer with one rank beside its root.
design peers
device xcvc1902

kernel w[2] { source "w.cc" }
channel mail over w { data int32[4] peers any root w[0] }
