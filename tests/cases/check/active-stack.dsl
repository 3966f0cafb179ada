//$ check
// The array of a request lies on the owner's stack, whatever the heap is.
design d
device xcvc1902
kernel w[2] { source "w.cc" }
kernel pe { source "pe.cc" heap 8 KiB }
active table on pe from w { handler put(first: int32, values: int32[1000])  handler get(key: int32) -> int32 }
