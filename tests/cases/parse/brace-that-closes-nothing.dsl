//$ check
design t
device toy
kernel k(in a: window int32[16]) { source "k.cc" }
}
input x from gmio
