// Every rank contributes 1, 2, 3, ...; one source for root, interior nodes and leaves.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
void worker(Comm &comm) {
    alignas(32) int32 data[design::DATA];
    for (int i = 0; i < design::DATA; ++i) {
        data[i] = i + 1;
    }
    comm.total.reduce(data); // the root finds the sum in `data`
}
