// Hands out x.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void handed_out(Comm &comm, const float *x) {
    alignas(32) float own[design::COLUMNS];
    comm.parts.scatter(x, own);
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void loader(Comm &comm, adf::input_buffer<float> &x) { handed_out(comm, x.data()); }
#else
void loader(Comm &comm, input_window<float> *x) { handed_out(comm, x->ptr); }
#endif
