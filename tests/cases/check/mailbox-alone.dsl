//$ check
// A mailbox whose only kernel is its receiver.
design mailboxes
device xcvc1902

kernel w[2] { source "w.cc" }
mailbox alone over w[0] { root w[0] max 16 B }
