// Meets the others again and again, first through one shape, then through another.
#include <adf.h>

template <typename Comm>
void stepping(Comm &comm) {
    for (unsigned call = 0; call < 16; ++call) comm.tree.barrier();
    for (unsigned call = 0; call < 16; ++call) comm.rounds.barrier();
}
