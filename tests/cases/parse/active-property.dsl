//$ check
// A server has handlers and no properties.
design d
device xcvc1902
kernel w[3] { source "w.cc" }
kernel pe { source "pe.cc" }
active table on pe from w { root pe handler get(key: int32) -> int32 }
