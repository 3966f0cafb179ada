//$ check
// Mailboxes with what they cannot have.
design mailboxes
device xcvc1902

kernel w[3] { source "w.cc" }
kernel post { source "post.cc" }

mailbox rootless over w { max 16 B }
mailbox open over w { root any max 16 B }
mailbox endless over w { root post }
mailbox odd over w { root post max 254 B }
mailbox empty over w { root post max 0 B }
mailbox typed over w { root post max 16 B data int32[4] }
mailbox counted over w { root post max 16 B calls 2 }
mailbox deep over w { root post max 16 B depth 8 packet 7 peers any }
mailbox shaped over w { root post max 16 B shape mailbox }
channel named over w { data int32[4] shift 1 max 16 B }
reduce total over w { op sum data int32[4] max 16 B }
