//$ check
// Clients are named behind `from`.
design d
device xcvc1902
kernel w[3] { source "w.cc" }
kernel pe { source "pe.cc" }
active table over w { handler get(key: int32) -> int32 }
