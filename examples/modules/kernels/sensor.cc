// Takes part in two reductions with the same values. The root's results go straight to the next
// kernel.
#include <adf.h>

#include <aiec/design.h>

template <typename Comm>
static void contribute(Comm &comm, const int32 *x) {
    alignas(32) int32 high[design::sensor::x_elements];
    alignas(32) int32 low[design::sensor::x_elements];
    for (unsigned i = 0; i < design::sensor::x_elements; ++i) high[i] = low[i] = x[i];
    comm.highest.reduce(high);
    comm.lowest.reduce(low);
}

#if AIEC_BUFFER_PORTS
template <typename Comm>
void sensor(Comm &comm, adf::input_buffer<int32> &x) {
    contribute(comm, x.data());
}
#else
template <typename Comm>
void sensor(Comm &comm, input_window<int32> *x) {
    contribute(comm, x->ptr);
}
#endif
