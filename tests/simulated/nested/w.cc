// Calls every collective once: those of the inner component, then the one around it.
#include <adf.h>
template <typename Comm> void w(Comm &comm) {
    alignas(32) int32 a[16], b[16], r[16];
    alignas(32) int32 all[64];
    for (int i = 0; i < 16; ++i) a[i] = b[i] = i;
    comm.meet.barrier();
    comm.all.reduce(a);
    comm.parts.gather(b, &all[0]);
    comm.up.scan(b);
    comm.right.sendrecv(b, r);
    comm.every.reduce(b);
}
