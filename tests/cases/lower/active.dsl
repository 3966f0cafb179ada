//$ check
// Active messages with what they cannot have.
design servers
device xcvc1902

kernel w[3] { source "w.cc" }
kernel pe { source "pe.cc" }

active empty on pe from w { }
active typed on pe from w { handler get(i: int64) -> int32  handler put(v: int32) -> cint16 }
active arrays on pe from w { handler fill(data: int32[4], first: int32)  handler all() -> int32[4] }
active named on pe from w { handler serve()  handler class()  handler add(v: int32)  handler add(v: int32, v: float) }
active crowd on w from pe { handler add() }
active buffers on pe from w { buffer table: int16[8]  buffer rows: int32[8]  handler put_rows(v: int32)  buffer rows: float[4]  buffer none: int32[0] }
active called on pe from w { handler put_rows(v: int32)  buffer rows: int32[8] }
active own on w[1] from w { handler add() }
