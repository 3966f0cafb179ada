#include <adf.h>
template <typename Comm>
void worker(Comm &comm, adf::input_buffer<int32> &x) {
    alignas(32) int32 data[32];
    for (unsigned i = 0; i < 32; ++i) data[i] = x.data()[i];
    comm.total.reduce(data);
    comm.back.broadcast(data);
}
