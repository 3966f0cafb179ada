#include <adf.h>
template <typename Comm>
void worker(Comm &comm) {
    for (int call = 0; call < 2; ++call) {
        alignas(32) int32 data[16];
        for (int i = 0; i < 16; ++i) data[i] = 10 * int(comm.total.rank()) + i + 100 * call;
        comm.total.reduce(data);
    }
}
