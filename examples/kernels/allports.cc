// Doubles its samples, and takes part in a sum and in two maxima: of the samples and of their negatives.
#include <adf.h>

template <typename Comm>
void worker(Comm &comm, input_window<int32> *x, output_window<int32> *y) {
    constexpr unsigned n = decltype(comm.total)::elements;
    alignas(32) int32 sums[n];
    alignas(32) int32 highest[n];
    alignas(32) int32 lowest[n];
    for (unsigned i = 0; i < n; ++i) {
        const int32 sample = window_readincr(x);
        window_writeincr(y, 2 * sample);
        sums[i] = sample;
        highest[i] = sample;
        lowest[i] = -sample;
    }
    comm.total.reduce(sums);
    comm.peak.reduce(highest);
    comm.peak.reduce(lowest);
}
