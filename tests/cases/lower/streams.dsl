//$ check
// What cannot go over streams.
design streams
device xcvc1902
kernel w[4] { source "w.cc" }

reduce bits over w { op and  data int16[64]  shape stream }
reduce slow over w { op sum  data int16[64]  shape stream  style scalar }
reduce odd over w { op sum  data int8[20]  shape stream }
broadcast wide over w { data int64[8]  shape stream }
gather some over w { data int32[8]  counts 8 - rank  shape stream }
gather known over w { data int32[8]  headed  shape stream }
