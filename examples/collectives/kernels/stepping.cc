// Meets the others again and again, first through one shape, then through the others.
#include <adf.h>

template <typename Comm>
void stepping(Comm &comm) {
    for (unsigned call = 0; call < 16; ++call) comm.tree.barrier();
    for (unsigned call = 0; call < 16; ++call) comm.rounds.barrier();
    for (unsigned call = 0; call < 16; ++call) comm.merged.barrier();
}
