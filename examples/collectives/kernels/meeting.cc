// Meets the others again and again, first through one shape, then through another.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
void meeting(Comm &comm) {
    for (int call = 0; call < design::CALLS; ++call) comm.star.barrier();
    for (int call = 0; call < design::CALLS; ++call) comm.hub.barrier();
}
