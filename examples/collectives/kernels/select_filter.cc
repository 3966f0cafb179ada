// Hands on the samples that are above 100.
#include <adf.h>

template <typename Comm>
void filter(Comm &comm, input_window<int16> *samples) {
    alignas(32) int16 found[64];
    unsigned count = 0;
    for (unsigned i = 0; i < 64; ++i) {
        const int16 sample = window_readincr(samples);
        if (sample > 100) {
            found[count++] = sample;
        }
    }
    comm.peaks.gather(found, count, nullptr, nullptr);
}
