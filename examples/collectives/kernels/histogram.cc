// Counts samples from 0 to 255 in buckets of 8 values.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void counted(Comm &comm, const int16 *__restrict samples) {
    alignas(32) int32 buckets[design::BUCKETS] = {};
    for (int i = 0; i < design::SAMPLES; ++i) {
        ++buckets[samples[i] / 8];
    }
    comm.counts.reduce(buckets);
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void counter(Comm &comm, adf::input_buffer<int16> &samples) { counted(comm, samples.data()); }
#else
void counter(Comm &comm, input_window<int16> *samples) { counted(comm, samples->ptr); }
#endif
