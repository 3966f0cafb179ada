// Counts samples from 0 to 255 in buckets of 8 values.
#include <adf.h>

template <typename Comm>
void counter(Comm &comm, input_window<int16> *samples) {
    alignas(32) int32 buckets[32] = {};
    for (unsigned i = 0; i < 256; ++i) {
        ++buckets[window_readincr(samples) / 8];
    }
    comm.counts.reduce(buckets);
}
