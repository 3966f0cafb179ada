//$ check
// A size without a unit.
design mailboxes
device xcvc1902

kernel w[5] { source "w.cc" }
kernel post { source "post.cc" }
mailbox inbox over w { max 64 root post }
