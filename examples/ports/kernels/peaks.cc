#include "peaks.h"

#include <aiec/design.h>

template <unsigned TAPS>
int32 peaks<TAPS>::smoothed(const int32 *pixels) const {
    int32 sum = 0;
    for (unsigned k = 0; k < TAPS; ++k) sum += weights_[k] * pixels[k];
    return sum;
}

template <unsigned TAPS>
void peaks<TAPS>::run(adf::input_async_buffer<int32> &lines, adf::output_buffer<int32> &y) {
    int32 *out = y.data();
    for (int line = 0; line < design::LINES; ++line) {
        lines.acquire();
        const int32 *pixels = lines.data();
        int32 peak = smoothed(pixels);
        for (unsigned at = 1; at + TAPS <= design::COLUMNS; ++at) {
            const int32 here = smoothed(pixels + at);
            peak = here > peak ? here : peak;
        }
        out[line] = peak;
        lines.release();
    }
}
