// Meets the others again and again, first through one shape, then through the others.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
void stepping(Comm &comm) {
    for (int call = 0; call < design::CALLS; ++call) comm.tree.barrier();
    for (int call = 0; call < design::CALLS; ++call) comm.rounds.barrier();
    for (int call = 0; call < design::CALLS; ++call) comm.merged.barrier();
}
