// Every rank contributes 1, 2, 3, ... in each call; the counter of the root measures each of them.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
void worker(Comm &comm) {
    for (int call = 0; call < design::CALLS; ++call) {
        alignas(32) int32 data[design::WINDOW];
        for (int i = 0; i < design::WINDOW; ++i) {
            data[i] = i + 1;
        }
        comm.total.reduce(data);
    }
}
