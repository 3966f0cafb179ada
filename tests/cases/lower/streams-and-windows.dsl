//$ check
// Windows mean nothing over streams, and FIFOs nothing elsewhere.
design windows
device xcvc1902
kernel w[4] { source "w.cc" }

reduce total over w { op sum  data int32[8]  window int32[4]  buffer single  shape stream }
reduce deep over w { op sum  data int32[8]  depth 16 }
