//$ check
// A mailbox whose packets need 33 ids.
design mailboxes
device xcvc1902

kernel w[33] { source "w.cc" }
kernel post { source "post.cc" }
mailbox crowd over w { root post max 64 B }
