#include <adf.h>

template <typename Comm>
void worker(Comm &comm) {
    alignas(32) int32 data[64];
    for (int i = 0; i < 64; ++i) {
        data[i] = i + 1;
    }
    comm.total.reduce(data);
}
