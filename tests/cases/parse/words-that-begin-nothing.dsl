//$ check
design d
device toy
include "fir.h"
kernel a(out y: window int32[16]) {
    source "a.cc"
    stack  4096
}
kernel b(out y: window int32[16]) { source "b.cc" heap 2 * 300 }
