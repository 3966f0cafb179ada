//$ build --emit=expanded
// The receiver is behind the group, or one of its kernels.
design d
device toy
kernel client[3] { source "client.cc" }
kernel server { source "server.cc" }
mailbox inbox over client { root server max 64 B }
mailbox among over client { root client[1] max 1 KiB }
