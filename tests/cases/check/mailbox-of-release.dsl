//$ check
// A mailbox with more senders than a release merges.
design mailboxes
device xcvc1902
vitis "2022.2"

kernel w[5] { source "w.cc" }
kernel post { source "post.cc" }
mailbox inbox over w { root post max 64 B }
