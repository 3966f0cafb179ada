// Hands on the samples that are above 100.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void filtered(Comm &comm, const int16 *__restrict samples) {
    alignas(32) int16 found[design::SAMPLES];
    unsigned count = 0;
    for (int i = 0; i < design::SAMPLES; ++i) {
        if (samples[i] > 100) {
            found[count++] = samples[i];
        }
    }
    comm.peaks.gather(found, count, nullptr, nullptr);
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void filter(Comm &comm, adf::input_buffer<int16> &samples) { filtered(comm, samples.data()); }
#else
void filter(Comm &comm, input_window<int16> *samples) { filtered(comm, samples->ptr); }
#endif
