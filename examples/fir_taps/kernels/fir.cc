// y[n] = sum of taps[k] * x[n - k], as a number with 15 bits behind the point, cut to int16. The
// margin holds the samples before the block. `peak` is the largest magnitude of the block.
#include <adf.h>
#include <aiec/design.h>

namespace {

constexpr int taps_count = design::TAPS;

int16 filtered(const int16 *newest, const int16 (&taps)[taps_count]) {
    int32 sum = 0;
    for (int k = 0; k < taps_count; ++k) {
        sum += int32(taps[k]) * newest[-k];
    }
    return int16(sum >> 15);
}

// `x` begins with the margin.
void run(const int16 *x, const int16 (&taps)[taps_count], int16 *y, int32 &peak) {
    int32 highest = 0;
    for (int n = 0; n < design::SAMPLES; ++n) {
        y[n] = filtered(x + taps_count + n, taps);
        const int32 magnitude = y[n] < 0 ? -y[n] : y[n];
        highest = magnitude > highest ? magnitude : highest;
    }
    peak = highest;
}

} // namespace

#if AIEC_BUFFER_PORTS
using samples = adf::input_buffer<int16, adf::extents<adf::inherited_extent>, adf::margin<design::TAPS>>;
void fir(samples &x, const int16 (&taps)[16], adf::output_buffer<int16> &y, int32 &peak) {
    run(x.data(), taps, y.data(), peak);
}
#else
void fir(input_window<int16> *x, const int16 (&taps)[16], output_window<int16> *y, int32 &peak) {
    int16 block[design::TAPS + design::SAMPLES];
    for (int16 &sample : block) {
        sample = window_readincr(x);
    }
    int16 result[design::SAMPLES];
    run(block, taps, result, peak);
    for (const int16 sample : result) {
        window_writeincr(y, sample);
    }
}
#endif
