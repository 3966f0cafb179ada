//$ check
// A header tells 32 clients apart.
design d
device xcvc1902
vitis "2023.2"
kernel w[33] { source "w.cc" }
kernel pe { source "pe.cc" }
active table on pe from w { handler get(key: int32) -> int32 }
