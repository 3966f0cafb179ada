// Doubles its samples, and takes part in a sum and in two maxima: of the samples and of their
// negatives.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void doubled(Comm &comm, const int32 *__restrict x, int32 *__restrict y) {
    constexpr unsigned n = design::worker::x_elements;
    alignas(32) int32 sums[n];
    alignas(32) int32 highest[n];
    alignas(32) int32 lowest[n];
    for (unsigned i = 0; i < n; ++i) {
        y[i] = 2 * x[i];
        sums[i] = x[i];
        highest[i] = x[i];
        lowest[i] = -x[i];
    }
    comm.total.reduce(sums);
    comm.peak.reduce(highest);
    comm.peak.reduce(lowest);
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void worker(Comm &comm, adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) { doubled(comm, x.data(), y.data()); }
#else
void worker(Comm &comm, input_window<int32> *x, output_window<int32> *y) { doubled(comm, x->ptr, y->ptr); }
#endif
