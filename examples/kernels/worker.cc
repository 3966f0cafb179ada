// Every rank contributes 1, 2, 3, ...; one source for root, interior nodes and leaves.
#include <adf.h>

template <typename Comm>
void worker(Comm &comm) {
    constexpr unsigned n = decltype(comm.total)::elements;
    alignas(32) int32 data[n];
    for (unsigned i = 0; i < n; ++i) {
        data[i] = int32(i + 1);
    }
    comm.total.reduce(data); // the root finds the sum in `data`
}
