//$ check
// More channels than a core has ports for streams.
design channels
device toy

kernel cell[r: 3][c: 3] { source "cell.cc" }
channel east over cell { data int32[4] to (r, c + 1) }
channel west over cell { data int32[4] to (r, c - 1) }
channel north over cell { data int32[4] to (r + 1, c) }
