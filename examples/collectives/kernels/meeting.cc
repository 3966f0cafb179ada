// Meets the others again and again, first through one shape, then through another.
#include <adf.h>

template <typename Comm>
void meeting(Comm &comm) {
    for (unsigned call = 0; call < 16; ++call) comm.star.barrier();
    for (unsigned call = 0; call < 16; ++call) comm.hub.barrier();
}
